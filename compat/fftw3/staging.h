// A call by way of a dense array: what is gathered, transformed there in place, and scattered. Pure functions.
#pragma once

#include <vector>

#include "call.h"

namespace skipper::fftw3 {

/// Throw Error where a size does not fit in 63 bits.
Index product(Index a, Index b);
Index sum(Index a, Index b);
/// Up to a whole number of cache lines.
Index rounded(Index reals);

/// A dimension cut in two: what one step takes at a time, and the loops around it.
struct Cut {
  Dim inner{1, 0, 0};
  std::vector<Dim> loops;
};
/// Of the dimension that is fastest in the output: as many of its elements as divide it, at most `limit` and at least one.
Cut cut_fastest(std::vector<Dim> dims, Index limit);

struct Staging {
  std::vector<Dim> loops;            // in the strides of the user's arrays
  std::vector<Dim> gather, scatter;  // `in_stride` is where it reads
  Call inner;                        // in place on the dense array
  Index reals = 0;                   // of the dense array
};
/// All at once where `limit` is 0, else a part of the batch at a time, at least one transform.
Staging stage(Call const& call, Index limit);

}  // namespace skipper::fftw3
