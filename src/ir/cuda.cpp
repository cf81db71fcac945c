#include "ir/cuda.h"

#include <algorithm>
#include <stdexcept>

#include "ir/c_printer.h"

namespace skipper::ir {
namespace {

/// Functions that stand before the kernel where it uses them.
struct Helper {
  char const *name, *text;
};
constexpr Helper helpers[] = {
    {"from_half",
     "__device__ float from_half(unsigned short bits) {\n"
     "  float x;\n"
     "  asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(bits));\n"
     "  return x;\n"
     "}\n"},
    {"to_half",
     "__device__ unsigned short to_half(float x) {\n"
     "  unsigned short bits;\n"
     "  asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(x));\n"
     "  return bits;\n"
     "}\n"},
    {"from_bfloat16",
     "__device__ float from_bfloat16(unsigned short bits) { return __uint_as_float((unsigned)bits << 16); "
     "}\n"},
    {"to_bfloat16",
     "__device__ unsigned short to_bfloat16(float x) {\n"
     "  unsigned short bits;\n"
     "  asm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(x));\n"
     "  return bits;\n"
     "}\n"},
    {"reciprocal",
     "/* To about the last bit, of numbers far from the ends of their range. */\n"
     "__device__ float reciprocal(float x) {\n"
     "  float r;\n"
     "  asm(\"rcp.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x));\n"
     "  return r;\n"
     "}\n"
     "__device__ double reciprocal(double x) {\n"
     "  double r;\n"
     "  asm(\"rcp.approx.ftz.f64 %0, %1;\" : \"=d\"(r) : \"d\"(x));\n"
     "  r = fma(r, fma(-x, r, 1.0), r);\n"
     "  return fma(r, fma(-x, r, 1.0), r);\n"
     "}\n"},
    {"remote",
     "/* Where the block of a rank has what this one has at an address of its shared memory. */\n"
     "__device__ int remote(int address, int rank) {\n"
     "  int there;\n"
     "  asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(there)\n"
     "      : \"r\"((int)__cvta_generic_to_shared(shared_memory) + address), \"r\"(rank));\n"
     "  return there;\n"
     "}\n"},
    {"load_remote_float2",
     "__device__ float2 load_remote_float2(int there) {\n"
     "  float2 x;\n"
     "  asm volatile(\"ld.shared::cluster.v2.f32 {%0, %1}, [%2];\" : \"=f\"(x.x), \"=f\"(x.y) : \"r\"(there) "
     ": \"memory\");\n"
     "  return x;\n"
     "}\n"},
    {"load_remote_double2",
     "__device__ double2 load_remote_double2(int there) {\n"
     "  double2 x;\n"
     "  asm volatile(\"ld.shared::cluster.v2.f64 {%0, %1}, [%2];\" : \"=d\"(x.x), \"=d\"(x.y) : \"r\"(there) "
     ": \"memory\");\n"
     "  return x;\n"
     "}\n"},
    {"store_remote",
     "__device__ void store_remote(int there, float2 x) {\n"
     "  asm volatile(\"st.shared::cluster.v2.f32 [%0], {%1, %2};\" ::\"r\"(there), \"f\"(x.x), \"f\"(x.y) : "
     "\"memory\");\n"
     "}\n"
     "__device__ void store_remote(int there, double2 x) {\n"
     "  asm volatile(\"st.shared::cluster.v2.f64 [%0], {%1, %2};\" ::\"r\"(there), \"d\"(x.x), \"d\"(x.y) : "
     "\"memory\");\n"
     "}\n"},
    {"cluster_barrier",
     "__device__ void cluster_barrier() {\n"
     "  asm volatile(\"barrier.cluster.arrive.release.aligned;\\nbarrier.cluster.wait.acquire.aligned;\" ::: "
     "\"memory\");\n"
     "}\n"},
    {"add_release",
     "__device__ void add_release(long long counter) {\n"
     "  asm volatile(\"red.release.gpu.global.add.u32 [%0], 1;\" ::\"l\"(counter) : \"memory\");\n"
     "}\n"},
    {"load_acquire",
     "__device__ int load_acquire(long long counter) {\n"
     "  int x;\n"
     "  asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1];\" : \"=r\"(x) : \"l\"(counter) : \"memory\");\n"
     "  return x;\n"
     "}\n"},
    {"prefetch",
     "__device__ void prefetch(long long line) { asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(line)); "
     "}\n"},
    {"discard",
     "__device__ void discard(long long line) { asm volatile(\"discard.global.L2 [%0], 128;\" ::\"l\"(line) "
     ": \"memory\"); }\n"},
    {"trigger_dependents",
     "__device__ void trigger_dependents() {\n"
     "#if __CUDA_ARCH__ >= 900\n"
     "  asm volatile(\"griddepcontrol.launch_dependents;\" ::: \"memory\");\n"
     "#endif\n"
     "}\n"},
    {"wait_for_previous",
     "__device__ void wait_for_previous() {\n"
     "#if __CUDA_ARCH__ >= 900\n"
     "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
     "#endif\n"
     "}\n"},
};

class CudaPrinter : public CPrinter {
 public:
  using CPrinter::CPrinter;

