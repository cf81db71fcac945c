// Which radices, in which order, for a line of n points: the cheapest product by a table of measured costs.
#pragma once

#include <vector>

#include "base/index.h"

namespace skipper::cpu {

/// Whether passes can do n: no prime in it is above max_symmetric_prime.
bool has_passes(Index n);

/// The radix by which a line with a harder part is joined: the largest up to max_radix that divides n and has no prime
/// above max_radix_prime; 1 where there is none.
Index dit_radix(Index n);

/// Radices in the order of the passes; their product is n, which has_passes(). For a single line the first
/// radix is at least `lanes` and so is what it leaves; the result is empty where that cannot be. lanes = 1: no such
/// condition.
std::vector<int> line_radices(Index n, Index lanes, int scalar_bytes);

/// Picoseconds a point of one pass, by its place: the first of a single line, the first of columns or one between, the last.
struct PassCost {
  double first_line = 0, inner = 0, last = 0;
};
PassCost pass_cost(int radix, int scalar_bytes);

/// Estimated nanoseconds of a line, for choosing among lengths.
double line_cost(std::vector<int> const& radices, int scalar_bytes);

/// The cheapest length of at least `least`, and not above the next power of two.
Index convolution_length(Index least, Index lanes, int scalar_bytes);

}  // namespace skipper::cpu
