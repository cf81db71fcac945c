// The public Poisson solver: convergence to smooth solutions (poisson/convergence_test.cpp has every pair of ends), the zero mode and its policies, what it refuses.
#include <skipper/stream_poisson.h>

#include <gtest/gtest.h>

#include <limits>

#include "poisson/laplacian.h"

namespace skipper {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

PoissonProblem problem(std::vector<PoissonAxis> const& axes, Precision precision = Precision::f64) {
  PoissonProblem p;
  p.precision = precision;
  p.axes = axes;
  return p;
}

PoissonAxis periodic(std::int64_t n, double length = 1) {
  return {n, length, P, P, Centring::cell, false, {}};
}
PoissonAxis swept(std::int64_t n, Boundary low, Boundary high, Centring centring = Centring::cell) {
  return {n, 1, low, high, centring, true, {}};
}

/// The greatest error of phi for u(x, y) with laplace(u) = f.
template <class U, class F>
double error(PoissonProblem const& p, U&& u, F&& f, std::vector<Faces<double>> const& faces = {}) {
  std::vector<double> const x = points(p.axes[0]), y = points(p.axes[1]);
  std::vector<double> right, expected;
  for (double const a : x)
    for (double const b : y) right.push_back(f(a, b)), expected.push_back(u(a, b));
  std::vector<double> phi(right.size());
  Poisson(p).solve(right.data(), phi.data(), {.faces = faces});
  return testing::largest_difference(phi, expected);
}

TEST(Poisson, SpectralIsExactForSmoothPeriodicFunctions) {
  PoissonProblem p = problem({periodic(24), periodic(20, 2)});
  p.symbols = Symbols::spectral;
  auto const u = [](double x, double y) { return std::cos(2 * pi * 3 * x) * std::sin(pi * 4 * y); };
  auto const f = [&](double x, double y) { return -(36 + 16) * pi * pi * u(x, y); };
  EXPECT_LT(error(p, u, f), 1e-14);
}

// The grid of a boundary layer: y = tanh-stretched; still second order.
TEST(Poisson, StretchedGridsConvergeTheSame) {
  auto const u = [](double x, double y) { return std::cos(2 * pi * x) * std::cos(pi * y); };
  auto const f = [&](double x, double y) { return -5 * pi * pi * u(x, y); };
  double last = 0;
  for (std::int64_t const n : {32, 64, 128}) {
    PoissonAxis axis = swept(n, N, N);
    for (std::int64_t i = 0; i <= n; ++i)
      axis.coordinates.push_back(0.5 + std::tanh(4 * double(i) / double(n) - 2) / (2 * std::tanh(2)));
    double const e = error(problem({periodic(2 * n), axis}), u, f);
    if (last > 0) {
      EXPECT_NEAR(last / e, 4, 0.25);
    }
    last = e;
  }
}

// The paper's point: with sweeps in double, f32 keeps its accuracy on long columns next to the singular one.
TEST(Poisson, SweepsInDoubleKeepFloatAccurate) {
  std::int64_t const n = 1024;
  PoissonProblem p = problem({periodic(64, 100), swept(n, N, N)}, Precision::f32);
  std::vector<double> const x = points(p.axes[0]), y = points(p.axes[1]);
  std::vector<float> f, phi;
  std::vector<double> expected;
  for (double const a : x)
    for (double const b : y) {
      double const u = std::cos(2 * pi * a / 100) * std::cos(pi * b);
      expected.push_back(u);
      f.push_back(float(-u * pi * pi * (1 + 4e-4)));
    }
  phi.resize(f.size());
  Poisson(p).solve(f.data(), phi.data());
  EXPECT_LT(testing::largest_difference(phi, expected),
            2e-5);  // what the three-point formula errs here is below 1e-6
}

TEST(Poisson, ReturnsTheDefectAndKeepsThePolicies) {
  PoissonProblem p = problem({periodic(6), swept(5, N, N, Centring::node)});
  std::vector<double> f = testing::noise<double>(30), phi(30), pinned(30);
  double expected = 0;  // the ends count half
  for (std::size_t i = 0; i < 30; ++i) expected += f[i] * (i % 5 == 0 || i % 5 == 4 ? 0.5 : 1) / 24;
  EXPECT_NEAR(Poisson(p).solve(f.data(), phi.data()).defect, expected, 1e-15);
  double mean = 0;
  for (std::size_t i = 0; i < 30; ++i) mean += phi[i] * (i % 5 == 0 || i % 5 == 4 ? 0.5 : 1);
  EXPECT_NEAR(mean, 0, 1e-14);

  p.zero_mode = ZeroMode::pin;
  Poisson(p).solve(f.data(), pinned.data());
  EXPECT_EQ(pinned[0], 0);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(pinned[i], phi[i] - phi[0], 1e-15);

  p.zero_mode = ZeroMode::error;
  std::vector<double> untouched(30, 7);
  EXPECT_THROW(Poisson(p).solve(f.data(), untouched.data()), Error);
  EXPECT_EQ(untouched, std::vector<double>(30, 7));
  for (double& v : f) v -= expected;
  std::vector<double> solved(30);
  Poisson(p).solve(f.data(), solved.data());
  EXPECT_LT(testing::largest_difference(solved, phi), 1e-14);
}

// What flows in through the walls must come from the source: then there is no defect.
TEST(Poisson, BoundaryValuesCountInTheDefect) {
  PoissonProblem p = problem({periodic(4), swept(8, N, N)});
  p.zero_mode = ZeroMode::error;
  std::vector<double> const f(32, 3);
  std::vector<double> phi(32);
  EXPECT_NO_THROW(Poisson(p).solve(f.data(), phi.data(), {.faces = {{}, {{-1.0}, {2.0}}}}));
  EXPECT_THROW(Poisson(p).solve(f.data(), phi.data(), {.faces = {{}, {{-1.0}, {2.5}}}}), Error);
  p.zero_mode = ZeroMode::zero_mean;
  EXPECT_NEAR(Poisson(p).solve(f.data(), phi.data(), {.faces = {{}, {{-1.0}, {2.5}}}}).defect, -0.5, 1e-14);
}

// One number that is none, whichever way it is solved: it comes out, at least where it went in, and nothing hangs.
TEST(Poisson, NotANumberPassesThrough) {
  for (Boundary const low : {P, N, D})
    for (bool const by_sweeps : {false, true})
      for (ZeroMode const policy : {ZeroMode::zero_mean, ZeroMode::pin}) {
        PoissonAxis const axis{8, 1, low, low == P ? P : N, Centring::cell, by_sweeps && low != P, {}};
        PoissonProblem p = problem({periodic(4), axis, periodic(3)});
        p.zero_mode = policy;
        std::vector<double> f(96, 0.5), phi(96);
        f[41] = std::numeric_limits<double>::quiet_NaN();
        Poisson(p).solve(f.data(), phi.data());
        EXPECT_TRUE(std::isnan(phi[41])) << int(low) << by_sweeps;
        f[41] = std::numeric_limits<double>::infinity();
        Poisson(p).solve(f.data(), phi.data());
        EXPECT_FALSE(std::isfinite(phi[41])) << int(low) << by_sweeps;
      }
}

std::string fault(auto&& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.argument();
  }
  return "";
}

