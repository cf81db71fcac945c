// Every way in which a Poisson problem can be wrong, by the argument its Error names.
#include <skipper/poisson.h>

#include <gtest/gtest.h>

#include <limits>

namespace skipper {
namespace {

constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

std::string fault(PoissonProblem const& problem) {
  try {
    check(problem);
  } catch (Error const& e) {
    return e.argument();
  }
  return "";
}

PoissonProblem square(PoissonAxis const& second) {
  PoissonProblem p;
  p.axes = {{4, 1, N, D, Centring::cell, false, {}}, second};
  return p;
}

TEST(CheckPoisson, NamesTheArgument) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault(square({4, 1, P, P, Centring::cell, false, {}})), "");
  EXPECT_EQ(fault({}), "axes");
  EXPECT_EQ(fault({Precision::f32, std::vector<PoissonAxis>(4), 0, {}, {}}), "axes");
  EXPECT_EQ(fault(square({0, 1, P, P, Centring::cell, false, {}})), "axes[1].size");
  EXPECT_EQ(fault(square({1, 1, N, N, Centring::node, false, {}})), "axes[1].size");
  EXPECT_EQ(fault(square({1, 1, N, N, Centring::cell, false, {}})), "");
  EXPECT_EQ(fault(square({std::int64_t(1) << 60, 1, P, P, Centring::cell, false, {}})), "axes");
  EXPECT_EQ(fault(square({4, 0, P, P, Centring::cell, false, {}})), "axes[1].length");
  EXPECT_EQ(fault(square({4, nan, P, P, Centring::cell, false, {}})), "axes[1].length");
  EXPECT_EQ(fault(square({4, 1, P, N, Centring::cell, false, {}})), "axes[1].high");
  EXPECT_EQ(fault(square({4, 1, D, P, Centring::cell, false, {}})), "axes[1].low");
  EXPECT_EQ(fault(square({4, 1, P, P, Centring::cell, true, {}})), "axes[1].tridiagonal");
  PoissonProblem p = square({4, 1, N, N, Centring::cell, true, {}});
  EXPECT_EQ(fault(p), "");
  p.axes[0].tridiagonal = true;
  EXPECT_EQ(fault(p), "axes[1].tridiagonal");
  p = square({4, 1, N, N, Centring::cell, false, {}});
  p.shift = nan;
  EXPECT_EQ(fault(p), "shift");
}

TEST(CheckPoisson, Coordinates) {
  EXPECT_EQ(fault(square({2, 0, N, N, Centring::cell, false, {0, 1, 3}})), "");
  EXPECT_EQ(fault(square({2, 0, N, N, Centring::cell, false, {0, 1}})), "axes[1].coordinates");
  EXPECT_EQ(fault(square({2, 0, N, N, Centring::node, false, {0, 1}})), "");
  EXPECT_EQ(fault(square({2, 0, N, D, Centring::node, false, {0, 1, 2}})), "");
  EXPECT_EQ(fault(square({2, 0, D, D, Centring::node, false, {0, 1, 2}})), "axes[1].coordinates");
  EXPECT_EQ(fault(square({2, 0, N, N, Centring::cell, false, {0, 1, 1}})), "axes[1].coordinates[2]");
}

TEST(CheckPoisson, SingularOnlyWithoutDirichletAndShift) {
  PoissonProblem p;
  p.axes = {{4, 1, N, N, Centring::cell, false, {}}, {4, 1, P, P, Centring::cell, false, {}}};
  EXPECT_TRUE(is_singular(p));
  p.shift = -1;
  EXPECT_FALSE(is_singular(p));
  p.shift = 0;
  p.axes[0].high = D;
  EXPECT_FALSE(is_singular(p));
}

}  // namespace
}  // namespace skipper
