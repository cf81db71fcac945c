// The problem that undoes a problem: both sides swapped, the direction or the real kind of each axis reversed,
// and the scale divided by what the unnormalised way there and back multiplies by.
#include <skipper/plan.h>

#include <utility>

namespace skipper {
namespace {

Direction inverse_direction(Kind kind, Direction direction) {
  if (kind == Kind::r2r) return Direction::forward;
  return direction == Direction::forward ? Direction::inverse : Direction::forward;
}

}  // namespace

Problem inverse_problem(Problem const& problem) {
  check(problem);
  if (problem.scale == 0) throw Error("scale", "is 0, so nothing undoes the problem; give another scale");
  Problem inverse = problem;
  if (problem.kind == Kind::r2c) inverse.kind = Kind::c2r;
  if (problem.kind == Kind::c2r) inverse.kind = Kind::r2c;
  inverse.direction = inverse_direction(problem.kind, problem.direction);
  if (problem.order == Order::reversed) inverse.order = Order::from_reversed;
  if (problem.order == Order::from_reversed) inverse.order = Order::reversed;
  double total = 1;
  for (std::size_t i = 0; i < inverse.axes.size(); ++i) {
    Axis& axis = inverse.axes[i];
    if (axis.out_count != 0)
      throw Error("axes[" + std::to_string(i) + "].out_count",
                  "leaves out outputs, so nothing undoes the problem; store all of them");
    axis.out_count = std::exchange(axis.in_count, 0);  // what was padded is cropped
    if (problem.norm == Norm::none) total *= round_trip_factor(axis);
    std::swap(axis.in_stride, axis.out_stride);
    axis.kind = inverse_kind(axis.kind);
  }
  for (Dim& dim : inverse.batch) std::swap(dim.in_stride, dim.out_stride);
  inverse.scale = 1 / (total * problem.scale);
  check(inverse);
  return inverse;
}

}  // namespace skipper
