// See outside.h.
#include "poisson/outside.h"

#include <algorithm>

#include "poisson/symbols.h"

namespace skipper::poisson {

std::size_t middle_axis(PoissonProblem const& problem) {
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    if (is_tridiagonal(problem.axes[i])) return i;
  return 0;
}

std::vector<Index> spectrum_strides(Outside const& all) {
  std::vector<Index> strides(all.stored.size());
  Index next = 1;
  for (std::size_t i = all.order.size(); i-- > 0; next *= all.stored[all.order[i]])
    strides[all.order[i]] = next;
  return strides;
}

Outside outside(PoissonProblem const& problem, SpectrumOrder order) {
  return outside(problem, order, middle_axis(problem));
}

Outside outside(PoissonProblem const& problem, SpectrumOrder order, std::size_t middle) {
  Outside result;
  for (PoissonAxis const& axis : problem.axes) result.stored.push_back(axis.size);
  std::vector<Index> const reals = dense_strides(result.stored);
  std::optional<std::size_t> halved;
  for (std::size_t i = 0; i < problem.axes.size(); ++i)
    if (i != middle && problem.axes[i].low == Boundary::periodic) halved = i;
  if (halved) result.stored[*halved] = result.stored[*halved] / 2 + 1;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) result.order.push_back(i);
  if (order == SpectrumOrder::middle_first) {
    auto const rank = [&](std::size_t i) { return i == middle ? 0 : i == halved ? 1 : 2; };
    std::stable_sort(result.order.begin(), result.order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  }
  if (problem.axes.size() == 1) return result;
  std::vector<Index> const spectrum = spectrum_strides(result);
  Problem forward, back;
  forward.kind = halved ? Kind::r2c : Kind::r2r;
  back.kind = halved ? Kind::c2r : Kind::r2r;
  back.direction = halved ? Direction::inverse : Direction::forward;
  forward.precision = back.precision = problem.precision;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    Index const n = problem.axes[i].size;
    if (i == middle) {
      forward.batch = {{n, reals[i], spectrum[i]}};
      back.batch = {{n, spectrum[i], reals[i]}};
      continue;
    }
    Transforms const kinds = transforms(problem.axes[i]);
    forward.axes.push_back({n, reals[i], spectrum[i], kinds.forward});
    back.axes.push_back({n, spectrum[i], reals[i], kinds.back});
    result.gain *= kinds.gain;
  }
  back.scale = 1 / result.gain;
  result.forward = forward;
  result.back = back;
  return result;
}

/// The symbol of each column: the shift and the eigenvalues of the other axes.
std::vector<double> across_of(PoissonProblem const& problem, Outside const& all) {
  std::vector<double> across = {problem.shift};
  for (std::size_t const i : all.order) {
    if (i == middle_axis(problem)) continue;
    std::vector<double> const values = eigenvalues(problem.axes[i], problem.symbols);
    std::vector<double> next;
    next.reserve(across.size() * static_cast<std::size_t>(all.stored[i]));
    for (double const a : across)
      for (Index k = 0; k < all.stored[i]; ++k) next.push_back(a + values[static_cast<std::size_t>(k)]);
    across = std::move(next);
  }
  // A singular matrix is solved apart; in its place stands one that is harmless.
  if (is_singular(problem) && is_tridiagonal(problem.axes[middle_axis(problem)])) across[0] = -1;
  return across;
}

}  // namespace skipper::poisson
