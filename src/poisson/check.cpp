// Whether a Poisson problem can be solved as it stands, and whether its solution is unique.
#include <skipper/poisson.h>

#include <algorithm>
#include <cmath>

#include "base/check_enum.h"
#include "base/index.h"
#include "base/shortest.h"
#include "poisson/symbols.h"

namespace skipper {
namespace {

[[noreturn]] void refuse(std::string const& axis, std::string const& field, std::string const& message) {
  throw Error(axis + field, message);
}

std::string named(std::size_t axis) { return "axes[" + std::to_string(axis) + "]"; }

void check_coordinates(PoissonAxis const& axis, std::string const& at) {
  std::size_t const dirichlet =
      std::size_t(axis.low == Boundary::dirichlet) + std::size_t(axis.high == Boundary::dirichlet);
  std::size_t const wanted = std::size_t(axis.size) + (axis.centring == Centring::cell ? 1 : dirichlet);
  if (axis.coordinates.size() != wanted)
    refuse(at, ".coordinates",
           "has " + std::to_string(axis.coordinates.size()) + " numbers for " + std::to_string(axis.size) +
               " unknowns; give " + std::to_string(wanted) +
               (axis.centring == Centring::cell ? ", the faces of the cells"
                                                : ", the nodes with those of Dirichlet ends"));
  for (std::size_t i = 0; i < wanted; ++i)
    if (!std::isfinite(axis.coordinates[i]) || (i > 0 && !(axis.coordinates[i] > axis.coordinates[i - 1])))
      refuse(at, ".coordinates[" + std::to_string(i) + "]",
             "is not a finite number above the one before it; coordinates must increase");
}

}  // namespace

void poisson::check_axis(PoissonAxis const& axis, std::string const& at) {
  check_enum(at + ".low", axis.low, Boundary::dirichlet);
  check_enum(at + ".high", axis.high, Boundary::dirichlet);
  check_enum(at + ".centring", axis.centring, Centring::node);
  bool const nodes = axis.centring == Centring::node;
  bool const two_neumann_nodes = nodes && axis.low == Boundary::neumann && axis.high == Boundary::neumann;
  std::int64_t const least = two_neumann_nodes ? 2 : 1;
  if (axis.size < least)
    refuse(at, ".size",
           "is " + std::to_string(axis.size) + " but must be at least " + std::to_string(least) +
               (two_neumann_nodes ? " between two Neumann nodes" : ""));
  if ((axis.low == Boundary::periodic) != (axis.high == Boundary::periodic))
    refuse(at, axis.low == Boundary::periodic ? ".high" : ".low",
           "is " + std::string(name(axis.low == Boundary::periodic ? axis.high : axis.low)) +
               " but the other side is periodic; an axis is periodic on both sides or on neither");
  if (is_tridiagonal(axis) && axis.low == Boundary::periodic)
    refuse(at, ".tridiagonal", "is asked of a periodic axis; leave such axes to the Fourier transform");
  if (!axis.coordinates.empty()) return check_coordinates(axis, at);
  if (!std::isfinite(axis.length) || axis.length <= 0)
    refuse(at, ".length", "is " + shortest(axis.length) + " but must be above 0 and finite");
}

void check(PoissonProblem const& problem) {
  check_enum("precision", problem.precision, Precision::bf16);
  if (is_16_bit(problem.precision))
    throw Error("precision", "is " + std::string(name(problem.precision)) + "; Poisson solves in f32 or f64");
  check_enum("symbols", problem.symbols, Symbols::spectral);
  check_enum("zero_mode", problem.zero_mode, ZeroMode::error);
  if (problem.axes.empty() || problem.axes.size() > 3)
    throw Error("axes", "there are " + std::to_string(problem.axes.size()) + " but a box has one to three");
  std::size_t sweeps = 0;
  std::optional<Index> count = 1;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    poisson::check_axis(problem.axes[i], named(i));
    if (poisson::is_tridiagonal(problem.axes[i]) && ++sweeps > 1)
      refuse(named(i), ".tridiagonal", "is the second such axis; only one can be stretched or swept");
    if (count) count = multiply(*count, problem.axes[i].size);
  }
  if (!count || !multiply(*count, 16))
    throw Error("axes", "have more points than fit in 63 bits; use smaller sizes");
  if (!std::isfinite(problem.shift)) throw Error("shift", "is not finite; 0 is Poisson's equation");
}

bool is_singular(PoissonProblem const& problem) {
  return problem.shift == 0 &&
         std::none_of(problem.axes.begin(), problem.axes.end(), [](PoissonAxis const& axis) {
           return axis.low == Boundary::dirichlet || axis.high == Boundary::dirichlet;
         });
}

}  // namespace skipper
