// How a single axis can be split over sweeps: whole in one, cut into radices, or convolved over several.
#pragma once

#include <vector>

#include "plan/factorisations.h"

namespace skipper {

struct AxisSplit {
  AxisRadices radices;
  int cuts = 0;
  double bits = 0;  // log2 of the product of its radices
};

/// No more splits of an axis are kept than this. Where there are more, those whose radices are the most alike.
inline constexpr std::size_t max_axis_splits = std::size_t(1) << 17;

/// The splits of one axis of the space, cut at most as often as the space says, fewest cuts first.
std::vector<AxisSplit> axis_splits(FactorisationSpace const& space, std::size_t axis);

}  // namespace skipper
