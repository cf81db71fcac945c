// The lengths of the convolutions of Bluestein's (1970) and Rader's (1968) algorithms (base/convolution_tables.h). Bluestein:
// at least 2n - 1 for n points, short, and a product of few radices that suit the threads of a block.
#pragma once

#include <vector>

#include "base/index.h"
#include "plan/program.h"

namespace skipper {

/// Whether n is non-smooth: it has a prime factor above largest_radix_prime().
bool is_non_smooth(Index n, Index element_bytes);

/// The largest prime factor of n - 1, in points, with which Rader's algorithm is used (docs/decisions/0015); with larger ones
/// Bluestein is faster. Fitted: bench/results/h200-choices.md.
inline constexpr Index max_rader_radix = 45;
/// Whether Rader's algorithm transforms n points (base/convolution_tables.h): n is a prime, and n - 1 has no larger prime factor.
bool has_rader(Index n);

/// The cofactor m of n = m p where Rader's algorithm transforms the prime p and one butterfly of radix m the rest; 1
/// where n is that prime, 0 where there is no such p.
inline constexpr Index max_rader_cofactor = 16;
Index rader_cofactor(Index n);

/// The least length of a Bluestein convolution for n points of a dimension. r2c needs only n/2+1 correct outputs, so it
/// may be shorter there: the wrapped-around values fall on the other outputs.
Index least_convolution(Problem const& problem, Dimension const& dim, Index n);

/// The same for a convolution within one sweep, where the shorter length of r2c does not pay in double precision.
/// Fitted: bench/results/h200-choices.md.
Index least_on_chip(Problem const& problem, Dimension const& dim, Index n);

/// The length to take for a convolution within one sweep that needs at least `least` points.
Index convolution_length(Index least, Index element_bytes);

/// The lengths worth weighing for it, convolution_length() first. The others are each a short odd factor times the next
/// power of two, since the cost of a length depends on how its radices divide the threads of a block.
std::vector<Index> convolution_lengths(Index least, Index element_bytes);

/// The lengths worth trying for a convolution over several sweeps, shortest first, since every sweep moves all points.
std::vector<Index> spread_lengths(Index least);

}  // namespace skipper
