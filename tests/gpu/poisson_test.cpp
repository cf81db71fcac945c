// Poisson problems on the fake driver, held to the CPU's solutions.
#include <skipper/stream_poisson.h>

#include "gpu/fake_driver/fixture.h"
#include "poisson/split_on_gpu.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

class PoissonOnGpu : public FakeDriver {};

PlanSettings on(char const* device) {
  PlanSettings settings;
  settings.device = Device(device);
  if (settings.device.name() != "cpu") settings.gpu.host_arrays = HostArrays::staged;
  return settings;
}

template <class T>
void expect_as_cpu(PoissonProblem problem) {
  problem.precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  std::size_t n = 1;
  for (PoissonAxis const& a : problem.axes) n *= std::size_t(a.size);
  std::vector<T> f(n), right(n), phi(n);
  auto const random = noise<T>(n);
  for (std::size_t i = 0; i < n; ++i) f[i] = T(0.3) + random[i].real();
  double const expected = Poisson(problem, on("cpu")).solve(f.data(), right.data()).defect;
  Poisson const solver(problem, on("cuda:0"));
  SCOPED_TRACE(solver.describe());
  double const defect = solver.solve(f.data(), phi.data()).defect;
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < n; ++i)
    error += double(phi[i] - right[i]) * double(phi[i] - right[i]),
        norm += double(right[i]) * double(right[i]);
  EXPECT_LE(std::sqrt(error / norm), sizeof(T) == 4 ? 1e-5 : 1e-14);
  EXPECT_NEAR(defect, expected, sizeof(T) == 4 ? 1e-6 : 1e-14);
  solver.solve(f.data(), f.data());  // one array
  EXPECT_TRUE(f == phi);
}

PoissonAxis periodic(std::int64_t size, double length = 1) {
  PoissonAxis axis;
  axis.size = size, axis.length = length;
  return axis;
}
PoissonAxis bounded(std::int64_t size, Boundary low, Centring centring) {
  PoissonAxis axis;
  axis.size = size, axis.low = low, axis.high = Boundary::neumann, axis.centring = centring;
  return axis;
}
PoissonAxis const neumann = bounded(12, Boundary::neumann, Centring::cell),
                  mixed = bounded(9, Boundary::dirichlet, Centring::node);

TEST_F(PoissonOnGpu, PeriodicAxes) {
  std::size_t number = 0;
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(100)},
                           {periodic(24), periodic(30, 3)},
                           {periodic(8), periodic(12), periodic(10, 0.5)},
                           {periodic(100), periodic(128)}})
    for (Symbols symbols : {Symbols::second_order, Symbols::spectral})
      for (double shift : {0.0, -2.5}) {
        if (!takes(number++, 5)) continue;
        PoissonProblem p;
        p.axes = axes, p.symbols = symbols, p.shift = shift;
        expect_as_cpu<float>(p);
        if (axes.size() == 3) expect_as_cpu<double>(p);
      }
}

// The halved axis is then as long in the spectrum as in the data, and no sweep transforms it.
TEST_F(PoissonOnGpu, HalvedAxesOfOnePoint) {
  PoissonAxis const point = bounded(1, Boundary::neumann, Centring::cell);
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(3), periodic(1), point},
                           {periodic(8), periodic(1)},
                           {periodic(6), neumann, periodic(1)},
                           {periodic(1), neumann}}) {
    PoissonProblem p;
    p.axes = axes;
    p.shift = -1;
    expect_as_cpu<float>(p);
  }
}

