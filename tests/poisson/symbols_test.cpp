// Eigenvalues: those of second order against the textbook's operator on each mode, spectral ones against calculus; and
// the kinds of transforms, whose inverse pairs problem.h defines.
#include "poisson/symbols.h"

#include <gtest/gtest.h>

#include "base/index.h"
#include "poisson/laplacian.h"

namespace skipper::poisson {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

/// cos or sin of a whole, or half-whole, number of half waves along the box.
std::vector<double> mode(PoissonAxis const& axis, std::int64_t k) {
  double const half_waves = axis.low == P           ? 2.0 * double(k)
                            : axis.low == axis.high ? double(k + (axis.low == D))
                                                    : double(k) + 0.5;
  std::vector<double> values;
  for (double const x : points(axis)) {
    double const angle = pi * half_waves * x / axis.length;
    values.push_back(axis.low == D ? std::sin(angle) : std::cos(angle));
  }
  return values;
}

std::vector<PoissonAxis> all_axes(std::int64_t n) {
  std::vector<PoissonAxis> axes;
  for (Centring const centring : {Centring::cell, Centring::node}) {
    axes.push_back({n, 1.7, P, P, centring, false, {}});
    for (Boundary const low : {N, D})
      for (Boundary const high : {N, D}) axes.push_back({n, 1.7, low, high, centring, false, {}});
  }
  return axes;
}

TEST(Symbols, ModesAreEigenvectors) {
  for (std::int64_t const n : {2, 5, 8})
    for (PoissonAxis const& axis : all_axes(n)) {
      PoissonProblem p;
      p.axes = {axis};
      std::vector<double> const values = eigenvalues(axis, Symbols::second_order);
      for (std::int64_t k = 0; k < n; ++k) {
        std::vector<double> const u = mode(axis, k);
        std::vector<double> scaled = u;
        for (double& v : scaled) v *= values[std::size_t(k)];
        EXPECT_LT(testing::largest_difference(testing::laplacian(p, u), scaled), 1e-11);
      }
    }
}

TEST(Symbols, SpectralOnesAreSquaresOfWaveNumbers) {
  PoissonAxis axis{5, 2, N, D, Centring::cell, false, {}};
  for (std::int64_t k = 0; k < 5; ++k)
    EXPECT_DOUBLE_EQ(eigenvalues(axis, Symbols::spectral)[std::size_t(k)],
                     -std::pow(pi * (double(k) + 0.5) / 2, 2));
  axis.low = axis.high = D;
  EXPECT_DOUBLE_EQ(eigenvalues(axis, Symbols::spectral)[0], -std::pow(pi / 2, 2));
  axis.low = axis.high = P;
  EXPECT_EQ(eigenvalues(axis, Symbols::spectral)[0], 0);
  EXPECT_DOUBLE_EQ(eigenvalues(axis, Symbols::spectral)[4], -std::pow(2 * pi / 2, 2));
}

// The symbols differ by less than w^4 h^2 / 12, the error of the three-point formula.
TEST(Symbols, SecondOrderTendsToSpectral) {
  for (PoissonAxis const& axis : all_axes(40)) {
    auto const second = eigenvalues(axis, Symbols::second_order),
               exact = eigenvalues(axis, Symbols::spectral);
    double const h = testing::step(axis);
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_GE(second[k], exact[k]);
      EXPECT_LE(second[k] - exact[k], exact[k] * exact[k] * h * h / 12 + 1e-9);
    }
  }
}

TEST(Symbols, TransformsAreInversePairs) {
  for (PoissonAxis const& axis : all_axes(6)) {
    Transforms const t = transforms(axis);
    if (axis.low == P) {
      EXPECT_EQ(t.forward, AxisKind::fourier);
      continue;
    }
    Problem const back = inverse_problem(r2r({6}, {t.forward}));
    EXPECT_EQ(back.axes[0].kind, t.back);
    EXPECT_DOUBLE_EQ(back.scale, 1 / t.gain);
  }
}

bool meets(std::vector<double> const& symbol, std::vector<double> const& across, double shift) {
  try {
    check_resonance(symbol, across, shift);
  } catch (Error const& e) {
    return e.argument() == "shift";
  }
  return false;
}

// Of 2^24 points and more the least eigenvalue is below the rounding of the largest one, and no resonance for that.
TEST(Resonance, IsOfTheNumbersThatAreAdded) {
  std::vector<double> const long_line = {-9.8696, -39.478, -4e15};
  EXPECT_FALSE(meets(long_line, {0}, 0));
  EXPECT_FALSE(meets(long_line, {-1e6}, -1e6));
  EXPECT_FALSE(meets(long_line, {9.87}, 9.87));
  EXPECT_TRUE(meets(long_line, {9.8696}, 9.8696));
  EXPECT_TRUE(meets(long_line, {4e15 + 1}, 4e15 + 1));
  EXPECT_TRUE(meets({-1e-6, -1}, {(1e9 + 1e-6) - 1e9}, 1e9 + 1e-6))
      << "what is left of 1e9 is exact to 1e-7 only";
  EXPECT_TRUE(meets({-0.0, -1}, {0}, 0)) << "eigenvalues of a long box underflow";
}

TEST(Eigenvalues, ThatNoMemoryHoldsAreRefused) {
  PoissonProblem problem;
  problem.axes = {{1 << 20, 1, D, D, Centring::node, false, {}},
                  {Index(1) << 31, 1, D, D, Centring::node, false, {}}};
  EXPECT_NO_THROW(refuse_long_axes(problem, 0x1.1p34));
  EXPECT_THROW(refuse_long_axes(problem, 0x1p34), Error);
  problem.axes = {{1 << 20, 1, D, D, Centring::node, false, {}},
                  {1 << 20, 1, D, D, Centring::node, false, {}},
                  {4, 1, D, D, Centring::node, false, {}}};
  EXPECT_NO_THROW(refuse_long_axes(problem, 0x1p34));
  problem.shift = 1;
  EXPECT_THROW(refuse_long_axes(problem, 0x1p34), Error) << "of each column";
}

}  // namespace
}  // namespace skipper::poisson