 private:
  std::string type_name(Type type) const override {
    static char const* const names[] = {"void",           "bool",           "int",   "long long",
                                        "unsigned short", "unsigned short", "float", "double"};
    return names[std::size_t(type)];
  }

  std::string head() const override {
    std::string s;
    if (kernel_.shared_bytes > 0) s += "extern __shared__ __align__(16) char shared_memory[];\n";
    for (Helper const& h : helpers)
      if (calls(h.name)) s += h.text;
    s += "extern \"C\" __global__ void ";
    if (kernel_.cluster_ranks > 1)
      s += "__cluster_dims__(" + std::to_string(kernel_.cluster_ranks) + ", 1, 1) ";
    s += "__launch_bounds__(" + std::to_string(kernel_.threads) +
         (kernel_.resident > 0 ? ", " + std::to_string(kernel_.resident) : "") + ")\n    " + kernel_.name +
         "(";
    for (Parameter const& p : kernel_.parameters)
      s += (&p == kernel_.parameters.data() ? "" : ", ") +
           (is_array(p) ? std::string("char*") : type_name(p.type)) + " " + p.name;
    s += ") {\n  int const thread = threadIdx.x;\n";
    if (kernel_.cluster_ranks > 1)
      s += "  int rank;\n  asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));\n";
    return s;
  }

  std::string place_in_launch(Value v) const override {
    if (what(v).op == Op::thread) return "thread";
    if (what(v).op == Op::rank) return kernel_.cluster_ranks > 1 ? "rank" : "0";
    std::string const ranks = kernel_.cluster_ranks > 1 ? " / " + std::to_string(kernel_.cluster_ranks) : "";
    bool const is_count = what(v).op == Op::blocks;
    if (what(v).type == Type::i32) return (is_count ? "(int)(gridDim.x" : "(int)(blockIdx.x") + ranks + ")";
    if (is_count) return "(long long)((unsigned long long)gridDim.x * gridDim.y" + ranks + ")";
    return "(long long)((blockIdx.x + (unsigned long long)gridDim.x * blockIdx.y)" + ranks + ")";
  }

  std::string remote(std::string const& address, std::string const& rank) const override {
    return "remote(" + address + ", " + rank + ")";
  }
  std::string multiplied_high(std::string const& a, std::string const& b) const override {
    return "(int)__umulhi(" + a + ", " + b + ")";
  }
  std::string fused(Type type, std::string const& operands) const override {
    return (type == Type::f32 ? "__fmaf_rn(" : "__fma_rn(") + operands + ")";
  }
  std::string reciprocal(Type, std::string const& x) const override { return "reciprocal(" + x + ")"; }

  static std::string storage(Access a) {
    std::string const one = a.type == Type::i32   ? "int"
                            : a.type == Type::i64 ? "long long"
                            : a.type == Type::f32 ? "float"
                            : a.type == Type::f64 ? "double"
                                                  : "ushort";
    if (a.count > 1) return one + std::to_string(a.count);
    return one == "ushort" ? "unsigned short" : one;
  }
  static std::string pointer(Access a, std::string const& address, bool is_const) {
    std::string const type = "(" + storage(a) + (is_const ? " const*)" : "*)");
    if (a.space == Space::shared) return type + "(shared_memory + " + address + ")";
    return type + "(" + address + ")";
  }
  static char const* narrow(Type type) { return type == Type::f16 ? "half" : "bfloat16"; }

  std::string loaded(Access a, std::string const& address) const override {
    if (a.space == Space::remote) return "load_remote_" + storage(a) + "(" + address + ")";
    std::string const p = pointer(a, address, true);
    std::string const x = a.space == Space::table ? "__ldg(" + p + ")"
                          : a.streaming           ? "__ldcs(" + p + ")"
                                                  : "*" + p;
    if (bytes_of(a.type) != 2) return x;
    std::string const function = std::string("from_") + narrow(a.type);
    if (a.count == 1) return function + "(" + x + ")";
    std::string all = "make_float" + std::to_string(a.count) + "(";
    for (int k = 0; k < a.count; ++k)
      all += (k ? ", " : "") + function + "((" + x + ")." + std::string(1, "xyzw"[k]) + ")";
    return all + ")";
  }
  std::string stored(Access a, std::string const& address, std::string const& x) const override {
    if (a.space == Space::remote) return "store_remote(" + address + ", " + x + ");";
    std::string const p = pointer(a, address, false);
    return a.streaming ? "__stcs(" + p + ", " + x + ");" : "*" + p + " = " + x + ";";
  }
  std::string joined(Access a, std::vector<std::string> const& numbers) const override {
    bool const is_narrow = bytes_of(a.type) == 2;
    std::string s;
    for (std::string const& x : numbers)
      s += (s.empty() ? "" : ", ") + (is_narrow ? std::string("to_") + narrow(a.type) + "(" + x + ")" : x);
    return a.count == 1 ? s : "make_" + storage(a) + "(" + s + ")";
  }

