// Chooses the passes of one contiguous line whose own points fill the lanes of vectors; and whether many such lines are
// faster as columns, one line a lane, transposed on the way in and out.
#pragma once

#include <vector>

#include "cpu/kernels.h"

namespace skipper::cpu {

struct OneLinePlan {
  PassTable const* first = nullptr;  // the width of the first pass
  Pass small = nullptr;              // where one pass does the whole line in registers
  std::vector<int> radices;          // empty where the line cannot fill vectors
  // True: a blocked buffer, all passes of the width of the first. False: a planar buffer, each pass of the widest width.
  bool blocked = false;
  // Picoseconds a point on the scale of radices.h, set where there are several widths.
  double cost = 0;
};

/// For n without large primes.
template <class T>
OneLinePlan plan_one_line(Index n, Kernels const& kernels);

/// Whether lines, as many as the widest vectors have lanes, take less time as columns.
template <class T>
bool better_as_columns(Index n, Kernels const& kernels);

}  // namespace skipper::cpu
