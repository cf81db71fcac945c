#pragma once
// Where the interpreter keeps the values of a kernel: two that are never needed at once may share a slot, so that what runs stays in
// cache. What needs no instruction of a block to be known (constants, parameters, indices) has a slot of its own for good.
#include "ir/kernel.h"

namespace skipper::interpreter {

struct Slots {
  std::vector<int> of;  // of each value; -1: it gives none
  int count = 0;
};
Slots slots(ir::Kernel const& kernel);

/// Whether the value is the same in all that a block does.
bool is_fixed(ir::Op op);

/// Of each if_begin and loop_begin its end, and the other way round; -1 for other instructions.
std::vector<ir::Value> partners(ir::Kernel const& kernel);

}  // namespace skipper::interpreter
