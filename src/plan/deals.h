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

/// The same where an axis may also be convolved over the sweeps, in one of the lengths given for it: its share then
/// reads the same from both ends, r1, r2, .. rm, .. r2, r1, of which the first m multiply to the length.
std::vector<Deal> deals(std::vector<Index> const& axes, std::vector<std::vector<Index>> const& lengths,
                        int sweeps, int cuts, Index capacity);

/// The radices of a share in order and how many of them lead to the middle: all, unless the axis is convolved.
struct Parts {
  std::vector<int> sweeps;  // that have something to do, in order
  std::size_t there = 0;
};
Parts parts_of(Share const& share, Index size);

}  // namespace skipper
