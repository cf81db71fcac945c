// Solves through a simulated device that holds a part of the data: the same phi and defect as in core, memory within the
// limit, and the data over the link once where the host does X.
#include "poisson/streamed.h"

#include <gtest/gtest.h>

#include <complex>
#include <optional>

#include "poisson/laplacian.h"
#include "poisson/symbols.h"
#include "stream/simulated_device.h"
#include "support/quick.h"

namespace skipper::poisson {
namespace {

using testing::SimulatedDevice, testing::SimulatedHost;

PoissonAxis axis(std::int64_t n, Boundary low = Boundary::periodic, Boundary high = Boundary::periodic,
                 Centring centring = Centring::cell) {
  PoissonAxis a;
  a.size = n, a.low = low, a.high = high, a.centring = centring;
  return a;
}

PoissonProblem problem(std::vector<PoissonAxis> const& axes, Precision precision = Precision::f64) {
  PoissonProblem p;
  p.axes = axes;
  p.precision = precision;
  return p;
}

PoissonAxis const N = axis(10, Boundary::neumann, Boundary::neumann),
                  D = axis(9, Boundary::dirichlet, Boundary::dirichlet),
                  M = axis(7, Boundary::neumann, Boundary::dirichlet, Centring::node),
                  nodes = axis(8, Boundary::neumann, Boundary::neumann, Centring::node);

PoissonAxis swept(PoissonAxis a) {
  a.tridiagonal = true;
  return a;
}
PoissonAxis stretched() {
  PoissonAxis a = N;
  for (int i = 0; i <= 10; ++i) a.coordinates.push_back(std::tanh(i / 3.0 - 2));
  return a;
}

struct Ran {
  double defect = 0;
  int trips = 0;
  Index peak = 0, limit = 0, up = 0, down = 0;
};

/// By what limit the smallest slices fit, doubled: several slices go through.
template <class T>
Ran through(PoissonProblem const& p, StreamStrategy strategy, bool shared, T const* f, T* phi) {
  Ran ran;
  for (ran.limit = 1024;; ran.limit *= 2) {
    SimulatedDevice device(ran.limit, shared);
    SimulatedHost host;
    std::optional<Streamed> solver;
    try {
      solver.emplace(p, device, ran.limit, strategy);
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "memory_limit") << e.what();
      if (e.argument() != "memory_limit") return ran;
      continue;
    }
    std::vector<std::byte> work(std::size_t(solver->work_bytes()) + 64);
    {
      stream::Reserve reserve(device);
      ran.defect = solver->solve(reserve, host, f, phi, work.data());
    }
    ran.trips = solver->trips();
    EXPECT_LE(device.peak, solver->device_bytes());
    ran.peak = device.peak, ran.up = device.up_bytes, ran.down = device.down_bytes;
    return ran;
  }
}

template <class T>
void expect_as_in_core(PoissonProblem const& p) {
  std::vector<T> const f = testing::noise<T>(testing::count(p));
  std::vector<T> right(f.size());
  double const defect = Poisson(p).solve(f.data(), right.data()).defect;
  double largest = 0;
  for (T v : right) largest = std::max(largest, std::fabs(double(v)));
  double const close = sizeof(T) == 8 ? 1e-13 : 1e-5;
  for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only})
    for (bool shared : {false, true}) {
      SCOPED_TRACE(strategy == StreamStrategy::device_only ? "device_only" : "host_and_device");
      std::vector<T> phi(f.size(), T(77));
      Ran const ran = through<T>(p, strategy, shared, f.data(), phi.data());
      EXPECT_LE(testing::largest_difference(phi, right), close * largest);
      EXPECT_NEAR(ran.defect, defect, close);
      EXPECT_LE(ran.peak, ran.limit);
      EXPECT_EQ(ran.trips, strategy == StreamStrategy::device_only ? 3 : 1);
      phi = f;
      through<T>(p, strategy, shared, phi.data(), phi.data());
      EXPECT_LE(testing::largest_difference(phi, right), close * largest) << "in one array";
    }
}

