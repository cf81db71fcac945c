#pragma once
// What all printers share: which values are used, which merges may share the register of what they merge, the names of registers,
// and regions that are short enough for predicates in place of a branch.
#include "ir/kernel.h"

namespace skipper::ir {

class Printer {
 public:
  explicit Printer(Kernel const& kernel);

 protected:
  Instruction const& what(Value v) const { return kernel_[v]; }
  Value operand(Value v, int i) const { return kernel_.operands_of(v)[std::size_t(i)]; }
  bool is_used(Value v) const { return used_[std::size_t(v)]; }
  /// The value whose register this one has: of what a merge alone asks for, the merge.
  Value register_of(Value v) const;
  /// Its number among those of its type.
  int number_in_type(Value v);
  int registers(Type type) const { return registers_[std::size_t(type)]; }
  int new_register(Type type) { return registers_[std::size_t(type)]++; }
  /// The merges behind the region that begins, or ends, there.
  std::vector<Value> merges(Value begin_or_end) const;
  std::vector<Value> carried(Value loop_begin) const;
  Value end_of(Value begin) const { return partner_[std::size_t(begin)]; }
  Value begin_of(Value end) const { return partner_[std::size_t(end)]; }
  /// A division by what is not known: a piece of code.
  bool divides_by_value(Value v) const;
  /// A few instructions without flow of their own, each of which can be predicated.
  bool is_short(Value if_begin) const;

  Kernel const& kernel_;

 private:
  void find_used();

  static constexpr int max_predicated = 4;  // instructions; a choice, not measured
  std::vector<bool> used_;
  std::vector<Value> shares_;  // -1: a register of its own
  std::vector<Value> partner_;
  std::vector<int> number_;
  int registers_[8] = {};
};

}  // namespace skipper::ir