// No sweep transforms a bounded axis of one point, whose way there and back double it in different places.
TEST_F(PoissonOnGpu, BoundedAxesOfOnePoint) {
  std::size_t number = 0;
  for (Centring centring : {Centring::cell, Centring::node})
    for (Boundary low : {Boundary::dirichlet, Boundary::neumann})
      for (Boundary high : {Boundary::dirichlet, Boundary::neumann}) {
        PoissonAxis point = bounded(1, low, centring);
        point.high = high;
        if (centring == Centring::node && low == Boundary::neumann && high == low)
          continue;  // of two points at least
        for (auto const& axes : {std::vector<PoissonAxis>{periodic(6), point},
                                 {point, periodic(10)},
                                 {neumann, point},
                                 {point, neumann, periodic(8)}}) {
          if (!takes(number++, 2)) continue;
          PoissonProblem p;
          p.axes = axes;
          p.shift = -1;
          expect_as_cpu<double>(p);
        }
      }
}

TEST_F(PoissonOnGpu, OneOtherAxis) {
  std::size_t number = 0;
  for (PoissonAxis const& other : {neumann, mixed})
    for (std::size_t at : {0u, 1u, 2u}) {
      for (std::int64_t n : {16, quick() ? 24 : 64}) {
        if (!takes(number++, 5)) continue;
        PoissonProblem p;
        p.axes = {periodic(n), periodic(n + 4)};
        p.axes.insert(p.axes.begin() + std::ptrdiff_t(at), other);
        expect_as_cpu<float>(p);
      }
    }
}

TEST_F(PoissonOnGpu, NodesOnNeumannEndsCountHalf) {
  PoissonProblem p;
  p.axes = {bounded(9, Boundary::neumann, Centring::node), periodic(16), periodic(20)};
  expect_as_cpu<float>(p);
  expect_as_cpu<double>(p);
}

TEST_F(PoissonOnGpu, OneAxisByElimination) {
  PoissonAxis stretched = neumann;
  for (int i = 0; i <= 12; ++i) stretched.coordinates.push_back(std::tanh(i / 3.0 - 2));
  for (PoissonAxis swept : {neumann, mixed, bounded(21, Boundary::neumann, Centring::node), stretched}) {
    swept.tridiagonal = true;
    for (std::size_t at : {0u, 1u, 2u}) {
      PoissonProblem p;
      p.axes = {periodic(8), periodic(10)};
      p.axes.insert(p.axes.begin() + std::ptrdiff_t(at), swept);
      if (takes(at, 2)) expect_as_cpu<float>(p);
      if (takes(at + 1, 2)) expect_as_cpu<double>(p);
    }
    PoissonProblem p;
    p.axes = {swept, neumann};  // a real spectrum
    expect_as_cpu<float>(p);
    p.axes = {mixed, swept, periodic(12)};
    p.shift = -2;
    expect_as_cpu<double>(p);
    p.axes = {swept, periodic(quick() ? 128 : 160), periodic(6)};  // more columns than a tile
    expect_as_cpu<double>(p);
    p.shift = 0;
    expect_as_cpu<float>(p);
  }
}

/// A solve around the given middle axis as the CPU has it.
template <class T>
void expect_in_three_plans(PoissonProblem p, std::size_t middle) {
  bool const wide = sizeof(T) == 8;
  p.precision = wide ? Precision::f64 : Precision::f32;
  std::size_t n = 1;
  for (PoissonAxis const& a : p.axes) n *= std::size_t(a.size);
  std::vector<T> f(n), right(n), phi(n);
  auto const random = noise<T>(n);
  for (std::size_t i = 0; i < n; ++i) f[i] = T(0.25) + random[i].real();
  double const defect = Poisson(p, on("cpu")).solve(f.data(), right.data()).defect;
  gpu::Options options;
  options.stage_host_arrays = true;
  poisson::SplitOnGpu const solver(p, middle, 0, options);
  SCOPED_TRACE(solver.describe());
  EXPECT_NEAR(solver.solve(f.data(), phi.data()), defect, wide ? 1e-14 : 1e-6);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < n; ++i)
    error += std::pow(double(phi[i] - right[i]), 2), norm += std::pow(double(right[i]), 2);
  EXPECT_LE(std::sqrt(error / norm), wide ? 1e-13 : 1e-5);

  // In workspace and on a stream of the caller: the same to the last bit.
  DeviceArray<T> from(f), to(n);
  DeviceArray<char> work(solver.workspace_bytes());
  void* stream = nullptr;
  cuStreamCreate(&stream, 1);
  EXPECT_NEAR(solver.solve(from.data(), to.data(), work.data(), static_cast<gpu::Stream>(stream)), defect,
              wide ? 1e-14 : 1e-6);
  EXPECT_TRUE(to.values() == phi);
  cuStreamDestroy_v2(stream);
}

