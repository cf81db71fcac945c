// Chooses the radices of a line of n points, and their order: the cheapest product by a table of fitted costs.
#pragma once

#include <vector>

#include "base/index.h"

namespace skipper::cpu {

/// Whether passes can transform n: no prime factor is above max_symmetric_prime.
bool has_passes(Index n);

/// The radix for decimation in time: the largest divisor of n up to max_radix with no prime above max_radix_prime; 1 where there is
/// none.
Index dit_radix(Index n);

/// Radices in the order of the passes; their product is n, which has_passes(). Where one line
/// fills the lanes, the first radix r and n / r must be at least `lanes`; the result is empty where that cannot be. lanes = 1
/// sets no such condition.
std::vector<int> line_radices(Index n, Index lanes, int scalar_bytes);

/// Picoseconds a point of one pass, by its place: the first pass of one line; an inner pass, or the first of columns; the last.
struct PassCost {
  double first_line = 0, inner = 0, last = 0;
};
PassCost pass_cost(int radix, int scalar_bytes);

/// The estimated nanoseconds of a line, for choosing among lengths.
double line_cost(std::vector<int> const& radices, int scalar_bytes);

/// The cheapest length of at least `least`, and not above the next power of two.
Index convolution_length(Index least, Index lanes, int scalar_bytes);

}  // namespace skipper::cpu
