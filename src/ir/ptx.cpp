#include "ir/ptx.h"

#include <bit>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "ir/printer.h"

namespace skipper::ir {
namespace {

/// The suffix of an instruction on a type; of integers whether it takes them as signed.
std::string suffix(Type type, bool is_signed = true) {
  switch (type) {
    case Type::pred:
      return ".pred";
    case Type::i32:
      return is_signed ? ".s32" : ".u32";
    case Type::i64:
      return is_signed ? ".s64" : ".u64";
    case Type::f16:
    case Type::bf16:
      return ".b16";
    case Type::f32:
      return ".f32";
    case Type::f64:
      return ".f64";
    case Type::none:
      break;
  }
  return "";
}
std::string plain_suffix(Type type) {
  return is_floating(type) ? suffix(type) : ".b" + std::to_string(8 * bytes_of(type));
}

/// Operations whose text is a name, the type and the operands.
struct Named {
  Op op;
  char const *of_integers, *of_floats;
  bool is_signed = true;
};
constexpr Named named[] = {
    {Op::negate, "neg", "neg"},
    {Op::add, "add", "add.rn"},
    {Op::subtract, "sub", "sub.rn"},
    {Op::multiply, "mul.lo", "mul.rn"},
    {Op::multiply_add, "mad.lo", "fma.rn"},
    {Op::multiply_high, "mul.hi", nullptr, false},
    {Op::divide, "div", nullptr, false},
    {Op::remainder, "rem", nullptr, false},
    {Op::shift_right, "shr", nullptr, false},
};

class PtxPrinter : Printer {
 public:
  PtxPrinter(Kernel const& kernel, PtxTarget target) : Printer(kernel), target_(target) {}

  std::string run() {
    for (Value v = 0; v < kernel_.size(); ++v)
      if (is_used(v)) print(v);
    return head() + text_ + "  ret;\n}\n";
  }

 private:
  std::string head() const;
  void print(Value v);
  void print_pure(Value v);
  void print_flow(Value v);
  void print_access(Value v);
  void print_together(Value v);
  void print_block(Value v);
  void print_reciprocal(Value v);
  void print_wide_division(Value v);
  void print_matrix_multiply(Value v);

  std::string register_name(Type type, int number) const {
    static char const* const prefix[] = {"", "%p", "%r", "%rd", "%h", "%h", "%f", "%d"};
    return prefix[std::size_t(type)] + std::to_string(number);
  }
  std::string fresh(Type type) { return register_name(type, new_register(type)); }
  std::string name(Value v) {
    Instruction const& i = what(v);
    if (i.op == Op::constant && i.type != Type::pred) return constant(i);
    return register_name(i.type, number_in_type(v));
  }
  static std::string constant(Instruction const& i) {
    char buffer[40];
    if (i.type == Type::f32)
      std::snprintf(buffer, sizeof buffer, "0f%08X", unsigned(i.bits));
    else if (i.type == Type::f64)
      std::snprintf(buffer, sizeof buffer, "0d%016llX", static_cast<unsigned long long>(i.bits));
    else
      return std::to_string(i.bits);
    return buffer;
  }
  static std::string zero(Type type) { return is_floating(type) ? constant({.type = type, .bits = 0}) : "0"; }

  void line(std::string const& s) { text_ += "  " + guard_ + s + ";\n"; }
  void move(std::string const& to, Value from, Type type) {
    std::string const x = what(from).op == Op::undefined ? zero(type) : name(from);
    if (type == Type::pred && what(from).op == Op::undefined)
      line("setp.ne.s32 " + to + ", 0, 0");
    else if (to != x)
      line("mov" + (type == Type::pred ? ".pred" : plain_suffix(type)) + " " + to + ", " + x);
  }
  std::string operands(Value v, int from = 0) {
    std::string s;
    for (int k = from; k < what(v).count; ++k) s += ", " + name(operand(v, k));
    return s;
  }
  std::string place(Value v) {
    std::int64_t const behind = what(v).bits;
    return "[" + name(operand(v, 0)) + (behind != 0 ? "+" + std::to_string(behind) : "") + "]";
  }
  static std::string braced(std::vector<std::string> const& names) {
    if (names.size() == 1) return names[0];
    std::string s;
    for (auto const& n : names) s += (s.empty() ? "{" : ", ") + n;
    return s + "}";
  }
  std::string label(Value region, char const* what) const {
    return std::string("$") + what + std::to_string(region);
  }