TEST_F(PoissonOnGpu, InThreePlans) {
  PoissonAxis dirichlet = bounded(15, Boundary::dirichlet, Centring::cell);
  dirichlet.high = Boundary::dirichlet;
  struct {
    std::vector<PoissonAxis> axes;
    std::vector<std::size_t> middles;
  } const cases[] = {{{periodic(16), periodic(12), periodic(20)}, {0, 1, 2}},
                     {{neumann, periodic(12), periodic(20)}, {0, 1}},
                     {{periodic(16), neumann, periodic(10)}, {0, 1, 2}},
                     {{periodic(16), periodic(12), mixed}, {0}},
                     {{dirichlet, neumann, periodic(18)}, {0, 1}},
                     {{dirichlet, periodic(10)}, {0}},
                     {{periodic(9), neumann}, {1}}};
  std::size_t number = 0;
  for (auto const& [axes, middles] : cases)
    for (std::size_t const middle : middles) {
      ++number;  // with SKIPPER_QUICK=1 each with another shift and precision
      for (double shift : {0.0, -2.0}) {
        PoissonProblem p;
        p.axes = axes, p.shift = shift;
        if (takes(number++, 4)) expect_in_three_plans<float>(p, middle);
        if (takes(number++, 4)) expect_in_three_plans<double>(p, middle);
      }
    }
}

TEST_F(PoissonOnGpu, BoundaryValuesAreAddedAsFIsLoaded) {
  for (bool swept : {false, true}) {
    PoissonProblem p;
    p.axes = {mixed, periodic(8), periodic(10)};
    p.axes[0].tridiagonal = swept;
    if (swept) p.axes[2] = neumann;
    std::size_t const face = std::size_t(p.axes[1].size * p.axes[2].size), n = 9 * face;
    std::vector<float> f(n), right(n), phi(n);
    auto const random = noise<float>(n);
    for (std::size_t i = 0; i < n; ++i) f[i] = random[i].real();
    auto const before = f;
    std::vector<Faces<float>> faces(3);
    for (std::size_t i = 0; i < face; ++i) faces[0].low.push_back(random[i].imag());
    faces[0].high = {0.5f};
    if (swept) faces[2].low = {-1};
    Poisson(p, on("cpu")).solve(f.data(), right.data(), {.faces = faces});
    Poisson const solver(p, on("cuda:0"));
    for (int round = 0; round < 2; ++round) {
      phi.assign(n, 77);
      solver.solve(f.data(), phi.data(), {.faces = faces});
      double error = 0, norm = 0;
      for (std::size_t i = 0; i < n; ++i)
        error += std::pow(double(phi[i] - right[i]), 2), norm += std::pow(double(right[i]), 2);
      EXPECT_LE(std::sqrt(error / norm), 1e-5);
    }
    EXPECT_EQ(f, before);
    Poisson(p, on("cpu")).solve(f.data(), right.data());  // and without any
    solver.solve(f.data(), phi.data());
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(double(phi[i] - right[i])));
    EXPECT_LE(worst, 1e-5);
  }
}

