#include "ir/printer.h"

namespace skipper::ir {

Printer::Printer(Kernel const& kernel)
    : kernel_(kernel),
      used_(kernel.code.size()),
      shares_(kernel.code.size(), no_value),
      partner_(kernel.code.size(), no_value),
      number_(kernel.code.size(), -1) {
  std::vector<Value> open;
  std::vector<int> region(kernel.code.size(), -1);
  for (Value v = 0; v < kernel.size(); ++v) {
    Op const op = what(v).op;
    region[std::size_t(v)] = open.empty() ? -1 : open.back();
    if (op == Op::if_begin || op == Op::loop_begin) open.push_back(v);
    if (op != Op::if_end && op != Op::loop_end) continue;
    partner_[std::size_t(v)] = open.back();
    partner_[std::size_t(open.back())] = v;
    open.pop_back();
  }
  find_used();
  std::vector<int> merged(kernel.code.size());
  for (Value v = 0; v < kernel.size(); ++v)
    if (what(v).op == Op::merge && is_used(v)) ++merged[std::size_t(operand(v, 0))];
  for (Value v = 0; v < kernel.size(); ++v) {
    if (what(v).op != Op::merge || !is_used(v)) continue;
    Value end = v;
    while (what(end).op == Op::merge) --end;
    Value const inside = operand(v, 0);
    bool const is_own = region[std::size_t(inside)] == begin_of(end) && what(inside).op != Op::carried &&
                        what(inside).op != Op::merge;
    if (is_own && merged[std::size_t(inside)] == 1) shares_[std::size_t(inside)] = v;
  }
}

/// From the end back, again while loops carry values that come later.
void Printer::find_used() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Value v = kernel_.size(); v-- > 0;) {
      Op const op = what(v).op;
      if (!is_used(v) && !has_effect(op) && op != Op::matrix_multiply) continue;
      used_[std::size_t(v)] = true;
      for (Value x : kernel_.operands_of(v))
        if (!is_used(x)) {
          used_[std::size_t(x)] = true;
          changed = changed || x > v;
        }
    }
  }
}

Value Printer::register_of(Value v) const {
  while (shares_[std::size_t(v)] >= 0) v = shares_[std::size_t(v)];
  return v;
}

int Printer::number_in_type(Value v) {
  Value const owner = register_of(v);
  int& number = number_[std::size_t(owner)];
  if (number < 0) number = new_register(what(owner).type);
  return number;
}

std::vector<Value> Printer::merges(Value begin_or_end) const {
  Value const end = what(begin_or_end).op == Op::if_begin ? end_of(begin_or_end) : begin_or_end;
  std::vector<Value> all;
  for (Value v = end + 1; v < kernel_.size() && what(v).op == Op::merge; ++v)
    if (is_used(v)) all.push_back(v);
  return all;
}

std::vector<Value> Printer::carried(Value loop_begin) const {
  std::vector<Value> all;
  for (Value v = loop_begin + 1; what(v).op == Op::carried; ++v)
    if (is_used(v)) all.push_back(v);
  return all;
}

bool Printer::divides_by_value(Value v) const {
  return what(v).op == Op::divide && what(operand(v, 1)).op != Op::constant;
}

bool Printer::is_short(Value if_begin) const {
  int count = 0;
  for (Value v = if_begin + 1; v < end_of(if_begin); ++v) {
    Op const op = what(v).op;
    if (op == Op::part || op == Op::constant || !is_used(v)) continue;
    if (!is_pure(op) && op != Op::load && op != Op::store && op != Op::prefetch && op != Op::discard)
      return false;
    if (op == Op::reciprocal || divides_by_value(v) || ++count > max_predicated) return false;
  }
  return true;
}

}  // namespace skipper::ir
