// Poisson solvers on streams of the caller, with workspace of the caller: what is allocated, what waits, and in which order
// things are done.
#include <skipper/poisson.h>

#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

class PoissonStreams : public FakeDriver {
 protected:
  PoissonStreams() {
    cuStreamCreate(&first_, 1);
    cuStreamCreate(&second_, 1);
  }
  ~PoissonStreams() override {
    cuStreamDestroy_v2(first_);
    cuStreamDestroy_v2(second_);
  }
  void *first_ = nullptr, *second_ = nullptr;
};

PlanSettings on(char const* device) {
  PlanSettings settings;
  settings.device = Device(device);
  return settings;
}

PoissonAxis axis(std::int64_t size, Boundary ends = Boundary::periodic) {
  PoissonAxis result;
  result.size = size, result.low = result.high = ends;
  return result;
}

std::vector<float> numbers(std::size_t count, unsigned seed = 1) {
  std::vector<float> result;
  for (auto const v : noise<float>(count, seed)) result.push_back(v.real());
  return result;
}

std::size_t points(PoissonProblem const& p) {
  std::size_t n = 1;
  for (PoissonAxis const& a : p.axes) n *= std::size_t(a.size);
  return n;
}

void expect_near(std::vector<float> const& right, std::vector<float> const& got) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < right.size(); ++i)
    error += std::pow(double(got[i] - right[i]), 2), norm += std::pow(double(right[i]), 2);
  EXPECT_LE(std::sqrt(error / norm), 1e-5);
}

/// A problem for each way to solve one: fused, elimination, and plain steps.
std::vector<PoissonProblem> one_of_each() {
  PoissonAxis swept = axis(12, Boundary::dirichlet);
  swept.tridiagonal = true;
  std::vector<PoissonProblem> all(4);
  all[0].axes = {axis(24), axis(30)};
  all[1].axes = {swept, axis(8), axis(10)};
  all[2].axes = {axis(20, Boundary::dirichlet)};
  all[3].axes = {axis(20, Boundary::neumann)};  // singular, as the first
  return all;
}

TEST_F(PoissonStreams, WorkspaceIsAllThatASolveTakes) {
  for (PoissonProblem p : one_of_each())
    for (ZeroMode const mode : {ZeroMode::zero_mean, ZeroMode::pin}) {
      p.zero_mode = mode;
      std::size_t const n = points(p);
      std::vector<float> const f = numbers(n);
      std::vector<float> right(n);
      double const defect = Poisson(p, on("cpu")).solve(f.data(), right.data()).defect;
      Poisson const solver(p, on("cuda:0"));
      SCOPED_TRACE(solver.describe());
      EXPECT_EQ(solver.device().name(), "cuda:0");
      ASSERT_GT(solver.workspace_bytes(), 0u);
      DeviceArray<float> from(f), to(n);
      DeviceArray<char> work(solver.workspace_bytes());
      std::size_t const before = fake_driver::allocated();
      fake_driver::reset();
      double const got =
          solver.solve(from.data(), to.data(), {.workspace = work.data(), .stream = first_}).defect;
      EXPECT_EQ(fake_driver::allocated(), before);
      EXPECT_EQ(fake_driver::calls("cuMemAllocFromPoolAsync"), 0);
      EXPECT_NEAR(got, defect, 1e-6);
      expect_near(right, to.values());
    }
}

TEST_F(PoissonStreams, WorkIsDoneInTheOrderOfItsStream) {
  for (PoissonProblem const& p : one_of_each()) {
    if (is_singular(p)) continue;  // these wait for their defect
    std::size_t const n = points(p);
    std::vector<float> const f = numbers(n), other = numbers(n, 2);
    std::vector<float> right(n), right_other(n);
    Poisson const cpu(p, on("cpu")), solver(p, on("cuda:0"));
    cpu.solve(f.data(), right.data());
    cpu.solve(other.data(), right_other.data());
    DeviceArray<float> from(f), from_other(other), to(n), to_other(n);
    fake_driver::reset();
    int const before = fake_driver::kernels_run();
    solver.solve(from.data(), to.data(), {.stream = first_});
    solver.solve(from_other.data(), to_other.data(), {.stream = second_});
    EXPECT_EQ(fake_driver::kernels_run(), before) << "nothing is waited for";
    cuStreamSynchronize(second_);
    expect_near(right_other, to_other.values());
    expect_near(right, to.values());
  }
}

