#pragma once
// Explicit fused multiply-add: sums of products are rounded once, as a GPU does at no cost. It is a pass by itself, so that what was
// recorded can be compared to the last bit with what a host computes.
#include "ir/kernel.h"

namespace skipper::ir {

Kernel contracted(Kernel const& kernel);

}  // namespace skipper::ir
