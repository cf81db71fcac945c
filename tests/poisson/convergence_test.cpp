// Smooth solutions that are known: every pair of ends in one to three dimensions converges with the square of the grid
// spacing, by transforms and by sweeps; spectral symbols are exact for modes; f32 keeps the order that its sweeps in double
// are for (Wu and JaJa, section 4.3).
#include <skipper/poisson.h>

#include <gtest/gtest.h>

#include <cmath>

#include "poisson/laplacian.h"
#include "support/quick.h"

namespace skipper {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr Boundary P = Boundary::periodic, N = Boundary::neumann, D = Boundary::dirichlet;

/// Every sort of axis on a grid of m intervals; a node axis has as many unknowns as its ends leave.
std::vector<PoissonAxis> every_axis(std::int64_t m) {
  std::vector<PoissonAxis> axes;
  for (Centring const centring : {Centring::cell, Centring::node}) {
    axes.push_back({m, 1, P, P, centring, false, {}});
    for (Boundary const low : {N, D})
      for (Boundary const high : {N, D}) {
        std::int64_t const size = centring == Centring::cell ? m : m - 1 + (low == N) + (high == N);
        axes.push_back({size, 1, low, high, centring, false, {}});
      }
  }
  return axes;
}
std::size_t const sorts = every_axis(4).size();

std::string text(std::vector<PoissonAxis> const& axes) {
  std::string result;
  for (PoissonAxis const& a : axes)
    result += std::to_string(a.size) + " " + std::string(name(a.low)) + "-" + std::string(name(a.high)) +
              (a.centring == Centring::cell ? " cell" : " node") + (a.tridiagonal ? " swept; " : "; ");
  return result;
}

/// One factor of the solution: sin(w x + phase), on periodic axes a whole wave.
struct Wave {
  double w, phase;
  double value(double x) const { return std::sin(w * x + phase); }
  double slope(double x) const { return w * std::cos(w * x + phase); }
};
Wave wave_along(std::vector<PoissonAxis> const& axes, std::size_t a) {
  return axes[a].low == P ? Wave{2 * pi, 0.4 + double(a)}
                          : Wave{1.5 + 0.4 * double(a), 0.3 - 0.2 * double(a)};
}

/// f(index, position) for every point of the grid, or of the face of axis `but`.
template <class F>
void each_point(std::vector<PoissonAxis> const& axes, std::size_t but, F f) {
  std::vector<std::vector<double>> x;
  for (std::size_t a = 0; a < axes.size(); ++a) x.push_back(a == but ? std::vector{0.0} : points(axes[a]));
  std::size_t count = 1;
  for (auto const& line : x) count *= line.size();
  std::vector<double> at(axes.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (std::size_t a = axes.size(); a-- > 0; rest /= x[a].size()) at[a] = x[a][rest % x[a].size()];
    f(i, at);
  }
}

/// The root mean square over the box of what the solution of laplace(u) - u = f errs.
double error(std::vector<PoissonAxis> const& axes) {
  PoissonProblem p{Precision::f64, axes, -1, {}, {}};
  std::vector<Wave> waves;
  double eigenvalue = -1;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    waves.push_back(wave_along(axes, a));
    eigenvalue -= waves[a].w * waves[a].w;
  }
  std::vector<double> u, f, weight;
  each_point(axes, axes.size(), [&](std::size_t, std::vector<double> const& at) {
    double value = 1, cell = 1;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      value *= waves[a].value(at[a]);
      bool const end = axes[a].low != P && (at[a] == 0 || at[a] == 1);  // half of a node's cell is outside
      cell *= testing::step(axes[a]) * (end ? 0.5 : 1);
    }
    u.push_back(value), f.push_back(eigenvalue * value), weight.push_back(cell);
  });
  std::vector<Faces<double>> faces(axes.size());
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].low == P) continue;
    each_point(axes, a, [&](std::size_t, std::vector<double> const& at) {
      double others = 1;
      for (std::size_t b = 0; b < axes.size(); ++b) others *= b == a ? 1 : waves[b].value(at[b]);
      auto const given = [&](Boundary side, double x) {
        return others * (side == D ? waves[a].value(x) : waves[a].slope(x));
      };
      faces[a].low.push_back(given(axes[a].low, 0)), faces[a].high.push_back(given(axes[a].high, 1));
    });
  }
  std::vector<double> phi(f.size());
  std::vector<double> const kept = f;
  Poisson(p).solve(f.data(), phi.data(), {.faces = faces});
  EXPECT_EQ(f, kept) << "input changed";
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += weight[i] * std::pow(phi[i] - u[i], 2);
  return std::sqrt(sum);
}