TEST_F(PoissonOnGpu, ThroughLittleMemory) {
  PoissonAxis swept = bounded(20, Boundary::neumann, Centring::cell);
  swept.tridiagonal = true;
  for (auto strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only})
    for (auto const& axes : {std::vector<PoissonAxis>{periodic(16), periodic(12), periodic(20)},
                             {neumann, periodic(12), periodic(20)},
                             {periodic(16), periodic(12), neumann},
                             {neumann, mixed},
                             {swept, periodic(12), periodic(20)},
                             {periodic(12), swept, periodic(16)},
                             {neumann, swept},
                             {swept, neumann}}) {
      PoissonProblem p;
      p.axes = axes;
      std::size_t n = 1;
      for (PoissonAxis const& a : axes) n *= std::size_t(a.size);
      std::vector<float> f(n), right(n), phi(n);
      auto const random = noise<float>(n);
      for (std::size_t i = 0; i < n; ++i) f[i] = 0.25f + random[i].real();
      double const defect = Poisson(p, on("cpu")).solve(f.data(), right.data()).defect;
      StreamSettings through;
      through.device = Device("cuda:0");
      through.memory_limit = n > 1000 ? 24 << 10 : 6 << 10;
      through.strategy = strategy;
      StreamPoisson const solver(p, through);
      SCOPED_TRACE(solver.describe());
      EXPECT_EQ(solver.trips(), strategy == StreamStrategy::device_only ? 3 : 1);
      EXPECT_LE(solver.device_bytes(), through.memory_limit);
      EXPECT_NEAR(solver.solve(f.data(), phi.data()).defect, defect, 1e-6);
      double error = 0, norm = 0;
      for (std::size_t i = 0; i < n; ++i)
        error += std::pow(double(phi[i] - right[i]), 2), norm += std::pow(double(right[i]), 2);
      EXPECT_LE(std::sqrt(error / norm), 1e-5);
    }
}

TEST_F(PoissonOnGpu, FewPeriodicAxesOrNone) {
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(16), neumann},
                           {neumann, mixed},
                           {mixed, periodic(12), neumann},
                           {neumann, neumann, neumann},
                           {periodic(10), bounded(9, Boundary::neumann, Centring::node), mixed}}) {
    PoissonProblem p;
    p.axes = axes;
    expect_as_cpu<float>(p);
    expect_as_cpu<double>(p);
    p.shift = -3;
    expect_as_cpu<double>(p);
  }
}

TEST_F(PoissonOnGpu, OddSizesAndSingleCells) {
  PoissonAxis swept = neumann, one = mixed;
  swept.tridiagonal = one.tridiagonal = true;
  one.size = 1;
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(1), periodic(15), periodic(21)},
                           {periodic(7), periodic(1), neumann},
                           {periodic(9), periodic(1)},
                           {swept, periodic(1)},
                           {one, periodic(11), periodic(5)},
                           {periodic(13), swept, periodic(1)}}) {
    PoissonProblem p;
    p.axes = axes;
    expect_as_cpu<float>(p);
    p.shift = -1;
    expect_as_cpu<double>(p);
  }
}

// As a fused inverse, by elimination, in three plans (by cosines), and in plain steps.
TEST_F(PoissonOnGpu, NotANumberPassesThrough) {
  PoissonAxis swept = neumann;
  swept.tridiagonal = true;
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(8), periodic(10), periodic(12)},
                           {swept, periodic(8), periodic(6)},
                           {neumann, periodic(10)},
                           {neumann}}) {
    PoissonProblem p;
    p.axes = axes;
    std::size_t n = 1;
    for (PoissonAxis const& a : axes) n *= std::size_t(a.size);
    std::vector<float> f(n, 1), phi(n);
    f[7] = std::nanf("");
    Poisson const solver(p, on("cuda:0"));
    SCOPED_TRACE(solver.describe());
    EXPECT_TRUE(std::isnan(solver.solve(f.data(), phi.data()).defect));
    for (float v : phi) EXPECT_TRUE(std::isnan(v));
  }
}

PoissonAxis between(Boundary both, std::int64_t size) {
  PoissonAxis axis = bounded(size, both, Centring::cell);
  axis.high = both;
  return axis;
}

