// FISHPACK's own test problems: the errors that its documentation prints, to eight digits.
#include <skipper/poisson.h>

#include <gtest/gtest.h>

#include <cmath>

#include "poisson/laplacian.h"

namespace skipper {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

/// The coordinates of an axis whose box begins elsewhere than at zero.
std::vector<double> points_from(double begin, PoissonAxis const& axis) {
  std::vector<double> x = points(axis);
  for (double& v : x) v += begin;
  return x;
}

void expect_digits(double value, double printed) { EXPECT_NEAR(value / printed, 1, 1e-8); }

/// By transforms, and by sweeps along each axis that can be swept.
void expect_error(PoissonProblem problem, std::vector<double> const& f, std::vector<double> const& exact,
                  std::vector<Faces<double>> const& faces, double printed) {
  for (int swept = -1; swept < int(problem.axes.size()); ++swept) {
    if (swept >= 0 && problem.axes[std::size_t(swept)].low == P) continue;
    for (PoissonAxis& axis : problem.axes) axis.tridiagonal = false;
    if (swept >= 0) problem.axes[std::size_t(swept)].tridiagonal = true;
    std::vector<double> phi(f.size());
    Poisson(problem).solve(f.data(), phi.data(), {.faces = faces});
    double worst = 0;
    for (std::size_t i = 0; i < phi.size(); ++i) worst = std::max(worst, std::fabs(phi[i] - exact[i]));
    expect_digits(worst, printed);
  }
}

TEST(Fishpack, Hstcrt) {
  PoissonProblem p{Precision::f64,
                   {{48, 2, D, N, Centring::cell, false, {}}, {53, 2, P, P, Centring::cell, false, {}}},
                   -2,
                   {},
                   {}};
  std::vector<double> f, exact, slope;
  std::vector<double> const ys = points_from(-1, p.axes[1]);
  for (double const x : points_from(1, p.axes[0]))
    for (double const y : ys) {
      exact.push_back(std::sin(pi * x) * std::cos(pi * y));
      f.push_back(-2 * (pi * pi + 1) * exact.back());
    }
  for (double const y : ys) slope.push_back(-pi * std::cos(pi * y));
  expect_error(p, f, exact, {{{}, slope}, {}}, 1.26000790e-3);
}

TEST(Fishpack, Hwscrt) {
  PoissonProblem p{Precision::f64,
                   {{40, 2, D, N, Centring::node, false, {}}, {80, 4, P, P, Centring::node, false, {}}},
                   -4,
                   {},
                   {}};
  std::vector<double> f, exact, slope;
  std::vector<double> const ys = points_from(-1, p.axes[1]);
  for (double const x : points(p.axes[0]))
    for (double const y : ys) {
      double const wave = std::cos((y + 1) * pi / 2);
      exact.push_back(x * x * wave);
      f.push_back((2 - (4 + pi * pi / 4) * x * x) * wave);
    }
  for (double const y : ys) slope.push_back(4 * std::cos((y + 1) * pi / 2));
  expect_error(p, f, exact, {{{}, slope}, {}}, 5.36508247e-4);
}

// The right side is the documentation's own. It belongs to a shift of -2, so most of the printed error is that difference;
// the digits are as telling.
TEST(Fishpack, Hw3crt) {
  PoissonProblem p{Precision::f64,
                   {{9, 1, D, D, Centring::node, false, {}},
                    {40, 2 * pi, P, P, Centring::node, false, {}},
                    {15, pi / 2, D, N, Centring::node, false, {}}},
                   -3,
                   {},
                   {}};
  std::vector<double> f, exact, high_x, low_z, high_z;
  auto const xs = points(p.axes[0]), ys = points(p.axes[1]), zs = points(p.axes[2]);
  for (double const x : xs)
    for (double const y : ys) {
      low_z.push_back(std::pow(x, 4) * std::sin(y));
      high_z.push_back(-std::pow(x, 4) * std::sin(y));
      for (double const z : zs) {
        exact.push_back(std::pow(x, 4) * std::sin(y) * std::cos(z));
        f.push_back(4 * x * x * (3 - x * x) * std::sin(y) * std::cos(z));
      }
    }
  for (double const y : ys)
    for (double const z : zs) high_x.push_back(std::sin(y) * std::cos(z));
  expect_error(p, f, exact, {{{}, high_x}, {}, {low_z, high_z}}, 9.64801952e-3);
}

}  // namespace
}  // namespace skipper
