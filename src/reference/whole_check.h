// Whether every output of every transform of a batch is right, by one number a transform. With weights r[k] = z^k along each axis
// sum r[k] X[k] must equal sum s[j] x[j], where s[j] = sum over k of r[k] A[k][j], A the matrix of the axis. That sum is a
// geometric series, so s has a closed form for every kind and length, and no other transform is needed. All weights are of
// size one, so that one wrong, missing or misplaced output shows wherever it is.
#pragma once

#include <skipper/problem.h>

#include <cstdint>

namespace skipper::reference {

struct WholeCheck {
  std::int64_t transforms = 0;  // that were checked
  double worst = 0;             // largest defect over what rounding makes likely; beyond 1 something is wrong
  bool good() const { return worst <= 1; }
};

/// `in` is what the transform read, unchanged; `out` what it wrote. Of problems in digit-reversed order nothing is checked, and
/// `transforms` is 0. `threads`: 0 is one for each core.
WholeCheck whole_check(Problem const& problem, void const* in, void const* out, int threads = 0);

}  // namespace skipper::reference
