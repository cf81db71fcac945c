// See complex_parts.h.
#include "plan/complex_parts.h"

#include <algorithm>

namespace skipper {

std::optional<Problem> problem_of_parts(Problem const& problem) {
  if (problem.kind != Kind::c2c || problem.batch.size() == max_rank) return {};
  Problem parts = problem;
  std::erase_if(parts.axes, [](Axis const& a) { return a.kind == AxisKind::fourier && a.size == 1; });
  bool const real = std::all_of(parts.axes.begin(), parts.axes.end(),
                                [](Axis const& axis) { return axis.kind != AxisKind::fourier; });
  if (parts.axes.empty() || !real) return {};
  parts.kind = Kind::r2r;
  parts.direction = Direction::forward;
  for (Axis& axis : parts.axes) axis.in_stride *= 2, axis.out_stride *= 2;
  for (Dim& dim : parts.batch) dim.in_stride *= 2, dim.out_stride *= 2;
  parts.batch.push_back({2, 1, 1});
  return parts;
}

}  // namespace skipper