  std::string effect(Value v, std::string const& result) override {
    std::string const given = result.empty() ? "" : type_name(what(v).type) + " const " + result + " = ";
    switch (what(v).op) {
      case Op::prefetch:
        return "prefetch(" + address(v) + ");";
      case Op::discard:
        return "discard(" + address(v) + ");";
      case Op::atomic_or:
      case Op::atomic_and:
        return given + (what(v).op == Op::atomic_or ? "atomicOr" : "atomicAnd") + "((int*)(" + address(v) +
               "), " + operand_text(v, 1) + ");";
      case Op::add_release:
        return "add_release(" + address(v) + ");";
      case Op::load_acquire:
        return given + "load_acquire(" + address(v) + ");";
      case Op::warp_barrier:
        return "__syncwarp();";
      case Op::block_barrier:
        return "__syncthreads();";
      case Op::cluster_barrier:
        return "cluster_barrier();";
      case Op::all_of_block:
        return given + "__syncthreads_and(" + operand_text(v, 0) + ");";
      case Op::trigger_dependents:
        return "trigger_dependents();";
      case Op::wait_for_previous:
        return "wait_for_previous();";
      case Op::user_load:
      case Op::user_store:
        return user_call(v);
      case Op::matrix_multiply:
        return matrix_multiply(v);
      default:
        throw std::logic_error("ir: " + name_of(what(v).op) + " has no text in CUDA");
    }
  }

  /// A complex number goes as one, and its parts are those of what comes back.
  std::string user_call(Value v) {
    bool const is_load = what(v).op == Op::user_load, is_complex = what(v).count == 4;
    std::string const space = is_load ? "skipper::user_load::" : "skipper::user_store::",
                      x = is_complex ? space + "Value{" + operand_text(v, 0) + ", " + operand_text(v, 1) + "}"
                                     : operand_text(v, 0);
    int const place = is_complex ? 2 : 1;
    return space + "Value const " + name(v) + " = " + space + (is_load ? "on_load(" : "on_store(") + x +
           ", " + operand_text(v, place) + ", (void*)(" + operand_text(v, place + 1) + "));";
  }

  /// The tensor cores of sm_80 take eight rows at a time.
  std::string matrix_multiply(Value v) {
    int const k = (what(v).count - 4) / 3;
    std::string const s = name(v);
    auto const sum = [&](int i) { return "\"+d\"(" + s + "_" + std::to_string(i) + ")"; };
    auto const in = [&](int i) { return "\"d\"(" + operand_text(v, i) + ")"; };
    for (int i = 0; i < 4; ++i)
      line("double " + s + "_" + std::to_string(i) + " = " + operand_text(v, i) + ";");
    line("#if __CUDA_ARCH__ >= 900");
    std::string left, right, values;
    for (int i = 0; i < 2 * k; ++i) left += (i ? ", %" : "%") + std::to_string(4 + i);
    for (int i = 0; i < k; ++i) right += (i ? ", %" : "%") + std::to_string(4 + 2 * k + i);
    for (int i = 4; i < what(v).count; ++i) values += (i > 4 ? ", " : "") + in(i);
    line("asm volatile(\"mma.sync.aligned.m16n8k" + std::to_string(4 * k) +
         ".row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {" + left + "}, {" + right +
         "}, {%0, %1, %2, %3};\" : " + sum(0) + ", " + sum(1) + ", " + sum(2) + ", " + sum(3) + " : " +
         values + ");");
    line("#else");
    for (int i = 0; i < k; ++i)
      for (int h = 0; h < 2; ++h)
        line(
            "asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, "
            "%1};\" : " +
            sum(2 * h) + ", " + sum(2 * h + 1) + " : " + in(4 + 2 * i + h) + ", " + in(4 + 2 * k + i) + ");");
    line("#endif");
    return "";
  }
};

}  // namespace

std::string cuda(Kernel const& kernel, std::string const& users) {
  bool const calls = std::ranges::any_of(kernel.code, [](Instruction const& i) { return calls_user(i.op); });
  if (calls && users.empty())
    throw std::invalid_argument("the kernel calls a user's functions; give their text");
  return users + CudaPrinter(kernel).run();
}

}  // namespace skipper::ir
