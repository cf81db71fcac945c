// The matrix of an axis against the textbook's, the sweeps against the matrix, and stretched grids.
#include "poisson/tridiagonal.h"

#include <gtest/gtest.h>

#include <limits>

#include "poisson/laplacian.h"

namespace skipper::poisson {
namespace {

constexpr Boundary sides[] = {Boundary::neumann, Boundary::dirichlet};

std::vector<double> product(Tridiagonal const& m, std::vector<double> const& u, double shift = 0) {
  std::vector<double> result(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    result[i] = (m.diagonal[i] + shift) * u[i];
    if (i > 0) result[i] += m.lower[i] * u[i - 1];
    if (i + 1 < u.size()) result[i] += m.upper[i] * u[i + 1];
  }
  return result;
}

TEST(Tridiagonal, IsTheTextbooksMatrixOnUniformAxes) {
  for (Centring const centring : {Centring::cell, Centring::node})
    for (Boundary const low : sides)
      for (Boundary const high : sides) {
        PoissonProblem p;
        p.axes = {{9, 2.5, low, high, centring, false, {}}};
        std::vector<double> const u = testing::noise<double>(9);
        std::vector<Faces<double>> const faces = {{{0.75}, {-1.25}}};
        Tridiagonal const m = tridiagonal(p.axes[0]);
        std::vector<double> ours = product(m, u);
        ours.front() -= m.low_end * 0.75;
        ours.back() -= m.high_end * -1.25;
        EXPECT_LT(testing::largest_difference(ours, testing::laplacian(p, u, faces)), 1e-11);
      }
}

// Coordinates that happen to be uniform give the uniform matrix.
TEST(Tridiagonal, AStretchedGridMayBeUniform) {
  for (Centring const centring : {Centring::cell, Centring::node})
    for (Boundary const low : sides)
      for (Boundary const high : sides) {
        PoissonAxis const plain{6, 3, low, high, centring, true, {}};
        PoissonAxis given = plain;
        std::int64_t const extra =
            centring == Centring::cell ? 1 : (low == Boundary::dirichlet) + (high == Boundary::dirichlet);
        for (std::int64_t i = 0; i < 6 + extra; ++i)
          given.coordinates.push_back(1 + double(i) * testing::step(plain));
        Tridiagonal const a = tridiagonal(plain), b = tridiagonal(given);
        EXPECT_LT(testing::largest_difference(a.diagonal, b.diagonal), 1e-12);
        EXPECT_LT(testing::largest_difference(a.lower, b.lower), 1e-12);
        EXPECT_LT(testing::largest_difference(a.upper, b.upper), 1e-12);
        EXPECT_LT(testing::largest_difference(a.widths, b.widths), 1e-12);
        EXPECT_NEAR(a.low_end, b.low_end, 1e-12);
        EXPECT_NEAR(a.high_end, b.high_end, 1e-12);
      }
}

void expect_solved(int parts) {
  PoissonAxis const axis{40, 1, Boundary::neumann, Boundary::dirichlet, Centring::cell, true, {}};
  Tridiagonal const m = tridiagonal(axis);
  std::vector<double> const across = {0, -3, -1000, -0.5, -7};
  auto const columns = Index(across.size());
  std::vector<double> const d = testing::noise<double>(40 * columns * parts);
  std::vector<double> x = d;
  std::vector<double> reciprocals(std::size_t(40 * columns));
  sweep_columns(m, across.data(), columns, parts, x.data(), reciprocals.data());
  for (Index j = 0; j < columns; ++j)
    for (int part = 0; part < parts; ++part) {
      std::vector<double> u, f;
      for (Index i = 0; i < 40; ++i) {
        u.push_back(double(x[std::size_t((i * columns + j) * parts + part)]));
        f.push_back(double(d[std::size_t((i * columns + j) * parts + part)]));
      }
      // u is of order 1 and the matrix of order 4/h^2
      EXPECT_LT(testing::largest_difference(product(m, u, across[std::size_t(j)]), f),
                4 * 1600 * std::numeric_limits<double>::epsilon());
    }
}

TEST(Tridiagonal, SweepsSolveEveryColumn) {
  expect_solved(1);
  expect_solved(2);
}

TEST(Tridiagonal, TheSingularColumnLosesItsMean) {
  PoissonAxis axis{
      5, 1, Boundary::neumann, Boundary::neumann, Centring::cell, true, {0, 0.1, 0.3, 0.4, 0.8, 1}};
  Tridiagonal const m = tridiagonal(axis);
  std::vector<double> x = {1, 2, -1, 0.5, 3}, f = x;
  double const mean = solve_singular(m, x.data(), 1);
  EXPECT_NEAR(mean, 0.1 * 1 + 0.2 * 2 - 0.1 + 0.4 * 0.5 + 0.2 * 3, 1e-14);
  for (double& v : f) v -= mean;
  EXPECT_LT(testing::largest_difference(product(m, x), f), 1e-12);
  double level = 0;
  for (std::size_t i = 0; i < 5; ++i) level += m.widths[i] * x[i];
  EXPECT_NEAR(level, 0, 1e-15);
}

}  // namespace
}  // namespace skipper::poisson
