// Problems drawn at random: every kind, precision, rank and layout, at the sizes where the mechanisms of plans occur. A pure function:
// the same numbers give the same problem on every machine.
#pragma once

#include <skipper/problem.h>

#include <cstdint>

#include "base/index.h"
#include "base/machine.h"

namespace skipper::coverage {

/// Bytes of the data that are drawn. What fits on chip occurs at `small`; L2 blocks and fused passes, or on a CPU lines beyond the
/// cache, at `large`; clusters where one transform takes about `chip`.
struct Sizes {
  Index small = 0, chip = 0, large_least = 0, large_most = 0;
  Index most = 0;  // of an array, but for gaps between its rows
};
/// Those of a machine, and none of more than `most` bytes.
Sizes sizes_for(Machine const& machine, Index most);

/// The problem of this number. It passes check().
Problem drawn(std::uint64_t seed, std::uint64_t number, Sizes const& sizes);

}  // namespace skipper::coverage
