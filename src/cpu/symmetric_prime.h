// The tables of cosines and sines of symmetric prime DFTs (variant/symmetric_prime.h).
#pragma once

#include <skipper/problem.h>

#include <vector>

#include "base/index.h"

namespace skipper::cpu {

/// For passes: [block of four k][cosines, then sines][j][4], j and k from 1 to R/2.
template <class T>
std::vector<T> symmetric_pass_weights(Index radix);

/// For whole lines: [pair of vectors of k][j up to whole vectors][cosines, cosines, sines, sines].
template <class T>
std::vector<T> symmetric_line_weights(Index radix, Index lanes, Direction direction);

}  // namespace skipper::cpu
