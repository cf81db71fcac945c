#include "ir/c_printer.h"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace skipper::ir {
namespace {

constexpr char letters[] = "xyzw";

/// With enough digits to be read back as the same number.
std::string c_number(Instruction const& constant) {
  char digits[40];
  double const x = number_of(constant);
  if (!std::isfinite(x)) throw std::invalid_argument("ir: a constant is not finite, and has no text in C");
  std::snprintf(digits, sizeof digits, constant.type == Type::f32 ? "%.9g" : "%.17g", x);
  std::string text = digits;
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (constant.type == Type::f32) text += "f";
  return x < 0 ? "(" + text + ")" : text;
}

std::string c_constant(Instruction const& i) {
  if (i.type == Type::pred) return i.bits ? "true" : "false";
  if (is_floating(i.type)) return c_number(i);
  std::string const text = std::to_string(i.bits) + (i.type == Type::i64 ? "L" : "");
  return i.bits < 0 ? "(" + text + ")" : text;
}

/// The sign between two operands; nothing of operations that are written otherwise.
char const* infix(Op op) {
  switch (op) {
    case Op::add:
    case Op::multiply_add_wide:
      return " + ";
    case Op::subtract:
      return " - ";
    case Op::multiply:
      return " * ";
    case Op::divide:
      return " / ";
    case Op::remainder:
      return " % ";
    case Op::bit_and:
      return " & ";
    case Op::bit_or:
      return " | ";
    case Op::less:
      return " < ";
    case Op::equal:
      return " == ";
    case Op::both:
      return " && ";
    case Op::either:
      return " || ";
    default:
      return nullptr;
  }
}

/// Whether the text stands for itself next to any operator: a name, a call, one pair of brackets, or a name that is cast.
bool needs_no_brackets(std::string const& x) {
  if (x.front() == '-') return false;
  std::size_t const cast = x.front() == '(' ? x.find(')') : std::string::npos;
  if (cast == std::string::npos || cast == x.size() - 1)
    return x.find_first_of(" ?") == std::string::npos || cast != std::string::npos;
  return x.find_first_of(" ?()", cast + 1) == std::string::npos;
}
std::string bracketed(std::string const& x) { return needs_no_brackets(x) ? x : "(" + x + ")"; }

constexpr std::size_t long_text = 90;  // characters of an expression, after which it gets a line of its own

}  // namespace

CPrinter::CPrinter(Kernel const& kernel)
    : Printer(kernel),
      region_(kernel.code.size(), no_value),
      user_(kernel.code.size(), no_value),
      part_of_(kernel.code.size(), no_value) {
  std::vector<Value> open{no_value};
  std::vector<int> uses(kernel.code.size());
  for (Value v = 0; v < kernel.size(); ++v) {
    Op const op = what(v).op;
    if (op == Op::if_end || op == Op::loop_end) open.pop_back();
    region_[std::size_t(v)] = open.back();
    if (op == Op::if_begin || op == Op::loop_begin) open.push_back(v);
    if (op == Op::part) {
      Value from = v;
      while (what(from).op == Op::part) --from;
      part_of_[std::size_t(v)] = from;
    }
    if (!is_used(v)) continue;
    for (Value x : kernel.operands_of(v)) ++uses[std::size_t(x)], user_[std::size_t(x)] = v;
  }
  for (std::size_t v = 0; v < uses.size(); ++v)
    if (uses[v] != 1) user_[v] = no_value;
}

std::string CPrinter::run() {
  for (Value v = 0; v < kernel_.size(); ++v)
    if (is_used(v)) print(v);
  return head() + text_ + "}\n";
}

void CPrinter::line(std::string const& text) {
  if (!text.empty()) text_ += std::string(std::size_t(2 * depth_), ' ') + text + "\n";
}