// The values are in one place for all solves: the second stream waits for the first.
TEST_F(PoissonStreams, BoundaryValuesOfTwoStreams) {
  PoissonProblem p;
  p.axes = {axis(9, Boundary::dirichlet), axis(8), axis(10)};
  std::size_t const n = points(p);
  std::vector<float> const f = numbers(n);
  std::vector<float> right(n), right_other(n);
  std::vector<Faces<float>> values(3), others(3);
  values[0].low = {0.5f}, others[0].low = {-2};
  Poisson const cpu(p, on("cpu")), solver(p, on("cuda:0"));
  cpu.solve(f.data(), right.data(), {.faces = values});
  cpu.solve(f.data(), right_other.data(), {.faces = others});
  DeviceArray<float> from(f), to(n), to_other(n);
  for (int round = 0; round < 2; ++round) {
    solver.solve(from.data(), to.data(), {.faces = values, .stream = first_});
    solver.solve(from.data(), to_other.data(), {.faces = others, .stream = second_});
    cuStreamSynchronize(second_);
    expect_near(right_other, to_other.values());
    expect_near(right, to.values());
  }
}

std::string fault(std::function<void()> const& call) {
  try {
    call();
  } catch (Error const& e) {
    return e.argument();
  }
  return "";
}

TEST_F(PoissonStreams, IsCapturedWhereNothingIsWaitedFor) {
  PoissonProblem p;
  p.axes = {axis(9, Boundary::dirichlet), axis(8), axis(10)};
  std::size_t const n = points(p);
  std::vector<float> const f = numbers(n);
  std::vector<float> right(n);
  Poisson(p, on("cpu")).solve(f.data(), right.data());
  Poisson const solver(p, on("cuda:0"));
  DeviceArray<float> from(f), to(n);
  DeviceArray<char> work(solver.workspace_bytes());
  PoissonProblem floating;
  floating.axes = {axis(9, Boundary::neumann), axis(8), axis(10)};
  Poisson const singular(floating, on("cuda:0"));
  std::vector<Faces<float>> values(3);
  values[0].low = {0.5f};
  void *graph = nullptr, *exec = nullptr;
  ASSERT_EQ(cuStreamBeginCapture_v2(first_, 0), 0);
  solver.solve(from.data(), to.data(), {.workspace = work.data(), .stream = first_});
  EXPECT_EQ(fault([&] { solver.solve(from.data(), to.data(), {.faces = values, .stream = first_}); }),
            "stream");
  EXPECT_EQ(fault([&] { singular.solve(from.data(), to.data(), {.stream = first_}); }), "stream");
  ASSERT_EQ(cuStreamEndCapture(first_, &graph), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  cuGraphLaunch(exec, first_);
  expect_near(right, to.values());
  cuGraphExecDestroy(exec);
  cuGraphDestroy(graph);
}

TEST_F(PoissonStreams, RefusesByName) {
  PoissonProblem p;
  p.axes = {axis(8), axis(8)};
  Poisson const solver(p, on("cuda:0"));
  DeviceArray<float> f(64), phi(64);
  std::vector<char> host(solver.workspace_bytes() + 64);
  DeviceArray<char> work(solver.workspace_bytes() + 64);
  auto const aligned = (reinterpret_cast<std::uintptr_t>(host.data()) + 63) / 64 * 64;
  void* const in_host = reinterpret_cast<void*>(aligned);
  EXPECT_EQ(fault([&] { solver.solve(f.data(), phi.data(), {.workspace = in_host}); }), "workspace");
  EXPECT_EQ(fault([&] { solver.solve(f.data(), phi.data(), {.workspace = work.data() + 8}); }), "workspace");
  PlanSettings settings = on("cuda:0");
  settings.cpu.threads = 2;
  EXPECT_EQ(fault([&] { Poisson(p, settings); }), "cpu.threads");
  EXPECT_EQ(fault([&] { Plan(c2c({8}), settings); }), "cpu.threads");
  settings.cpu = {};
  settings.gpu.program = "{}";
  EXPECT_EQ(fault([&] { Poisson(p, settings); }), "gpu.program");
}

// The best device has settings of both sorts and takes its own.
TEST_F(PoissonStreams, BestTakesTheSettingsOfItsOwn) {
  PlanSettings settings;
  settings.cpu.threads = 2;
  settings.gpu.host_arrays = HostArrays::staged;
  EXPECT_EQ(Plan(c2c({8}), settings).device().name(), "cuda:0");
  EXPECT_EQ(Plan(c2c({8}), settings).inverse().device().name(), "cuda:0");
  PoissonProblem p;
  p.axes = {axis(8), axis(8)};
  EXPECT_EQ(Poisson(p).device().name(), "cuda:0") << "as a plan's default";
  std::vector<float> const f = numbers(64);
  std::vector<float> right(64), got(64);
  Poisson(p, on("cpu")).solve(f.data(), right.data());
  Poisson(p, settings).solve(f.data(), got.data());
  expect_near(right, got);
}

}  // namespace
}  // namespace skipper::testing
