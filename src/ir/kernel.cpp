#include "ir/kernel.h"

#include <array>
#include <bit>
#include <cstdio>

namespace skipper::ir {
namespace {

constexpr std::array<char const*, std::size_t(Op::last) + 1> op_names = {"constant",
                                                                         "undefined",
                                                                         "parameter",
                                                                         "thread",
                                                                         "rank",
                                                                         "block",
                                                                         "blocks",
                                                                         "shared_base",
                                                                         "remote_shared",
                                                                         "negate",
                                                                         "add",
                                                                         "subtract",
                                                                         "multiply",
                                                                         "multiply_add",
                                                                         "multiply_high",
                                                                         "multiply_wide",
                                                                         "multiply_add_wide",
                                                                         "divide",
                                                                         "remainder",
                                                                         "shift_left",
                                                                         "shift_right",
                                                                         "bit_and",
                                                                         "bit_or",
                                                                         "reciprocal",
                                                                         "convert",
                                                                         "select",
                                                                         "less",
                                                                         "equal",
                                                                         "both",
                                                                         "either",
                                                                         "invert",
                                                                         "load",
                                                                         "part",
                                                                         "store",
                                                                         "prefetch",
                                                                         "discard",
                                                                         "atomic_or",
                                                                         "atomic_and",
                                                                         "add_release",
                                                                         "load_acquire",
                                                                         "warp_barrier",
                                                                         "block_barrier",
                                                                         "cluster_barrier",
                                                                         "all_of_block",
                                                                         "user_load",
                                                                         "user_store",
                                                                         "matrix_multiply",
                                                                         "trigger_dependents",
                                                                         "wait_for_previous",
                                                                         "if",
                                                                         "end_if",
                                                                         "merge",
                                                                         "loop",
                                                                         "carried",
                                                                         "while",
                                                                         "end_loop"};

std::string name_of(Access const& access) {
  static char const* const spaces[] = {"", "global", "table", "shared", "remote"};
  return std::string(spaces[std::size_t(access.space)]) + (access.streaming ? ".streaming." : ".") +
         name_of(access.type) + (access.count > 1 ? "x" + std::to_string(access.count) : "");
}

std::string constant_text(Instruction const& i) {
  if (!is_floating(i.type)) return std::to_string(i.bits);
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%a", number_of(i));
  return buffer;
}

std::string operand_text(Kernel const& kernel, Value v) {
  if (v < 0) return "none";
  return kernel[v].op == Op::constant ? constant_text(kernel[v]) : "%" + std::to_string(v);
}

}  // namespace

int bytes_of(Type type) {
  switch (type) {
    case Type::none:
      return 0;
    case Type::pred:
      return 1;
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::i32:
    case Type::f32:
      return 4;
    case Type::i64:
    case Type::f64:
      return 8;
  }
  return 0;
}
bool is_floating(Type type) { return type == Type::f32 || type == Type::f64; }
bool is_integer(Type type) { return type == Type::i32 || type == Type::i64; }

std::string name_of(Type type) {
  static char const* const names[] = {"none", "pred", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[std::size_t(type)];
}
std::string name_of(Op op) { return op_names[std::size_t(op)]; }

bool is_pure(Op op) { return op <= Op::invert; }

bool has_effect(Op op) {
  switch (op) {
    case Op::load:
    case Op::part:
    case Op::merge:
    case Op::carried:
    case Op::matrix_multiply:
      return false;
    default:
      return !is_pure(op);
  }
}

double number_of(Instruction const& constant) {
  return constant.type == Type::f32 ? double(std::bit_cast<float>(std::uint32_t(constant.bits)))
                                    : std::bit_cast<double>(constant.bits);
}
std::int64_t bits_of(double x, Type type) {
  return type == Type::f32 ? std::int64_t(std::bit_cast<std::uint32_t>(float(x)))
                           : std::bit_cast<std::int64_t>(x);
}

std::string text(Kernel const& kernel) {
  std::string out = "kernel " + kernel.name + " threads " + std::to_string(kernel.threads);
  if (kernel.cluster_ranks > 1) out += " cluster " + std::to_string(kernel.cluster_ranks);
  if (kernel.resident > 0) out += " resident " + std::to_string(kernel.resident);
  if (kernel.shared_bytes > 0) out += " shared " + std::to_string(kernel.shared_bytes);
  out += "\n";
  for (auto const& p : kernel.parameters)
    out += "parameter " + p.name + " " + name_of(p.type) + (p.is_size ? " size\n" : "\n");
  std::string indent;
  for (Value v = 0; v < kernel.size(); ++v) {
    auto const& i = kernel[v];
    if (i.op == Op::constant) continue;  // stands where it is used
    if (i.op == Op::if_end || i.op == Op::loop_end) indent.resize(indent.size() - 2);
    out += indent;
    if (i.type != Type::none) out += "%" + std::to_string(v) + " " + name_of(i.type) + " = ";
    out += name_of(i.op);
    if (i.access.space != Space::none) out += " " + name_of(i.access);
    for (Value x : kernel.operands_of(v)) out += " " + operand_text(kernel, x);
    if (i.op == Op::parameter)
      out += " " + kernel.parameters[std::size_t(i.bits)].name;
    else if (i.op == Op::part)
      out += " " + std::to_string(i.bits);
    else if (i.bits != 0)
      out += " at " + std::to_string(i.bits);
    out += "\n";
    if (i.op == Op::if_begin || i.op == Op::loop_begin) indent += "  ";
  }
  return out;
}

}  // namespace skipper::ir
