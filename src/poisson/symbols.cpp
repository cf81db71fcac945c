// See symbols.h. Sines of multiples of pi/(2n) are taken of arguments in the first quadrant, where they are accurate.
#include "poisson/symbols.h"

#include <algorithm>
#include <cmath>

#include "base/shortest.h"

namespace skipper::poisson {
namespace {

constexpr double pi = 3.14159265358979323846;

bool ends(PoissonAxis const& axis, Boundary low, Boundary high) {
  return axis.low == low && axis.high == high;
}

/// How many spacings the box is long.
double intervals(PoissonAxis const& axis) {
  double const n = double(axis.size);
  if (axis.centring == Centring::cell || axis.low != axis.high || axis.low == Boundary::periodic) return n;
  return axis.low == Boundary::neumann ? n - 1 : n + 1;
}

}  // namespace

bool is_tridiagonal(PoissonAxis const& axis) { return axis.tridiagonal || !axis.coordinates.empty(); }

double spacing(PoissonAxis const& axis) { return axis.length / intervals(axis); }

Transforms transforms(PoissonAxis const& axis) {
  bool const cell = axis.centring == Centring::cell;
  if (axis.low == Boundary::periodic) return {AxisKind::fourier, AxisKind::fourier, double(axis.size)};
  double const gain = 2 * intervals(axis);
  if (ends(axis, Boundary::neumann, Boundary::neumann))
    return cell ? Transforms{AxisKind::dct2, AxisKind::dct3, gain}
                : Transforms{AxisKind::dct1, AxisKind::dct1, gain};
  if (ends(axis, Boundary::dirichlet, Boundary::dirichlet))
    return cell ? Transforms{AxisKind::dst2, AxisKind::dst3, gain}
                : Transforms{AxisKind::dst1, AxisKind::dst1, gain};
  if (axis.low == Boundary::neumann)
    return cell ? Transforms{AxisKind::dct4, AxisKind::dct4, gain}
                : Transforms{AxisKind::dct3, AxisKind::dct2, gain};
  return cell ? Transforms{AxisKind::dst4, AxisKind::dst4, gain}
              : Transforms{AxisKind::dst3, AxisKind::dst2, gain};
}

double gain_of(PoissonProblem const& problem) {
  double gain = 1;
  for (PoissonAxis const& axis : problem.axes) gain *= transforms(axis).gain;
  return gain;
}

std::vector<double> eigenvalues(PoissonAxis const& axis, Symbols symbols) {
  std::vector<double> values(static_cast<std::size_t>(axis.size));
  double const h = spacing(axis), m = intervals(axis);
  bool const periodic = axis.low == Boundary::periodic;
  double const first = ends(axis, Boundary::dirichlet, Boundary::dirichlet) ? 1
                       : axis.low == axis.high                              ? 0
                                                                            : 0.5;
  for (std::int64_t k = 0; k < axis.size; ++k) {
    // half_waves: how often the mode changes sign along the box
    double const half_waves = periodic ? 2 * double(std::min(k, axis.size - k)) : double(k) + first;
    double const w = symbols == Symbols::spectral ? pi * half_waves / axis.length
                                                  : 2 / h * std::sin(pi / 2 * (half_waves / m));
    values[static_cast<std::size_t>(k)] = -w * w;
  }
  return values;
}

void refuse_resonance(double shift) {
  throw Error("shift", "is " + shortest(shift) + ", and " + shortest(-shift) +
                           " is an eigenvalue of the Laplacian with these boundaries, so there is no unique "
                           "solution; move it a little");
}

void refuse_long_axes(PoissonProblem const& problem, double limit) {
  double numbers = 0, columns = 1;
  for (PoissonAxis const& axis : problem.axes) numbers += double(axis.size);
  for (std::size_t a = 0; a + 1 < problem.axes.size(); ++a) columns *= double(problem.axes[a].size);
  double const bytes =
      8 * (numbers + (problem.shift > 0 ? columns : 0));  // each column may meet an eigenvalue
  if (bytes <= limit) return;
  throw Error("axes", "have " + whole_number(bytes) + " bytes of eigenvalues but there are " +
                          whole_number(limit) + " bytes of memory; use smaller sizes");
}

void check_resonance(std::vector<double> const& symbol, std::vector<double> const& across, double shift) {
  if (shift <= 0) {  // all are of one sign, so the sum nearest to 0 is that of the largest
    if (*std::max_element(symbol.begin(), symbol.end()) + *std::max_element(across.begin(), across.end()) ==
        0)
      refuse_resonance(shift);
    return;
  }
  std::vector<double> sorted = symbol;
  std::sort(sorted.begin(), sorted.end());
  for (double const a : across) {
    double const parts = shift + std::fabs(a - shift);  // that a is the sum of
    auto const above = std::lower_bound(sorted.begin(), sorted.end(), -a);
    for (auto at : {above, above == sorted.begin() ? above : above - 1})
      if (at != sorted.end() && std::fabs(*at + a) <= 1e-14 * (std::fabs(*at) + parts))
        refuse_resonance(shift);
  }
}

}  // namespace skipper::poisson

namespace skipper {

std::vector<double> points(PoissonAxis const& axis) {
  poisson::check_axis(axis, "axis");
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(axis.size));
  bool const cell = axis.centring == Centring::cell, ends = axis.low == Boundary::dirichlet;
  for (std::int64_t i = 0; i < axis.size; ++i) {
    auto const at = static_cast<std::size_t>(i);
    if (axis.coordinates.empty())
      result.push_back((double(i) + (cell ? 0.5 : ends ? 1 : 0)) * poisson::spacing(axis));
    else
      result.push_back(cell ? (axis.coordinates[at] + axis.coordinates[at + 1]) / 2
                            : axis.coordinates[at + (ends ? 1 : 0)]);
  }
  return result;
}

std::string_view name(Boundary boundary) {
  switch (boundary) {
    case Boundary::periodic:
      return "periodic";
    case Boundary::neumann:
      return "neumann";
    case Boundary::dirichlet:
      return "dirichlet";
  }
  return "?";
}

}  // namespace skipper
