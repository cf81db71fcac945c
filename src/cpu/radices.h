// Which radices, in which order, for a line of n points: the cheapest product by a table of measured costs.
#pragma once

#include <vector>

#include "base/index.h"

namespace skipper::cpu {

inline constexpr Index largest_radix_prime = 13;

/// Radices in the order of the passes; their product is n, whose primes are at most 13. For a single line the first
/// radix is at least `lanes` and so is what it leaves; the result is empty where that cannot be. lanes = 1: no such
/// condition.
std::vector<int> line_radices(Index n, Index lanes, int scalar_bytes);

/// Estimated nanoseconds of a line, for choosing among lengths.
double line_cost(std::vector<int> const& radices, int scalar_bytes);

}  // namespace skipper::cpu
