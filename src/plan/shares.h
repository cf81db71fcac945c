// Shares: what a single axis can give to each sweep, whole, cut, or convolved over several.
#pragma once

#include <vector>

#include "plan/factorisations.h"

namespace skipper {

struct CutShare {
  Share share;
  int cuts = 0;
  double bits = 0;  // log2 of the product of its radices
};

/// No more shares of an axis are kept than this. Where there are more, those whose radices are the most alike.
inline constexpr std::size_t max_shares = std::size_t(1) << 17;

/// The shares of one axis of the space, cut at most as often as the space says, fewest cuts first.
std::vector<CutShare> shares_of(FactorisationSpace const& space, std::size_t axis);

}  // namespace skipper
