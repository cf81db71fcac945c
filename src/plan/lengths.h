// Which lengths a convolution takes: short, made of few and comfortable radices, at least 2n - 1 for n points (base/chirps.h).
#pragma once

#include <vector>

#include "base/index.h"
#include "plan/program.h"

namespace skipper {

/// Whether no radices multiply to n: it has a prime factor without a codelet in this precision.
bool is_rough(Index n, Index element_bytes);

/// Whether n points can be transformed in the order of powers (base/chirps.h): a prime whose n - 1 has radices. Longer ones than
/// 45 lose where lines stay in their places (1129 as 24 x 47 2.36 x copy, with chirps 2.25; f32, H200, 2026-11-16).
inline constexpr Index largest_power_radix = 45;
bool has_power_order(Index n);

/// What is beside the prime where n points can be transformed with one of their factors in the order of powers: 1 where n is
/// that prime, else the radix of one butterfly; 0 where they cannot.
inline constexpr Index most_beside_powers = 16;
Index beside_powers(Index n);

/// The least length of a convolution of n points of a dimension: of all of r2c only n/2+1 outputs are wanted, so that others
/// may be wrong.
Index least_convolution(Problem const& problem, Dimension const& dim, Index n);

/// The same of one on chip that is worth it: r2c of 2039 points in double precision took 4.74 x copy by 3072, 4.40 by 4096
/// (H200, 2026-11-16).
Index least_on_chip(Problem const& problem, Dimension const& dim, Index n);

/// The length of a convolution on chip that needs so much at the least.
Index convolution_length(Index least, Index element_bytes);

/// Lengths worth weighing for it, that one first: of each short odd part the next power of two, since what a length costs
/// hangs on how its radices share out the threads of a block.
std::vector<Index> convolution_lengths(Index least, Index element_bytes);

/// Lengths worth trying for a convolution over several sweeps, shortest first: each sweep moves them all.
std::vector<Index> spread_lengths(Index least);

}  // namespace skipper
