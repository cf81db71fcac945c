#include "ir/opencl.h"

#include <stdexcept>

#include "ir/c_printer.h"

namespace skipper::ir {
namespace {

constexpr char const* bfloat16 =
    "inline float from_bfloat16(ushort bits) { return as_float((uint)bits << 16); }\n"
    "inline ushort to_bfloat16(float x) {\n"
    "  uint const bits = as_uint(x);\n"
    "  return x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;\n"
    "}\n";

[[noreturn]] void refuse(std::string const& what) {
  throw std::invalid_argument("the kernel takes " + what + ", which OpenCL does not have");
}

class OpenClPrinter : public CPrinter {
 public:
  using CPrinter::CPrinter;

 private:
  std::string type_name(Type type) const override {
    static char const* const names[] = {"void", "bool", "int", "long", "ushort", "ushort", "float", "double"};
    return names[std::size_t(type)];
  }

  std::string head() const override {
    std::string s = "#pragma OPENCL FP_CONTRACT OFF\n";
    if (calls("from_bfloat16") || calls("to_bfloat16")) s += bfloat16;
    s += "__attribute__((reqd_work_group_size(" + std::to_string(kernel_.threads) +
         ", 1, 1)))\n__kernel void " + kernel_.name + "(";
    for (Parameter const& p : kernel_.parameters)
      s += (&p == kernel_.parameters.data() ? "" : ", ") +
           (is_array(p) ? std::string("__global char*") : type_name(p.type)) + " " + p.name;
    s += ") {\n";
    if (kernel_.shared_bytes > 0)
      s += "  __local char shared_memory[" + std::to_string(kernel_.shared_bytes) +
           "] __attribute__((aligned(16)));\n";
    return s + "  int const thread = get_local_id(0);\n";
  }

  std::string place_in_launch(Value v) const override {
    if (what(v).op == Op::thread) return "thread";
    if (what(v).op == Op::rank) return "0";
    return "(" + type_name(what(v).type) +
           (what(v).op == Op::blocks ? ")get_num_groups(0)" : ")get_group_id(0)");
  }

  std::string remote(std::string const&, std::string const&) const override { refuse("a cluster"); }
  std::string multiplied_high(std::string const& a, std::string const& b) const override {
    return "(int)mul_hi((uint)" + a + ", (uint)" + b + ")";
  }
  std::string fused(Type, std::string const& operands) const override { return "fma(" + operands + ")"; }
  std::string reciprocal(Type type, std::string const& x) const override {
    return (type == Type::f32 ? "1.0f / (" : "1.0 / (") + x + ")";
  }

  std::string pointer(Access a, std::string const& address, bool is_const) const {
    std::string const count = a.count > 1 ? std::to_string(a.count) : "";
    std::string const type = type_name(a.type) + count + (is_const ? " const*)" : "*)");
    if (a.space == Space::shared) return "(__local " + type + "(shared_memory + " + address + ")";
    return "(__global " + type + "(" + address + ")";
  }

  static std::string width(Access a) { return a.count > 1 ? std::to_string(a.count) : ""; }
  static std::string halves(std::string const& address, char const* is_const) {
    return std::string("(__global half") + is_const + "*)(" + address + ")";
  }

  std::string loaded(Access a, std::string const& address) const override {
    if (a.space == Space::remote) refuse("a cluster");
    if (a.type == Type::f16) return "vload_half" + width(a) + "(0, " + halves(address, " const") + ")";
    std::string const x = "*" + pointer(a, address, true);
    if (a.type != Type::bf16) return x;
    if (a.count == 1) return "from_bfloat16(" + x + ")";
    std::string all = "(float" + width(a) + ")(";
    for (int k = 0; k < a.count; ++k)
      all += (k ? ", from_bfloat16((" : "from_bfloat16((") + x + ")." + "xyzw"[k] + ")";
    return all + ")";
  }
  std::string stored(Access a, std::string const& address, std::string const& x) const override {
    if (a.space == Space::remote) refuse("a cluster");
    if (a.type == Type::f16)
      return "vstore_half" + width(a) + "_rte(" + x + ", 0, " + halves(address, "") + ");";
    return "*" + pointer(a, address, false) + " = " + x + ";";
  }
  std::string joined(Access a, std::vector<std::string> const& numbers) const override {
    std::string s;
    for (std::string const& x : numbers)
      s += (s.empty() ? "" : ", ") + (a.type == Type::bf16 ? "to_bfloat16(" + x + ")" : x);
    if (a.count == 1) return s;
    return "(" + (a.type == Type::f16 ? "float" : type_name(a.type)) + width(a) + ")(" + s + ")";
  }

  std::string effect(Value v, std::string const& result) override {
    switch (what(v).op) {
      case Op::prefetch:
      case Op::discard:
      case Op::trigger_dependents:
      case Op::wait_for_previous:
        return "";  // hints, and waits that a queue in order sees to
      case Op::block_barrier:
        return "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
      case Op::cluster_barrier:
        refuse("a cluster");
      case Op::user_load:
      case Op::user_store:
        refuse("a user's functions in CUDA C++");
      case Op::warp_barrier:
      case Op::matrix_multiply:
        refuse("warps");
      default:
        (void)result;
        refuse("blocks that wait for each other");
    }
  }
};

}  // namespace

std::string opencl(Kernel const& kernel) {
  if (kernel.cluster_ranks > 1) refuse("a cluster");
  return OpenClPrinter(kernel).run();
}

}  // namespace skipper::ir