// What no fused inverse does, in steps: one axis alone, spectral symbols and positive shifts with few periods, non-smooth lengths.
TEST_F(PoissonOnGpu, InPlainSteps) {
  for (auto const& axes : {std::vector<PoissonAxis>{neumann},
                           {mixed},
                           {between(Boundary::dirichlet, 20)},
                           {bounded(9, Boundary::neumann, Centring::node), periodic(10)},
                           {mixed, periodic(12), mixed},
                           {mixed, neumann},
                           {periodic(16), neumann}})
    for (Symbols symbols : {Symbols::second_order, Symbols::spectral})
      for (double shift : {0.0, -2.0, 3.0}) {
        if (quick() && (shift < 0 || (shift > 0) != (symbols == Symbols::spectral))) continue;
        PoissonProblem p;
        p.axes = axes, p.symbols = symbols, p.shift = shift;
        expect_as_cpu<float>(p);
        if (!quick()) expect_as_cpu<double>(p);
      }
  PoissonProblem large_primes;
  large_primes.axes = {periodic(quick() ? 6 : 67), periodic(74)};
  expect_as_cpu<double>(large_primes);
  if (!quick()) expect_as_cpu<float>(large_primes);
}

TEST_F(PoissonOnGpu, OneTridiagonalAxisAlone) {
  PoissonAxis stretched = mixed;
  stretched.coordinates = {0, 0.5, 1.5, 2, 2.25, 3, 3.5, 3.6, 4, 5};
  for (PoissonAxis axis : {neumann, mixed, stretched}) {
    axis.tridiagonal = true;
    PoissonProblem p;
    p.axes = {axis};
    expect_as_cpu<float>(p);
    p.shift = -1;
    expect_as_cpu<double>(p);
  }
}

TEST_F(PoissonOnGpu, ZeroModesAsOnTheCpu) {
  PoissonAxis swept = neumann;
  swept.tridiagonal = true;
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(8), periodic(12)},
                           {neumann, periodic(10)},
                           {swept, periodic(6)},
                           {neumann}}) {
    PoissonProblem p;
    p.axes = axes;
    std::size_t n = 1;
    for (PoissonAxis const& a : axes) n *= std::size_t(a.size);
    auto const random = noise<float>(n);
    std::vector<float> f(n), right(n), phi(n, 77);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += random[i].real() / double(n);
    for (std::size_t i = 0; i < n; ++i) f[i] = float(random[i].real() - mean);
    auto const expect_right = [&] {
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(phi[i], right[i], 1e-6) << i;
    };
    for (ZeroMode mode : {ZeroMode::pin, ZeroMode::error}) {
      p.zero_mode = mode;
      Poisson(p, on("cpu")).solve(f.data(), right.data());
      Poisson(p, on("cuda:0")).solve(f.data(), phi.data());
      expect_right();
      DeviceArray<float> there(f), solution(phi);  // and where both lie on the device
      Poisson const solver(p, on("cuda:0"));
      solver.solve(there.data(), solution.data());
      phi = solution.values();
      expect_right();
    }
    auto const before = phi;
    for (float& v : f) v += 0.5f;
    Poisson const careful(p, on("cuda:0"));
    EXPECT_THROW(careful.solve(f.data(), phi.data()), Error);
    EXPECT_EQ(phi, before);
    DeviceArray<float> there(f), solution(phi);
    EXPECT_THROW(careful.solve(there.data(), solution.data()), Error);
    phi = solution.values();
    EXPECT_EQ(phi, before);
  }
}

TEST_F(PoissonOnGpu, RefusesAShiftThatMeetsAnEigenvalue) {
  for (auto const& axes : {std::vector<PoissonAxis>{periodic(16), periodic(16)}, {periodic(16)}}) {
    PoissonProblem p;
    p.axes = axes;
    p.shift = std::pow(2 * 16 * std::sin(M_PI / 16), 2);
    try {
      Poisson const solver(p, on("cuda:0"));
      ADD_FAILURE() << "accepted";
    } catch (Error const& e) {
      EXPECT_EQ(e.argument(), "shift") << e.what();
    }
  }
}

}  // namespace
}  // namespace skipper::testing