  PtxTarget target_;
  std::string text_, guard_;
};

std::string PtxPrinter::head() const {
  PtxLevel const level = ptx_level(target_);
  std::string s = ".version " + std::to_string(level.version / 10) + "." +
                  std::to_string(level.version % 10) + "\n.target sm_" + std::to_string(level.architecture) +
                  "\n.address_size 64\n";
  if (kernel_.shared_bytes > 0) s += ".extern .shared .align 16 .b8 shared_memory[];\n";
  s += ".visible .entry " + kernel_.name + "(";
  for (auto const& p : kernel_.parameters)
    s += (&p == kernel_.parameters.data() ? "" : ", ") + std::string(".param ") + suffix(p.type, false) +
         " " + p.name;
  s += ")\n.maxntid " + std::to_string(kernel_.threads) + ", 1, 1\n";
  if (kernel_.cluster_ranks > 1)
    s += ".explicitcluster\n.reqnctapercluster " + std::to_string(kernel_.cluster_ranks) + ", 1, 1\n";
  if (kernel_.resident > 0) s += ".minnctapersm " + std::to_string(kernel_.resident) + "\n";
  s += "{\n";
  for (Type type : {Type::pred, Type::i32, Type::i64, Type::f16, Type::f32, Type::f64})
    if (int const n = registers(type); n > 0)
      s += "  .reg " +
           (type == Type::pred  ? ".pred"
            : type == Type::f16 ? ".b16"
                                : plain_suffix(type)) +
           " " + register_name(type, 0).substr(0, register_name(type, 0).size() - 1) + "<" +
           std::to_string(n) + ">;\n";
  return s;
}

void PtxPrinter::print(Value v) {
  Op const op = what(v).op;
  if (is_pure(op)) {
    // Where it has a register of its own, all threads may compute it: the register then holds nothing before.
    std::string const guard = register_of(v) == v ? std::exchange(guard_, "") : guard_;
    print_pure(v);
    guard_ = guard;
    return;
  }
  switch (op) {
    case Op::load:
    case Op::store:
      return print_access(v);
    case Op::prefetch:
      return line("prefetch.global.L2 " + place(v));
    case Op::discard:
      return line("discard.global.L2 " + place(v) + ", 128");
    case Op::atomic_or:
      return line("atom.global.or.b32 " + name(v) + ", " + place(v) + operands(v, 1));
    case Op::atomic_and:
      return line("atom.global.and.b32 " + name(v) + ", " + place(v) + operands(v, 1));
    case Op::add_release:
      return line("red.release.gpu.global.add.u32 " + place(v) + ", 1");
    case Op::load_acquire:
      return line("ld.acquire.gpu.global.u32 " + name(v) + ", " + place(v));
    case Op::part:
    case Op::merge:
    case Op::carried:
      return;  // where their regions begin and end
    case Op::if_begin:
    case Op::if_end:
    case Op::loop_begin:
    case Op::loop_while:
    case Op::loop_end:
      return print_flow(v);
    default:
      return print_together(v);
  }
}

void PtxPrinter::print_pure(Value v) {
  Instruction const& i = what(v);
  Type const from = i.count > 0 ? what(operand(v, 0)).type : Type::none;
  auto const op = [&](std::string const& text) { line(text + " " + name(v) + operands(v)); };
  if (i.type == Type::i64 && divides_by_value(v)) return print_wide_division(v);
  for (Named const& n : named)
    if (n.op == i.op)
      return op(std::string(is_floating(i.type) ? n.of_floats : n.of_integers) + suffix(i.type, n.is_signed));
  switch (i.op) {
    case Op::constant:
      if (i.type == Type::pred)
        line(std::string(i.bits ? "setp.eq.s32 " : "setp.ne.s32 ") + name(v) + ", 0, 0");
      return;
    case Op::undefined:
      if (i.type == Type::pred) return line("setp.ne.s32 " + name(v) + ", 0, 0");
      return line("mov" + plain_suffix(i.type) + " " + name(v) + ", " + zero(i.type));
    case Op::parameter:
      return line("ld.param" + suffix(i.type, false) + " " + name(v) + ", [" +
                  kernel_.parameters[std::size_t(i.bits)].name + "]");
    case Op::thread:
      return line("mov.u32 " + name(v) + ", %tid.x");
    case Op::rank:
      return line("mov.u32 " + name(v) + ", %cluster_ctarank");
    case Op::block:
    case Op::blocks:
      return print_block(v);
    case Op::shared_base:
      return line("mov.u32 " + name(v) + ", shared_memory");
    case Op::remote_shared:
      return op("mapa.shared::cluster.u32");
    case Op::multiply_wide:
      return op("mul.wide.s32");
    case Op::multiply_add_wide:
      return op("mad.wide.s32");
    case Op::shift_left:
      return op("shl" + plain_suffix(i.type));
    case Op::bit_and:
      return op("and" + plain_suffix(i.type));
    case Op::bit_or:
      return op("or" + plain_suffix(i.type));
    case Op::reciprocal:
      return print_reciprocal(v);
    case Op::convert:
      return op(std::string("cvt") + (i.type == Type::f32 && from == Type::f64 ? ".rn" : "") +
                suffix(i.type) + suffix(from));
    case Op::select:
      return line("selp" + plain_suffix(i.type) + " " + name(v) + ", " + name(operand(v, 1)) + ", " +
                  name(operand(v, 2)) + ", " + name(operand(v, 0)));
    case Op::less:
      return op("setp.lt" + suffix(from));
    case Op::equal:
      return op("setp.eq" + suffix(from));
    case Op::both:
      return op("and.pred");
    case Op::either:
      return op("or.pred");
    case Op::invert:
      return op("not.pred");
    default:
      throw std::logic_error("ir: " + name_of(i.op) + " has no text in PTX");
  }
}

/// The number of the block in the grid, whose second dimension is for more than the first can count, or of its cluster; or how many
/// there are. Not by %clusterid, which ptxas makes of floats that count to 2^24.
void PtxPrinter::print_block(Value v) {
  bool const is_count = what(v).op == Op::blocks;
  std::string const ranks = std::to_string(kernel_.cluster_ranks);
  if (what(v).type == Type::i32) {
    line("mov.u32 " + name(v) + (is_count ? ", %nctaid.x" : ", %ctaid.x"));
    if (kernel_.cluster_ranks > 1) line("div.u32 " + name(v) + ", " + name(v) + ", " + ranks);
    return;
  }
  std::string const n = fresh(Type::i32), y = fresh(Type::i32);
  line("mov.u32 " + n + ", %nctaid.x");
  line("mov.u32 " + y + (is_count ? ", %nctaid.y" : ", %ctaid.y"));
  if (is_count) {
    line("mul.wide.u32 " + name(v) + ", " + n + ", " + y);
  } else {
    std::string const x = fresh(Type::i32), wide = fresh(Type::i64);
    line("mov.u32 " + x + ", %ctaid.x");
    line("cvt.u64.u32 " + wide + ", " + x);
    line("mad.wide.u32 " + name(v) + ", " + n + ", " + y + ", " + wide);
  }
  if (kernel_.cluster_ranks > 1) line("div.u64 " + name(v) + ", " + name(v) + ", " + ranks);
}

/// By 32 bits where both operands fit, which costs less.
void PtxPrinter::print_wide_division(Value v) {
  std::string const a = name(operand(v, 0)), b = name(operand(v, 1)), either = fresh(Type::i64),
                    fits = fresh(Type::pred), x = fresh(Type::i32), y = fresh(Type::i32);
  line("or.b64 " + either + ", " + a + ", " + b);
  line("setp.lt.u64 " + fits + ", " + either + ", 4294967296");
  line("@" + fits + " bra " + label(v, "narrow"));
  line("div.u64 " + name(v) + ", " + a + ", " + b);
  line("bra " + label(v, "divided"));
  text_ += label(v, "narrow") + ":\n";
  line("cvt.u32.u64 " + x + ", " + a);
  line("cvt.u32.u64 " + y + ", " + b);
  line("div.u32 " + x + ", " + x + ", " + y);
  line("cvt.u64.u32 " + name(v) + ", " + x);
  text_ += label(v, "divided") + ":\n";
}

/// Without the care for zeros, infinities and tiny numbers that a division takes. The double's begins with 20 bits, which two
/// rounds of Newton's method make all.
void PtxPrinter::print_reciprocal(Value v) {
  std::string const r = name(v), x = name(operand(v, 0));
  line("rcp.approx.ftz" + suffix(what(v).type) + " " + r + ", " + x);
  if (what(v).type != Type::f64) return;
  std::string const minus = fresh(Type::f64), rest = fresh(Type::f64);
  line("neg.f64 " + minus + ", " + x);
  for (int round = 0; round < 2; ++round) {
    line("fma.rn.f64 " + rest + ", " + minus + ", " + r + ", 0d3FF0000000000000");
    line("fma.rn.f64 " + r + ", " + r + ", " + rest + ", " + r);
  }
}

/// A merge has its register set before the branch, and again where the region ends.
void PtxPrinter::print_flow(Value v) {
  switch (what(v).op) {
    case Op::if_begin:
      for (Value m : merges(v)) move(name(m), operand(m, 1), what(m).type);
      if (is_short(v))
        guard_ = "@" + name(operand(v, 0)) + " ";
      else
        line("@!" + name(operand(v, 0)) + " bra " + label(v, "end"));
      return;
    case Op::if_end:
      for (Value m : merges(v)) move(name(m), operand(m, 0), what(m).type);
      if (guard_.empty()) text_ += label(begin_of(v), "end") + ":\n";
      guard_.clear();
      return;
    case Op::loop_begin:
      for (Value c : carried(v)) move(name(c), operand(c, 0), what(c).type);
      text_ += label(v, "loop") + ":\n";
      return;
    case Op::loop_while: {
      Value begin = v;
      for (int depth = 1; depth > 0;) {  // the loop that it is the exit of
        Op const op = what(--begin).op;
        depth += op == Op::if_end || op == Op::loop_end       ? 1
                 : op == Op::if_begin || op == Op::loop_begin ? -1
                                                              : 0;
      }
      return line("@!" + name(operand(v, 0)) + " bra " + label(begin, "end"));
    }
    default: {  // loop_end: all next values before any is carried, since one may come from another
      Value const begin = begin_of(v);
      std::vector<std::string> next;
      for (Value c : carried(begin)) {
        next.push_back(fresh(what(c).type));
        move(next.back(), operand(c, 1), what(c).type);
      }
      std::size_t k = 0;
      for (Value c : carried(begin))
        line("mov" + (what(c).type == Type::pred ? ".pred" : plain_suffix(what(c).type)) + " " + name(c) +
             ", " + next[k++]);
      line("bra " + label(begin, "loop"));
      text_ += label(begin, "end") + ":\n";
    }
  }
}

void PtxPrinter::print_access(Value v) {
  Access const access = what(v).access;
  bool const is_load = what(v).op == Op::load, is_narrow = bytes_of(access.type) == 2;
  static char const* const spaces[] = {"", ".global", ".global.nc", ".shared", ".shared::cluster"};
  std::string const op = std::string(is_load ? "ld" : "st") + spaces[std::size_t(access.space)] +
                         (access.streaming ? ".cs" : "") +
                         (access.count > 1 ? ".v" + std::to_string(access.count) : "") +
                         plain_suffix(access.type);
  std::vector<std::string> names;
  std::vector<Value> parts(access.count, no_value);
  for (Value p = v + 1; is_load && p < kernel_.size() && what(p).op == Op::part; ++p)
    if (is_used(p)) parts[std::size_t(what(p).bits)] = p;
  for (int k = 0; k < access.count; ++k) {
    Value const part = parts[std::size_t(k)];
    bool const has_register = !is_narrow && (!is_load || part >= 0);
    names.push_back(has_register ? name(is_load ? part : operand(v, k + 1))
                                 : fresh(is_narrow ? Type::f16 : access.type));
  }
  std::string const half = access.type == Type::f16 ? "cvt.rn.f16.f32 " : "cvt.rn.bf16.f32 ";
  if (!is_load) {
    for (int k = 0; k < access.count && is_narrow; ++k)
      line(half + names[std::size_t(k)] + ", " + name(operand(v, k + 1)));
    return line(op + " " + place(v) + ", " + braced(names));
  }
  line(op + " " + braced(names) + ", " + place(v));
  for (int k = 0; k < access.count && is_narrow; ++k) {
    if (parts[std::size_t(k)] < 0) continue;
    std::string const to = name(parts[std::size_t(k)]), from = names[std::size_t(k)];
    if (access.type == Type::f16) {
      line("cvt.f32.f16 " + to + ", " + from);
    } else {  // its upper half
      std::string const low = fresh(Type::f16);
      line("mov.b16 " + low + ", 0");
      line("mov.b32 " + to + ", {" + low + ", " + from + "}");
    }
  }
}

void PtxPrinter::print_together(Value v) {
  switch (what(v).op) {
    case Op::warp_barrier:
      return line("bar.warp.sync 0xffffffff");
    case Op::block_barrier:
      return line("bar.sync 0");
    case Op::cluster_barrier:
      line("barrier.cluster.arrive.release.aligned");
      return line("barrier.cluster.wait.acquire.aligned");
    case Op::all_of_block:
      return line("bar.red.and.pred " + name(v) + ", 0, " + name(operand(v, 0)));
    case Op::matrix_multiply:
      return print_matrix_multiply(v);
    case Op::user_load:
    case Op::user_store:
      throw std::invalid_argument(
          "the kernel calls a user's functions, which are CUDA C++ and not PTX; print it as CUDA C++");
    case Op::trigger_dependents:
      if (target_.architecture >= 90) line("griddepcontrol.launch_dependents");
      return;
    case Op::wait_for_previous:
      if (target_.architecture >= 90) line("griddepcontrol.wait");
      return;
    default:
      throw std::logic_error("ir: " + name_of(what(v).op) + " has no text in PTX");
  }
}

/// The tensor cores of sm_80 take eight rows at a time.
void PtxPrinter::print_matrix_multiply(Value v) {
  int const k = (what(v).count - 4) / 3;
  std::vector<std::string> sums, before, left, right;
  for (int s = 0; s < 4; ++s) sums.push_back(fresh(Type::f64)), before.push_back(name(operand(v, s)));
  for (int i = 0; i < 2 * k; ++i) left.push_back(name(operand(v, 4 + i)));
  for (int i = 0; i < k; ++i) right.push_back(name(operand(v, 4 + 2 * k + i)));
  if (target_.architecture >= 90) {
    line("mma.sync.aligned.m16n8k" + std::to_string(4 * k) + ".row.col.f64.f64.f64.f64 " + braced(sums) +
         ", " + braced(left) + ", {" +
         (k == 1 ? right[0] : braced(right).substr(1, braced(right).size() - 2)) + "}, " + braced(before));
  } else {
    for (int i = 0; i < k; ++i)
      for (std::size_t h = 0; h < 2; ++h) {
        auto const& from = i == 0 ? before : sums;
        line("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {" + sums[2 * h] + ", " + sums[2 * h + 1] +
             "}, {" + left[2 * std::size_t(i) + h] + "}, {" + right[std::size_t(i)] + "}, {" + from[2 * h] +
             ", " + from[2 * h + 1] + "}");
      }
  }
  for (Value p = v + 1; p < kernel_.size() && what(p).op == Op::part; ++p)
    if (is_used(p)) line("mov.f64 " + name(p) + ", " + sums[std::size_t(what(p).bits)]);
}

}  // namespace

PtxLevel ptx_level(PtxTarget target) {
  for (PtxLevel const known : {PtxLevel{120, 87}, PtxLevel{100, 86}, PtxLevel{90, 80}, PtxLevel{80, 80}})
    if (target.architecture >= known.architecture) return known;
  throw std::invalid_argument("PTX for sm_" + std::to_string(target.architecture) +
                              "; kernels need sm_80 or newer");
}

std::string ptx(Kernel const& kernel, PtxTarget target) { return PtxPrinter(kernel, target).run(); }

}  // namespace skipper::ir
