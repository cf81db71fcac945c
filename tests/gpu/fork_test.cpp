// A child of a process that used CUDA: plans on the GPU say why they cannot work, the best device is the CPU, and the
// child ends as any other. The driver is the fake driver, of which nothing more is called in the child.
#include <skipper/skipper.h>

#include <optional>

#include "gpu/device.h"
#include "gpu/fake_driver/fixture.h"
#include "support/child.h"

namespace skipper::testing {
namespace {

std::string said_by(auto const& call) {
  try {
    call();
    return "nothing";
  } catch (Error const& e) {
    return e.what();
  }
}

bool says_why(std::string const& said) {
  return said.starts_with("device: ") && said.find("forked") != std::string::npos;
}

/// 0, or which of these failed.
int works_in_child(Plan const& on_gpu, StreamPlan const& streamed, Poisson const& poisson) {
  std::vector<std::complex<float>> const in(64, {1, 0});
  std::vector<std::complex<float>> out(64);
  std::vector<float> phi(64);
  if (!says_why(said_by([&] { on_gpu.execute(in.data(), out.data()); }))) return 1;
  if (!says_why(said_by([&] { streamed.execute(in.data(), out.data()); }))) return 2;
  if (!says_why(said_by([&] { poisson.solve(phi.data(), phi.data()); }))) return 3;
  if (said_by([] { Device("cuda:0"); }).find("forked") == std::string::npos) return 4;
  if (Device().name() != "cpu" || devices().size() != 1) return 5;
  Plan const best(c2c({64}));
  best.execute(in.data(), out.data());
  if (best.device().name() != "cpu" || out[0] != std::complex<float>(64)) return 6;
  if (!says_why(said_by([&] { on_gpu.describe(); }))) return 7;
  { std::optional<Plan> copy(on_gpu); }
  return 0;
}

// First of all, while this process has not opened the driver.
TEST(CudaAfterFork, AChildOfAProcessThatDidNotUseItMayUseIt) {
  auto const work = [] {
    use_fake_driver();
    return Device().name() == "cuda:0" && gpu::device_count() == 2 ? 0 : 1;
  };
  EXPECT_EQ(end_of(start_child(work, Leaves::by_exit)), "status 0");
}

using CudaAfterForkWith = FakeDriver;

TEST_F(CudaAfterForkWith, GpuPlansSayWhyAndTheCpuWorks) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  settings.gpu.host_arrays = HostArrays::staged;
  std::optional<Plan> plan(std::in_place, c2c({64}), settings);
  StreamSettings through;
  through.device = Device("cuda:0");
  StreamPlan const streamed(c2c({64}), through);
  PoissonProblem problem;
  problem.axes.resize(1);
  problem.axes[0].size = 64;
  Poisson const poisson(problem, settings);
  auto const work = [&] {
    int const status = works_in_child(*plan, streamed, poisson);
    plan.reset();  // destroyed there too
    return status;
  };
  for (Leaves const leaves : {Leaves::by_exit, Leaves::at_once})
    EXPECT_EQ(end_of(start_child(work, leaves)), "status 0");
  std::vector<std::complex<float>> const in(64, {1, 0});  // the parent goes on
  std::vector<std::complex<float>> out(64);
  plan->execute(in.data(), out.data());
  EXPECT_EQ(out[0], std::complex<float>(64));
  EXPECT_EQ(Device().name(), "cuda:0");
}

}  // namespace
}  // namespace skipper::testing