TEST(Poisson, RefusesByName) {
  PoissonProblem p = problem({periodic(4), swept(8, N, N)});
  Poisson const poisson(p);
  std::vector<double> f(32), phi(32);
  std::vector<float> single(32);
  EXPECT_EQ(fault([&] { poisson.solve(single.data(), single.data()); }), "f");
  EXPECT_EQ(fault([&] { poisson.solve(static_cast<double*>(nullptr), phi.data()); }), "f");
  EXPECT_EQ(fault([&] { poisson.solve(f.data(), nullptr); }), "phi");
  EXPECT_EQ(fault([&] { poisson.solve(f.data(), phi.data(), {.faces = std::vector<Faces<double>>(1)}); }),
            "faces");
  EXPECT_EQ(fault([&] {
              poisson.solve(f.data(), phi.data(), {.faces = {{{1.0}, {}}, {}}});
            }),
            "faces[0].low");
  EXPECT_EQ(fault([&] {
              poisson.solve(f.data(), phi.data(), {.faces = {{}, {{}, {1, 2}}}});
            }),
            "faces[1].high");
  PlanSettings settings;
  settings.cpu.threads = -1;
  EXPECT_EQ(fault([&] { Poisson(p, settings); }), "cpu.threads");
  p.axes = {periodic(8)};
  p.symbols = Symbols::spectral;
  p.shift = std::pow(2 * pi * 3, 2);
  EXPECT_EQ(fault([&] { Poisson{p}; }), "shift");
  EXPECT_EQ(fault([&] { Poisson(problem({})); }), "axes");
  p.shift = 0, p.complex = true;
  EXPECT_EQ(fault([&] { Poisson{p}; }), "complex");
  p.symbols = Symbols::second_order, p.zero_mode = ZeroMode::pin;
  EXPECT_EQ(fault([&] { StreamPoisson{p}; }), "zero_mode");
}

TEST(Poisson, WithAMemoryLimitTheSame) {
  StreamSettings through;
  through.device = Device("cpu");
  through.memory_limit = 1 << 14;
  PoissonProblem p = problem({periodic(16), {14, 1, D, D, Centring::cell, false, {}}, periodic(12)});
  auto f = testing::noise<double>(testing::count(p));
  std::vector<double> right(f.size()), phi(f.size());
  std::vector<Faces<double>> const faces = {{}, {{1.5}, {-2}}, {}};
  Poisson(p).solve(f.data(), right.data(), {.faces = faces});
  StreamPoisson const limited(p, through);
  EXPECT_LE(limited.device_bytes(), through.memory_limit);
  EXPECT_EQ(limited.trips(), 3) << limited.describe();
  limited.solve(f.data(), phi.data(), {.faces = faces});
  EXPECT_LE(testing::largest_difference(phi, right), 1e-13);

  p = problem({periodic(16), periodic(20)});
  f = testing::noise<double>(testing::count(p));
  right.assign(f.size(), 0), phi.assign(f.size(), 77);
  p.zero_mode = ZeroMode::error;
  EXPECT_THROW(StreamPoisson(p, through).solve(f.data(), phi.data()), Error);
  EXPECT_EQ(phi[3], 77) << "phi is as it was";
  p.zero_mode = ZeroMode::pin;
  double const defect = Poisson(p).solve(f.data(), right.data()).defect;
  EXPECT_NEAR(StreamPoisson(p, through).solve(f.data(), phi.data()).defect, defect, 1e-14);
  EXPECT_EQ(phi[0], 0);
  EXPECT_LE(testing::largest_difference(phi, right), 1e-13);
}

TEST(Poisson, DescribesItself) {
  EXPECT_NE(Poisson(problem({periodic(4), swept(8, N, N)})).describe().find("tridiagonal"),
            std::string::npos);
  EXPECT_NE(Poisson(problem({periodic(4)})).describe().find("divide"), std::string::npos);
}

}  // namespace
}  // namespace skipper