TEST(Streamed, AgreesWithInCore) {
  std::size_t number = 0;
  for (auto const& axes : {std::vector<PoissonAxis>{axis(16), axis(20)},
                           {axis(12), axis(10), axis(14)},
                           {N, axis(12), axis(10)},
                           {axis(12), axis(10), N},
                           {axis(12), M, axis(11)},
                           {D, N},
                           {N, axis(13)},
                           {axis(13), nodes, N},
                           {N, D, M},
                           {swept(N), axis(12), axis(10)},
                           {swept(M), axis(9), N},
                           {swept(D), N},
                           {swept(nodes), axis(14)},
                           {stretched(), N, axis(11)},
                           {axis(12), swept(N), axis(10)},
                           {N, axis(9), swept(M)},
                           {D, stretched(), N},
                           {axis(14), swept(nodes)},
                           {D, stretched()},
                           {axis(60)},
                           {axis(61, Boundary::neumann, Boundary::neumann)},
                           {swept(axis(40, Boundary::neumann, Boundary::dirichlet))}}) {
    if (!testing::takes(number++, 4)) continue;
    std::string name;
    for (PoissonAxis const& a : axes)
      name += std::string(skipper::name(a.low)) + "-" + std::string(skipper::name(a.high)) + " ";
    SCOPED_TRACE(name);
    expect_as_in_core<double>(problem(axes));
    if (axes.size() == 3) expect_as_in_core<float>(problem(axes, Precision::f32));
    PoissonProblem shifted = problem(axes);
    shifted.shift = -3;
    if (std::none_of(axes.begin(), axes.end(), is_tridiagonal)) shifted.symbols = Symbols::spectral;
    expect_as_in_core<double>(shifted);
  }
}

// Whatever is one cell across, of any ends, and the others of prime sizes.
TEST(Streamed, AxesOfOneCell) {
  std::size_t number = 0;
  for (Boundary const low : {Boundary::periodic, Boundary::neumann, Boundary::dirichlet})
    for (bool const eliminated : {false, true}) {
      if (!testing::takes(number++, 3)) continue;
      PoissonAxis one = axis(1, low, low), line = axis(13),
                  column = axis(11, Boundary::neumann, Boundary::neumann);
      (low == Boundary::periodic ? column : one).tridiagonal = eliminated;
      SCOPED_TRACE(name(low));
      expect_as_in_core<double>(problem({one, column, line}));
      expect_as_in_core<double>(problem({line, column, one}));
      expect_as_in_core<double>(problem({column, one, axis(1)}));
      expect_as_in_core<double>(problem({one, line}));
    }
}

TEST(Streamed, NotANumberPassesThrough) {
  for (auto const& axes :
       {std::vector<PoissonAxis>{axis(8), axis(10), axis(12)}, {N, axis(10), N}, {swept(N), axis(10), D}})
    for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) {
      PoissonProblem const p = problem(axes);
      std::vector<double> f(testing::count(p), 0.5), phi(f.size());
      f[41] = std::numeric_limits<double>::quiet_NaN();
      double const defect = through<double>(p, strategy, false, f.data(), phi.data()).defect;
      EXPECT_TRUE(std::isnan(phi[41]));
      EXPECT_TRUE(std::isnan(defect) || !is_singular(p));
    }
}

TEST(Streamed, CrossesTheLinkOnceWhereTheHostDoesX) {
  PoissonProblem const p = problem({axis(16), axis(12), axis(20)});
  auto const f = testing::noise<double>(testing::count(p));
  std::vector<double> phi(f.size());
  Index const spectrum = 16 * 12 * 11 * 16;
  Ran const once = through<double>(p, StreamStrategy::host_and_device, false, f.data(), phi.data());
  EXPECT_EQ(once.up, spectrum);
  EXPECT_EQ(once.down, spectrum + 16);  // and the constant mode
  EXPECT_LT(once.peak, spectrum);
  Ran const thrice = through<double>(p, StreamStrategy::device_only, false, f.data(), phi.data());
  EXPECT_EQ(thrice.up, 2 * spectrum + Index(f.size()) * 8);
}

