// Deals: ways to hand the radices of each axis to sweeps. One axis may be whole in a sweep or cut over several; the
// sub-transforms of different axes mix freely. This is the planner's whole search space besides the layouts.
#pragma once

#include <vector>

#include "base/index.h"

namespace skipper {

/// What one axis gives to each sweep: a radix, or 1 for nothing.
using Share = std::vector<Index>;
/// One share an axis.
using Deal = std::vector<Share>;

/// All deals of axes of the given sizes to `sweeps` sweeps in which every sweep has something to do, no sweep holds
/// more than `capacity` points of transforms, and the axes are cut `cuts` times in all.
std::vector<Deal> deals(std::vector<Index> const& axes, int sweeps, int cuts, Index capacity);

}  // namespace skipper
