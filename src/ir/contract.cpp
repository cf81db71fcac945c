#include "ir/contract.h"

namespace skipper::ir {
namespace {

/// Copies a kernel instruction by instruction, and puts others in their place.
class Contraction {
 public:
  explicit Contraction(Kernel const& from) : from_(from), renamed_(from.code.size(), no_value), to_(from) {
    to_.code.clear();
    to_.operands.clear();
  }

  Kernel run() {
    std::vector<Value> carried;
    for (Value v = 0; v < from_.size(); ++v) {
      auto const& i = from_[v];
      bool const sums = (i.op == Op::add || i.op == Op::subtract) && is_floating(i.type);
      renamed_[std::size_t(v)] = sums ? sum(v) : append(i, renamed(v));
      if (i.op == Op::carried) carried.push_back(v);
    }
    for (Value v : carried)  // whose next value comes later
      to_.operands[std::size_t(to_[renamed_[std::size_t(v)]].first + 1)] =
          renamed_[std::size_t(from_.operands_of(v)[1])];
    return std::move(to_);
  }

 private:
  std::vector<Value> renamed(Value v) const {
    std::vector<Value> all;
    for (Value x : from_.operands_of(v)) all.push_back(renamed_[std::size_t(x)]);
    return all;
  }
  Value append(Instruction i, std::vector<Value> const& operands) {
    i.first = int(to_.operands.size());
    i.count = int(operands.size());
    to_.operands.insert(to_.operands.end(), operands.begin(), operands.end());
    to_.code.push_back(i);
    return to_.size() - 1;
  }
  Value negated(Value x) {
    Instruction const i = to_[x];
    if (i.op == Op::negate) return to_.operands_of(x)[0];
    if (i.op == Op::constant)
      return append({.op = Op::constant, .type = i.type, .bits = bits_of(-number_of(i), i.type)}, {});
    return append({.op = Op::negate, .type = i.type}, {x});
  }

  /// a + b, or a - b, with the first of them that is a product as part of it.
  Value sum(Value v) {
    Instruction const& i = from_[v];
    auto const operands = from_.operands_of(v);
    bool const minus = i.op == Op::subtract;
    for (int k : {0, 1}) {
      if (from_[operands[std::size_t(k)]].op != Op::multiply) continue;
      auto const factors = renamed(operands[std::size_t(k)]);
      Value const other = renamed_[std::size_t(operands[std::size_t(1 - k)])];
      Value const left = minus && k == 1 ? negated(factors[0]) : factors[0];
      Value const rest = minus && k == 0 ? negated(other) : other;
      return append({.op = Op::multiply_add, .type = i.type}, {left, factors[1], rest});
    }
    return append(i, renamed(v));
  }

  Kernel const& from_;
  std::vector<Value> renamed_;
  Kernel to_;
};

}  // namespace

Kernel contracted(Kernel const& kernel) { return Contraction(kernel).run(); }

}  // namespace skipper::ir