TEST(Streamed, ComplexDataAreTwoProblems) {
  PoissonProblem p = problem({axis(8), N, axis(12)});
  auto const re = testing::noise<double>(testing::count(p), 1),
             im = testing::noise<double>(testing::count(p), 2);
  std::vector<double> phi_re(re.size()), phi_im(re.size());
  double const defect = Poisson(p).solve(re.data(), phi_re.data()).defect;
  Poisson(p).solve(im.data(), phi_im.data());
  std::vector<std::complex<double>> f, phi(re.size());
  for (std::size_t i = 0; i < re.size(); ++i) f.emplace_back(re[i], im[i]);
  p.complex = true;
  for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) {
    Ran const ran = through(p, strategy, false, f.data(), phi.data());
    EXPECT_NEAR(ran.defect, defect, 1e-13);
    for (std::size_t i = 0; i < phi.size(); ++i)
      ASSERT_NEAR(std::abs(phi[i] - std::complex<double>(phi_re[i], phi_im[i])), 0, 1e-13) << i;
  }
}

// Too little memory, then what the message asks for.
TEST(Streamed, SaysWhatLimitWouldDo) {
  for (auto const& axes :
       {std::vector<PoissonAxis>{axis(16), axis(12), axis(20)}, {axis(16), swept(N)}, {axis(600)}})
    for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) {
      SimulatedDevice device(1 << 20);
      Index needed = 0;
      try {
        Streamed(problem(axes), device, 100, strategy);
        FAIL() << "accepted";
      } catch (Error const& e) {
        EXPECT_EQ(e.argument(), "memory_limit");
        std::string const what = e.what();
        needed = std::stoll(what.substr(what.find("needs ") + 6));
      }
      EXPECT_THROW(Streamed(problem(axes), device, needed - 1, strategy), Error);
      EXPECT_LE(Streamed(problem(axes), device, needed, strategy).device_bytes(), needed);
    }
}

void expect_progress(PoissonProblem const& p, StreamStrategy strategy, bool pinned) {
  auto const f = testing::noise<double>(testing::count(p));
  std::vector<double> phi(f.size());
  SimulatedDevice device(1 << 14);
  device.reaches_all = pinned;
  SimulatedHost host;
  Streamed const solver(p, device, 1 << 14, strategy, pinned);
  std::vector<std::byte> work(std::size_t(solver.work_bytes()));
  stream::Reserve reserve(device);
  std::int64_t last = 0, all = 0;
  auto const solve = [&](std::function<bool(StreamProgress const&)> const& progress) {
    solver.solve(reserve, host, f.data(), phi.data(), work.data(), progress);
  };
  solve([&](StreamProgress const& now) {
    EXPECT_EQ(now.slices_done, ++last);
    all = now.slices;
    return true;
  });
  EXPECT_EQ(last, all);
  EXPECT_GT(all, 4);
  for (std::int64_t const stop : {std::int64_t(1), std::int64_t(3), all}) {
    std::int64_t reached = 0;
    EXPECT_THROW(solve([&](StreamProgress const& now) { return (reached = now.slices_done) < stop; }),
                 Cancelled);
    EXPECT_EQ(reached, stop);
  }
}

TEST(Streamed, ReportsProgressAndStops) {
  for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only})
    for (bool const pinned : {false, true}) {
      expect_progress(problem({axis(16), axis(12), axis(20)}), strategy, pinned);
      expect_progress(problem({axis(16), swept(N), axis(20)}), strategy, pinned);
    }
}

}  // namespace
}  // namespace skipper::poisson
