// See direct.h. Complex sides count complex numbers, so their strides are halved. Where real and imaginary parts are
// swapped on both sides, the transform of the swapped numbers is the other direction's.
#include "direct.h"

#include <algorithm>

#include "axis_kind.h"

namespace skipper::fftw3 {
namespace {

/// Whether the strides count whole elements of `reals` Reals, forwards.
bool counts(std::vector<Dim> const& dims, Index reals, Index Dim::*stride) {
  return std::all_of(dims.begin(), dims.end(),
                     [&](Dim const& dim) { return dim.*stride >= 0 && dim.*stride % reals == 0; });
}

/// What check() asks of problems in place, said before it throws.
bool fits_in_place(Problem const& problem) {
  auto const halved = halved_axis(problem);
  Index const in = problem.kind == Kind::r2c ? 1 : 2, out = problem.kind == Kind::c2r ? 1 : 2;
  bool const real = problem.kind == Kind::r2r || problem.kind == Kind::c2c;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Axis const& axis = problem.axes[i];
    if (halved == i ? axis.size > 1 && (axis.in_stride != 1 || axis.out_stride != 1)
        : real      ? axis.in_stride != axis.out_stride
                    : axis.in_stride * in != axis.out_stride * out)
      return false;
  }
  return std::all_of(problem.batch.begin(), problem.batch.end(), [&](Dim const& dim) {
    return real ? dim.in_stride == dim.out_stride : dim.in_stride * in == dim.out_stride * out;
  });
}

bool passes_check(Problem const& problem) try {
  check(problem);
  return true;
} catch (Error const&) {
  return false;
}

}  // namespace

std::optional<Problem> direct_problem(Call const& call) {
  if (call.axes.empty() || call.overlap == Overlap::partly) return std::nullopt;
  if (std::any_of(call.kinds.begin(), call.kinds.end(), is_halfcomplex)) return std::nullopt;
  bool const swapped = call.kind == Kind::c2c && call.in_pair == -1 && call.out_pair == -1;
  Index const in = real_in(call.kind) ? 1 : 2, out = real_out(call.kind) ? 1 : 2;
  if (!swapped && ((in == 2 && call.in_pair != 1) || (out == 2 && call.out_pair != 1))) return std::nullopt;
  for (auto const* dims : {&call.axes, &call.batch})
    if (!counts(*dims, in, &Dim::in_stride) || !counts(*dims, out, &Dim::out_stride)) return std::nullopt;

  Problem problem;
  problem.kind = call.kind;
  problem.precision = precision;
  problem.direction = call.kind == Kind::c2r                              ? Direction::inverse
                      : call.kind != Kind::c2c                            ? Direction::forward
                      : (call.direction == Direction::forward) != swapped ? Direction::forward
                                                                          : Direction::inverse;
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    Dim const& axis = call.axes[i];
    problem.axes.push_back({axis.size, axis.in_stride / in, axis.out_stride / out});
    if (call.kind == Kind::r2r) problem.axes.back().kind = axis_kind(call.kinds[i]);
  }
  for (Dim const& dim : call.batch)
    problem.batch.push_back({dim.size, dim.in_stride / in, dim.out_stride / out});
  problem.placement = call.overlap == Overlap::same ? Placement::in_place : Placement::out_of_place;
  if (call.overlap == Overlap::same && !fits_in_place(problem)) return std::nullopt;
  if (!passes_check(problem)) return std::nullopt;
  return problem;
}

}  // namespace skipper::fftw3
