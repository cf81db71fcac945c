// See passes.h.
#include "poisson/passes.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "poisson/outside.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

std::optional<std::size_t> last_periodic(PoissonProblem const& p, AxisList const& among) {
  std::optional<std::size_t> last;
  for (std::size_t a : among)
    if (p.axes[a].low == Boundary::periodic) last = a;
  return last;
}

/// Dense strides for dimensions in the order that they have by other strides.
std::vector<Index> dense_like(std::vector<Index> const& sizes, std::vector<Index> const& strides) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] < strides[b]; });
  std::vector<Index> result(sizes.size());
  Index stride = 1;
  for (std::size_t i : order) {
    result[i] = stride;
    stride *= sizes[i];
  }
  return result;
}

/// Where elimination goes, so that its columns are neighbours: a swept axis is the slowest between the passes.
std::vector<Index> strides_between(PoissonProblem const& problem, std::vector<Index> const& sizes) {
  std::size_t const swept = middle_axis(problem);
  Index stride = 1;
  std::vector<Index> result(sizes.size());
  for (std::size_t a = sizes.size(); a-- > 0;)
    if (a != swept) stride *= sizes[a], result[a] = stride / sizes[a];
  result[swept] = stride;
  return result;
}

}  // namespace

SolvePasses solve_passes(PoissonProblem const& problem, AxisList const& outer, AxisList const& inner) {
  std::vector<Index> sizes;
  for (PoissonAxis const& axis : problem.axes) sizes.push_back(axis.size);
  std::vector<Index> const arrays = dense_strides(sizes);
  auto const halved = problem.complex ? std::nullopt : last_periodic(problem, outer);
  if (halved) sizes[*halved] = sizes[*halved] / 2 + 1;
  std::vector<Index> const between = strides_between(problem, sizes);
  // A complex spectrum of real data is larger than phi, and one in another order lies otherwise; else it is in phi's place.
  bool const apart = halved || between != arrays;
  SolvePasses all;
  all.there.to = all.middle.from = all.middle.to = all.back.from =
      apart ? stream::Array::work : stream::Array::out;
  Problem& there = all.there.whole;
  Problem& middle = all.middle.whole;
  Problem& back = all.back.whole;
  there.precision = middle.precision = back.precision = problem.precision;
  there.kind = problem.complex ? Kind::c2c : halved ? Kind::r2c : Kind::r2r;
  back.kind = problem.complex ? Kind::c2c : halved ? Kind::c2r : Kind::r2r;
  back.direction = back.kind == Kind::r2r ? Direction::forward : Direction::inverse;
  middle.kind = problem.complex || halved ? Kind::c2c : Kind::r2r;
  back.placement = apart ? Placement::out_of_place : Placement::in_place;
  middle.placement = Placement::in_place;
  for (std::size_t a : outer) {
    Transforms const kinds = transforms(problem.axes[a]);
    there.axes.push_back({problem.axes[a].size, arrays[a], between[a], kinds.forward});
    back.axes.push_back({problem.axes[a].size, between[a], arrays[a], kinds.back});
    middle.batch.push_back({sizes[a], between[a], between[a]});
  }
  for (std::size_t a : inner) {
    there.batch.push_back({sizes[a], arrays[a], between[a]});
    back.batch.push_back({sizes[a], between[a], arrays[a]});
    // What is cut into slices is told by the kind what a number is, no more: see slice_solve.
    middle.axes.push_back(
        {sizes[a], between[a], between[a], middle.kind == Kind::r2r ? AxisKind::dct2 : AxisKind::fourier});
  }
  return all;
}

SliceSolve slice_solve(PoissonProblem const& problem, AxisList const& outer, AxisList const& inner,
                       Problem const& slice) {
  SliceSolve solve;
  bool const real = slice.kind == Kind::r2r;
  auto const halved = real ? last_periodic(problem, inner) : std::nullopt;
  solve.apart = halved.has_value();
  solve.complex = !real || halved;
  std::vector<Index> sizes, strides;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    bool const half = halved == inner[i];
    solve.dims.push_back({half ? slice.axes[i].size / 2 + 1 : slice.axes[i].size, inner[i], -1});
    strides.push_back(slice.axes[i].in_stride);
  }
  for (std::size_t i = 0; i < outer.size(); ++i) {
    solve.dims.push_back({slice.batch[i].size, outer[i], int(i)});
    strides.push_back(slice.batch[i].in_stride);
  }
  for (SliceSolve::Dim const& d : solve.dims) sizes.push_back(d.size);
  std::vector<Index> const between = dense_like(sizes, strides);
  Problem& there = solve.there;
  Problem& back = solve.back;
  there.precision = back.precision = problem.precision;
  there.kind = !real ? Kind::c2c : halved ? Kind::r2c : Kind::r2r;
  back.kind = !real ? Kind::c2c : halved ? Kind::c2r : Kind::r2r;
  back.direction = back.kind == Kind::r2r ? Direction::forward : Direction::inverse;
  there.placement = slice.placement;
  back.placement = solve.apart ? Placement::out_of_place : Placement::in_place;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (is_tridiagonal(problem.axes[inner[i]])) {
      there.batch.push_back({slice.axes[i].size, strides[i], between[i]});
      back.batch.push_back({slice.axes[i].size, between[i], strides[i]});
      continue;
    }
    Transforms const kinds = transforms(problem.axes[inner[i]]);
    there.axes.push_back({slice.axes[i].size, strides[i], between[i], kinds.forward});
    back.axes.push_back({slice.axes[i].size, between[i], strides[i], kinds.back});
  }
  for (std::size_t i = 0; i < outer.size(); ++i) {
    std::size_t const at = inner.size() + i;
    there.batch.push_back({slice.batch[i].size, strides[at], between[at]});
    back.batch.push_back({slice.batch[i].size, between[at], strides[at]});
  }
  std::vector<std::size_t> order(solve.dims.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return between[a] < between[b]; });
  std::vector<SliceSolve::Dim> sorted;
  for (std::size_t i : order) sorted.push_back(solve.dims[i]);
  solve.dims = std::move(sorted);
  return solve;
}

}  // namespace skipper::poisson
