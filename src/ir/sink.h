#pragma once
// Puts integers and predicates where they are used: what only one region needs is worked out in that region, right before its first
// use there. The builder works them out in the outermost region that knows their operands, so that all share them; of two
// sweeps in one kernel the indices of both would otherwise wait in registers through either. Nothing moves into a loop.
#include "ir/kernel.h"

namespace skipper::ir {

Kernel sunk(Kernel const& kernel);

}  // namespace skipper::ir