std::string CPrinter::name(Value v) {
  if (what(v).op == Op::part) {
    Value const from = part_of_[std::size_t(v)];
    if (what(from).op == Op::matrix_multiply) return name(from) + "_" + std::to_string(what(v).bits);
    std::string const all = "v" + std::to_string(from);
    if (calls_user(what(from).op))
      return what(from).count == 3 ? all : all + (what(v).bits == 0 ? ".re" : ".im");
    return what(from).access.count == 1 ? all : all + "." + letters[what(v).bits];
  }
  static char const* const prefix[] = {"v", "p", "i", "n", "h", "h", "f", "d"};
  Value const owner = register_of(v);
  return prefix[std::size_t(what(owner).type)] + std::to_string(owner);
}

/// Whether it has no statement: the place that uses it has its text.
bool CPrinter::is_inlined(Value v) const {
  Op const op = what(v).op;
  if (op == Op::constant || op == Op::parameter || op == Op::thread || op == Op::rank ||
      op == Op::shared_base)
    return register_of(v) == v;
  Value const user = user_[std::size_t(v)];
  if (!is_pure(op) || op == Op::undefined || op == Op::merge || op == Op::carried || op == Op::part)
    return false;
  if (user < 0 || register_of(v) != v || region_[std::size_t(user)] != region_[std::size_t(v)]) return false;
  Op const there = what(user).op;
  return there != Op::merge && there != Op::carried;
}

std::string CPrinter::expression(Value v) { return is_inlined(v) ? pure(v) : name(v); }

std::string CPrinter::address(Value v) {
  std::string const at = operand_text(v, 0);
  std::int64_t const behind = what(v).bits;
  if (behind == 0) return at;
  return behind > 0 ? at + " + " + std::to_string(behind) : at + " - " + std::to_string(-behind);
}

bool CPrinter::is_zero(Value v) const {
  Op const op = what(v).op;
  return op == Op::shared_base || (op == Op::constant && is_integer(what(v).type) && what(v).bits == 0);
}

std::string CPrinter::pure(Value v) {
  Instruction const& i = what(v);
  auto const of = [&](int k) { return bracketed(operand_text(v, k)); };
  std::string const type = type_name(i.type);
  if (char const* const sign = infix(i.op)) {
    if (i.op == Op::multiply_add_wide) return "(" + type + ")" + of(0) + " * " + of(1) + sign + of(2);
    if (i.op == Op::add && is_zero(operand(v, 0))) return operand_text(v, 1);
    if (i.op == Op::add && is_zero(operand(v, 1))) return operand_text(v, 0);
    return of(0) + sign + of(1);
  }
  switch (i.op) {
    case Op::constant:
      return c_constant(i);
    case Op::parameter: {
      Parameter const& own = kernel_.parameters[std::size_t(i.bits)];
      return is_array(own) ? "(" + type + ")" + own.name : own.name;
    }
    case Op::thread:
    case Op::rank:
    case Op::block:
    case Op::blocks:
      return place_in_launch(v);
    case Op::shared_base:
      return "0";  // addresses in shared memory count from its beginning
    case Op::remote_shared:
      return remote(operand_text(v, 0), operand_text(v, 1));
    case Op::negate:
      return "-" + of(0);
    case Op::invert:
      return "!" + of(0);
    case Op::multiply_add:
      if (!is_floating(i.type)) return of(0) + " * " + of(1) + " + " + of(2);
      return fused(i.type, operand_text(v, 0) + ", " + operand_text(v, 1) + ", " + operand_text(v, 2));
    case Op::multiply_high:
      return multiplied_high(of(0), of(1));
    case Op::multiply_wide:
      return "(" + type + ")" + of(0) + " * " + of(1);
    case Op::shift_left:
    case Op::shift_right: {
      Instruction const& by = what(operand(v, 1));
      if (by.op == Op::constant && i.op == Op::shift_right) return of(0) + " >> " + of(1);
      if (by.op == Op::constant) return of(0) + " * " + std::to_string(std::int64_t(1) << by.bits);
      return "(" + type + ")((unsigned " + type + ")" + of(0) + (i.op == Op::shift_left ? " << " : " >> ") +
             of(1) + ")";
    }
    case Op::reciprocal:
      return reciprocal(i.type, operand_text(v, 0));
    case Op::convert:
      return "(" + type + ")" + of(0);
    case Op::select:
      return of(0) + " ? " + of(1) + " : " + of(2);
    default:
      throw std::logic_error("ir: " + name_of(i.op) + " has no text in C");
  }
}

