// Boundary values on the right side, and weighted means.
#include "poisson/boundary.h"

#include <gtest/gtest.h>

#include "poisson/laplacian.h"

namespace skipper::poisson {
namespace {

constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

// What the values add is what the textbook's operator makes of zero with them, negated.
TEST(Boundary, ValuesMoveToTheRightSide) {
  PoissonProblem p;
  p.axes = {{3, 1, D, N, Centring::cell, false, {}},
            {4, 2, P, P, Centring::cell, false, {}},
            {5, 1, N, D, Centring::node, false, {}}};
  std::vector<Faces<double>> const faces = {{testing::noise<double>(20), {0.5}},
                                            {},
                                            {testing::noise<double>(12, 2), testing::noise<double>(12, 3)}};
  ASSERT_TRUE(any_values(p, faces));
  std::vector<double> f(60);
  add_boundary_values(p, faces, f.data());
  std::vector<double> const zero(60);
  std::vector<double> expected = testing::laplacian(p, zero, faces);
  for (double& v : expected) v = -v;
  EXPECT_LT(testing::largest_difference(f, expected), 1e-12);
}

TEST(Boundary, NothingGivenIsNothing) {
  PoissonProblem p;
  p.axes = {{3, 1, D, N, Centring::cell, false, {}}};
  EXPECT_FALSE(any_values(p, std::vector<Faces<float>>{}));
  EXPECT_FALSE(any_values(p, std::vector<Faces<float>>{{}}));
}

TEST(Boundary, SpectralAxesTakeNone) {
  PoissonProblem p;
  p.symbols = Symbols::spectral;
  p.axes = {{3, 1, D, N, Centring::cell, false, {}}};
  std::vector<Faces<double>> const faces = {{{1.0}, {}}};
  EXPECT_THROW(any_values(p, faces), Error);
  p.axes[0].tridiagonal = true;  // always of second order
  EXPECT_TRUE(any_values(p, faces));
}

TEST(Boundary, MeansWeighByWidth) {
  PoissonProblem p;
  p.axes = {{2, 1, P, P, Centring::cell, false, {}}, {3, 1, N, N, Centring::cell, true, {0, 1, 3, 4}}};
  std::vector<double> const f = {4, 0, 0, 0, -8, 0};
  Summary const s = summary(p, f.data());
  EXPECT_DOUBLE_EQ(s.mean, (4 * 1 - 8 * 2) / 8.0);
  EXPECT_EQ(s.largest, 8);
}

}  // namespace
}  // namespace skipper::poisson
