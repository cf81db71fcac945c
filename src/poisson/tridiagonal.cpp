// See tridiagonal.h. The matrix is the difference of fluxes through the two ends of what an unknown stands for, which
// is second order on smoothly stretched grids and sums to the flux through the boundaries on any.
#include "poisson/tridiagonal.h"

#include <algorithm>

#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

/// gaps[i] from unknown i-1 to unknown i; gaps[0] and gaps[n] to the boundaries, 0 where a Neumann node is one.
struct Grid {
  std::vector<double> widths, gaps;
};

Grid uniform(PoissonAxis const& axis) {
  auto const n = static_cast<std::size_t>(axis.size);
  double const h = spacing(axis);
  Grid grid{std::vector<double>(n, h), std::vector<double>(n + 1, h)};
  bool const cell = axis.centring == Centring::cell;
  if (cell || axis.low == Boundary::neumann) grid.gaps[0] = cell ? h / 2 : 0;
  if (cell || axis.high == Boundary::neumann) grid.gaps[n] = cell ? h / 2 : 0;
  if (!cell && axis.low == Boundary::neumann) grid.widths[0] -= h / 2;
  if (!cell && axis.high == Boundary::neumann) grid.widths[n - 1] -= h / 2;
  return grid;
}

Grid stretched_cells(PoissonAxis const& axis) {
  auto const n = static_cast<std::size_t>(axis.size);
  Grid grid{std::vector<double>(n), std::vector<double>(n + 1)};
  for (std::size_t i = 0; i < n; ++i) grid.widths[i] = axis.coordinates[i + 1] - axis.coordinates[i];
  for (std::size_t i = 0; i < n; ++i)
    grid.gaps[i] += grid.widths[i] / 2, grid.gaps[i + 1] += grid.widths[i] / 2;
  return grid;
}

Grid stretched_nodes(PoissonAxis const& axis) {
  auto const n = static_cast<std::size_t>(axis.size);
  Grid grid{std::vector<double>(n), std::vector<double>(n + 1)};
  std::size_t const first = axis.low == Boundary::dirichlet ? 1 : 0;  // the coordinate of unknown 0
  for (std::size_t i = 0; i <= n; ++i)
    if (i + first >= 1 && i + first < axis.coordinates.size())
      grid.gaps[i] = axis.coordinates[i + first] - axis.coordinates[i + first - 1];
  for (std::size_t i = 0; i < n; ++i) grid.widths[i] = (grid.gaps[i] + grid.gaps[i + 1]) / 2;
  return grid;
}

}  // namespace

Tridiagonal tridiagonal(PoissonAxis const& axis) {
  Grid const grid = axis.coordinates.empty()          ? uniform(axis)
                    : axis.centring == Centring::cell ? stretched_cells(axis)
                                                      : stretched_nodes(axis);
  auto const n = static_cast<std::size_t>(axis.size);
  Tridiagonal matrix{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n), grid.widths};
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) matrix.lower[i] = 1 / (grid.widths[i] * grid.gaps[i]);
    if (i + 1 < n) matrix.upper[i] = 1 / (grid.widths[i] * grid.gaps[i + 1]);
    matrix.diagonal[i] = -(matrix.lower[i] + matrix.upper[i]);
  }
  matrix.low_end = 1 / grid.widths[0];
  matrix.high_end = -1 / grid.widths[n - 1];
  if (axis.low == Boundary::dirichlet)
    matrix.diagonal[0] += matrix.low_end = -1 / (grid.widths[0] * grid.gaps[0]);
  if (axis.high == Boundary::dirichlet)
    matrix.diagonal[n - 1] += matrix.high_end = -1 / (grid.widths[n - 1] * grid.gaps[n]);
  return matrix;
}

void sweep_columns(Tridiagonal const& matrix, double const* across, Index columns, int parts, double* x,
                   double* reciprocals) {
  auto const n = static_cast<Index>(matrix.diagonal.size());
  Index const row = columns * parts;
  // A row's factors, one for each part, so that the loops over data are plain and vectorise.
  std::vector<double> factors(static_cast<std::size_t>(row));
  auto const spread = [&](double scale, double const* values) {
    for (Index j = 0; j < columns; ++j)
      for (int part = 0; part < parts; ++part)
        factors[static_cast<std::size_t>(j * parts + part)] = scale * values[j];
  };
  double const* const factor = factors.data();
  for (Index j = 0; j < columns; ++j) reciprocals[j] = 1 / (matrix.diagonal[0] + across[j]);
  for (Index i = 1; i < n; ++i) {
    auto const at = static_cast<std::size_t>(i);
    double const diagonal = matrix.diagonal[at], product = matrix.lower[at] * matrix.upper[at - 1];
    double const* const last = reciprocals + (i - 1) * columns;
    double* const here = reciprocals + i * columns;
    for (Index j = 0; j < columns; ++j) here[j] = 1 / (diagonal + across[j] - product * last[j]);
    spread(matrix.lower[at], last);
    double const* const from = x + (i - 1) * row;
    double* const to = x + i * row;
    for (Index j = 0; j < row; ++j) to[j] -= factor[j] * from[j];
  }
  for (Index i = n; i-- > 0;) {
    double const upper = matrix.upper[static_cast<std::size_t>(i)];
    double const* const from = x + std::min(i + 1, n - 1) * row;  // in the last row upper is 0
    double* const to = x + i * row;
    spread(1, reciprocals + i * columns);
    for (Index j = 0; j < row; ++j) to[j] = factor[j] * (to[j] - upper * from[j]);
  }
}

double solve_singular(Tridiagonal const& matrix, double* x, Index stride) {
  auto const n = matrix.diagonal.size();
  auto const at = [&](std::size_t i) -> double& { return x[static_cast<Index>(i) * stride]; };
  double length = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) length += matrix.widths[i], sum += matrix.widths[i] * at(i);
  double const mean = sum / length;
  // The sum of the rows above a gap, each times its width, is the flux through it: so u is a sum of sums.
  std::vector<double> u(n);
  double flux = 0, level = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    flux += matrix.widths[i] * (at(i) - mean);
    u[i + 1] = u[i] + flux / (matrix.widths[i] * matrix.upper[i]);
    level += matrix.widths[i + 1] * u[i + 1];
  }
  for (std::size_t i = 0; i < n; ++i) at(i) = u[i] - level / length;
  return mean;
}

}  // namespace skipper::poisson
