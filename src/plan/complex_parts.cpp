// See complex_parts.h.
#include "plan/complex_parts.h"

#include <algorithm>

namespace skipper {

std::optional<Problem> problem_of_parts(Problem const& problem) {
  bool const real = std::all_of(problem.axes.begin(), problem.axes.end(),
                                [](Axis const& axis) { return axis.kind != AxisKind::fourier; });
  if (problem.kind != Kind::c2c || !real || problem.batch.size() == max_rank) return {};
  Problem parts = problem;
  parts.kind = Kind::r2r;
  parts.direction = Direction::forward;
  for (Axis& axis : parts.axes) axis.in_stride *= 2, axis.out_stride *= 2;
  for (Dim& dim : parts.batch) dim.in_stride *= 2, dim.out_stride *= 2;
  parts.batch.push_back({2, 1, 1});
  return parts;
}

}  // namespace skipper