/// A variable of its own, or where it shares that of a merge, the merge's.
void CPrinter::give(Value v, std::string const& x) {
  bool const is_new = register_of(v) == v;
  line((is_new ? type_name(what(v).type) + " const " : "") + name(v) + " = " + x + ";");
}

std::string CPrinter::initial(Value v, Type type) {
  if (what(v).op != Op::undefined) return expression(v);
  return type == Type::pred ? "false" : "0";
}

void CPrinter::print(Value v) {
  Op const op = what(v).op;
  switch (op) {
    case Op::part:
    case Op::merge:
    case Op::carried:
      return;  // where their regions begin and end, and where what they are parts of is
    case Op::undefined:
      return give(v, "0");
    case Op::load:
      return print_load(v);
    case Op::store:
      return print_store(v);
    case Op::if_begin:
    case Op::if_end:
    case Op::loop_begin:
    case Op::loop_while:
    case Op::loop_end:
      return print_flow(v);
    default:
      break;
  }
  if (!is_pure(op)) return line(effect(v, what(v).type == Type::none ? "" : name(v)));
  if (is_inlined(v)) {
    if (pure(v).size() <= long_text) return;
    user_[std::size_t(v)] = no_value;
    if (is_inlined(v)) return;  // a constant
  }
  give(v, pure(v));
}

std::string CPrinter::wide_type(Access access) const {
  std::string const type = type_name(computed(access.type));
  return access.count == 1 ? type : type + std::to_string(access.count);
}

void CPrinter::print_load(Value v) {
  line(wide_type(what(v).access) + " const v" + std::to_string(v) + " = " +
       loaded(what(v).access, address(v)) + ";");
}

void CPrinter::print_store(Value v) {
  Access const access = what(v).access;
  std::vector<std::string> numbers;
  for (int k = 0; k < access.count; ++k) numbers.push_back(operand_text(v, k + 1));
  line(stored(access, address(v), joined(access, numbers)));
}

/// What leaves a region is a variable that is declared before it.
void CPrinter::print_flow(Value v) {
  switch (what(v).op) {
    case Op::if_begin:
      for (Value m : merges(v))
        line((register_of(m) == m ? type_name(what(m).type) + " " : "") + name(m) + " = " +
             initial(operand(m, 1), what(m).type) + ";");
      line("if (" + operand_text(v, 0) + ") {");
      ++depth_;
      return;
    case Op::if_end:
      for (Value m : merges(v))
        if (std::string const x = initial(operand(m, 0), what(m).type); x != name(m))
          line(name(m) + " = " + x + ";");
      --depth_;
      return line("}");
    case Op::loop_begin:
      for (Value c : carried(v))
        line(type_name(what(c).type) + " " + name(c) + " = " + initial(operand(c, 0), what(c).type) + ";");
      line("for (;;) {");
      ++depth_;
      return;
    case Op::loop_while:
      return line("if (!" + bracketed(operand_text(v, 0)) + ") break;");
    default: {  // loop_end: all next values before any is carried, since one may come from another
      auto const all = carried(begin_of(v));
      for (Value c : all)
        line(type_name(what(c).type) + " const next_" + name(c) + " = " +
             initial(operand(c, 1), what(c).type) + ";");
      for (Value c : all) line(name(c) + " = next_" + name(c) + ";");
      --depth_;
      line("}");
    }
  }
}

}  // namespace skipper::ir
