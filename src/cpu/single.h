// How a single contiguous line is cut into passes, its own points filling the lanes; and whether lines of its length, where
// there are many, are better off as columns: one line a lane, transposed on the way in and out.
#pragma once

#include <vector>

#include "cpu/kernels.h"

namespace skipper::cpu {

struct SingleCut {
  PassTable const* first = nullptr;  // the vectors of the first pass
  Pass small = nullptr;              // does it all, in registers
  std::vector<int> radices;          // empty: no vectors are filled
  bool blocked =
      false;  // the buffer in blocks, and all passes in the vectors of the first; else in planes, each in the widest
  double cost =
      0;  // where there are several widths: picoseconds a point, were the widest those that radices.h knows
};

/// For n without large primes.
template <class T>
SingleCut cut_single(Index n, Kernels const& kernels);

/// Whether as many lines as there are lanes in the widest vectors take less time as columns.
template <class T>
bool better_as_columns(Index n, Kernels const& kernels);

}  // namespace skipper::cpu