/// On m and 2 m intervals; `sort` picks each axis, `swept` the one that is solved by sweeps, if any.
void expect_factor_four(std::vector<std::size_t> const& sort, std::int64_t m, std::size_t swept) {
  double errors[2];
  std::vector<PoissonAxis> axes;
  for (int level : {0, 1}) {
    axes.clear();
    for (std::size_t const s : sort) axes.push_back(every_axis(m << level)[s]);
    if (swept < axes.size()) axes[swept].tridiagonal = true;
    errors[level] = error(axes);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.08) << text(axes);
}

/// By transforms, then by sweeps along each axis that can be swept.
void expect_factor_four(std::vector<std::size_t> const& sort, std::int64_t m) {
  for (std::size_t swept = 0; swept <= sort.size(); ++swept)
    if (swept == sort.size() || every_axis(m)[sort[swept]].low != P) expect_factor_four(sort, m, swept);
}

TEST(Convergence, OneAxis) {
  for (std::size_t i = 0; i < sorts; ++i) expect_factor_four({i}, 64);
}

TEST(Convergence, EveryPairOfAxes) {
  for (std::size_t i = 0; i < sorts; ++i)
    for (std::size_t j = 0; j < sorts; ++j)
      if (!testing::quick() || (i + j) % 7 == 0) expect_factor_four({i, j}, 48);
}

TEST(Convergence, TriplesOfAxes) {
  std::size_t const step = testing::thorough() ? 1 : testing::quick() ? 661 : 37;
  for (std::size_t i = 5; i < sorts * sorts * sorts; i += step)
    expect_factor_four({i / sorts / sorts, i / sorts % sorts, i % sorts}, 24);
}

/// cos or sin of a few half waves, as the ends want it.
double mode(PoissonAxis const& axis, double& w, double x) {
  w = pi * (axis.low == P ? 4 : axis.low == axis.high ? 3 : 2.5);
  return axis.low == D ? std::sin(w * x) : std::cos(w * x);
}

TEST(Convergence, SpectralSymbolsAreExactForModes) {
  auto const first = every_axis(21), second = every_axis(16);
  for (PoissonAxis const& a : first)
    for (PoissonAxis const& b : second) {
      PoissonProblem p{Precision::f64, {a, b}, -0.5, Symbols::spectral, {}};
      std::vector<double> u, f;
      each_point(p.axes, 2, [&](std::size_t, std::vector<double> const& at) {
        double v = 0, w = 0;
        u.push_back(mode(a, v, at[0]) * mode(b, w, at[1]));
        f.push_back((-v * v - w * w - 0.5) * u.back());
      });
      std::vector<double> phi(f.size());
      Poisson(p).solve(f.data(), phi.data());
      EXPECT_LT(testing::largest_difference(phi, u), 2e-14) << text(p.axes);
    }
}

/// Two periodic axes, exact, and a long one between Neumann ends, swept: all error is that of the sweeps' three points.
template <class T>
double error_of_column(std::int64_t n) {
  PoissonProblem p{sizeof(T) == 4 ? Precision::f32 : Precision::f64,
                   {{8, 1, P, P, Centring::cell, false, {}},
                    {8, 1, P, P, Centring::cell, false, {}},
                    {n, 1, N, N, Centring::cell, true, {}}},
                   0,
                   Symbols::spectral,
                   {}};
  std::vector<double> u;
  std::vector<T> f;
  each_point(p.axes, 3, [&](std::size_t, std::vector<double> const& at) {
    u.push_back(std::cos(2 * pi * at[0]) * std::cos(2 * pi * at[1]) * std::cos(8 * pi * at[2]));
    f.push_back(T(-72 * pi * pi * u.back()));
  });
  std::vector<T> phi(f.size());
  Poisson(p).solve(f.data(), phi.data());
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += std::pow(double(phi[i]) - u[i], 2);
  return std::sqrt(sum / double(u.size()));
}

TEST(Convergence, SinglePrecisionKeepsItToThePapersSize) {
  for (std::int64_t n : {64, 128, 256, 512}) {
    EXPECT_NEAR(error_of_column<double>(n) / error_of_column<double>(2 * n), 4, 0.08) << n;
    EXPECT_NEAR(error_of_column<float>(n) / error_of_column<float>(2 * n), 4, 0.08) << n;
  }
}

}  // namespace
}  // namespace skipper
