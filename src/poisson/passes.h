// The three passes of a solve over data in host memory: transforms of the outer axes there, the middle over the inner ones
// (there, divide, back), and the outer axes back. Between them the data are the spectrum of the outer axes.
#pragma once

#include <skipper/poisson.h>

#include <cstddef>
#include <vector>

#include "stream/schedule.h"

namespace skipper::poisson {

using AxisList = std::vector<std::size_t>;

/// The middle's problem has the same layout on both sides, so a slice comes back as it went: c2c, or where the spectrum of
/// the outer axes is real r2r.
struct SolvePasses {
  stream::Pass there, middle, back;
};
SolvePasses solve_passes(PoissonProblem const& problem, AxisList const& outer, AxisList const& inner);

/// The middle on a slice of it: problems there and back, and the array between them.
struct SliceSolve {
  Problem there, back;
  bool apart =
      false;  // between them the data are an array of their own, r2c, else they stay where `there` puts them
  bool complex = false;
  bool transforms() const { return !there.axes.empty(); }  // a swept axis has none
  struct Dim {
    Index size = 1;
    std::size_t axis = 0;  // of the Poisson problem
    int batch = -1;        // its number among the slice's batch dimensions, or -1
  };
  std::vector<Dim> dims;  // of the array between them, fastest first
};
SliceSolve slice_solve(PoissonProblem const& problem, AxisList const& outer, AxisList const& inner,
                       Problem const& slice);

}  // namespace skipper::poisson
