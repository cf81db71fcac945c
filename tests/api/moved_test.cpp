// What was moved from throws, from every function, and can be assigned to again.
#include <skipper/skipper.h>

#include <gtest/gtest.h>

#include <utility>

namespace skipper {
namespace {

PlanSettings on_cpu() {
  PlanSettings settings;
  settings.device = Device("cpu");
  return settings;
}

template <class Call>
void expect_refused(char const* argument, Call call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (Error const& e) {
    EXPECT_EQ(e.argument(), argument) << e.what();
    EXPECT_NE(std::string(e.what()).find("moved from"), std::string::npos) << e.what();
  }
}

template <class... Calls>
void expect_all_refused(char const* argument, Calls... calls) {
  (expect_refused(argument, calls), ...);
}

std::complex<float> c32[8];
std::complex<double> c64[8];
float f32[8];
double f64[8];
Half f16[16];
BFloat16 bf16[16];

TEST(Moved, Plan) {
  Plan plan({4}, Precision::f32, Direction::forward, on_cpu());
  Plan const taken = std::move(plan);
  expect_all_refused(
      "plan", [&] { plan.execute(c32, c32 + 4); }, [&] { plan.execute(c64, c64 + 4); },
      [&] { plan.execute(f32, c32); }, [&] { plan.execute(f64, c64); }, [&] { plan.execute(c32, f32); },
      [&] { plan.execute(c64, f64); }, [&] { plan.execute(f32, f32 + 4); },
      [&] { plan.execute(f64, f64 + 4); }, [&] { plan.execute(f16, f16 + 8); },
      [&] { plan.execute(bf16, bf16 + 8); },
      [&] { plan.execute(static_cast<void*>(c32), static_cast<void*>(c32 + 4), {.workspace = f64}); },
      [&] { plan.workspace_bytes(); }, [&] { plan.inverse(); }, [&] { plan.problem(); },
      [&] { plan.device(); }, [&] { plan.describe(); }, [&] { plan.plan_timings(); });
  Plan const copy = plan;
  expect_refused("plan", [&] { copy.describe(); });
  plan = taken;
  plan.execute(c32, c32 + 4);
}

TEST(Moved, Convolution) {
  ConvolutionProblem problem;
  problem.shape = {8};
  problem.kernel = {3};
  problem.mode = ConvolutionMode::same;
  Convolution convolution(problem, f32, on_cpu());
  Convolution const taken = std::move(convolution);
  expect_all_refused(
      "convolution", [&] { convolution.execute(f32, f32 + 1); }, [&] { convolution.execute(f64, f64 + 1); },
      [&] { convolution.execute(c32, c32 + 1); }, [&] { convolution.execute(c64, c64 + 1); },
      [&] { convolution.execute(f16, f16 + 1); }, [&] { convolution.execute(bf16, bf16 + 1); },
      [&] { convolution.workspace_bytes(); }, [&] { convolution.problem(); }, [&] { convolution.device(); },
      [&] { convolution.describe(); });
  float out[8];
  convolution = taken;
  convolution.execute(f32, out);
}

TEST(Moved, StreamPlan) {
  StreamSettings settings;
  settings.device = Device("cpu");
  StreamPlan plan(c2c({4}), settings);
  StreamPlan const taken = std::move(plan);
  expect_all_refused(
      "plan", [&] { plan.execute(c32, c32 + 4); }, [&] { plan.workspace_bytes(); },
      [&] { plan.device_bytes(); }, [&] { plan.problem(); }, [&] { plan.device(); }, [&] { plan.trips(); },
      [&] { plan.describe(); });
  plan = taken;
  plan.execute(c32, c32 + 4);
}

TEST(Moved, Poisson) {
  PoissonProblem problem;
  problem.axes.resize(1);
  problem.axes[0].size = 8;
  Poisson poisson(problem);
  Poisson const taken = std::move(poisson);
  expect_all_refused(
      "poisson", [&] { poisson.solve(f32, f32); }, [&] { poisson.solve(f64, f64); },
      [&] { poisson.problem(); }, [&] { poisson.workspace_bytes(); }, [&] { poisson.device(); },
      [&] { poisson.describe(); });
  poisson = taken;
  poisson.solve(f32, f32);
}

TEST(Moved, StreamPoisson) {
  PoissonProblem problem;
  problem.axes.resize(1);
  problem.axes[0].size = 8;
  StreamSettings settings;
  settings.device = Device("cpu");
  StreamPoisson poisson(problem, settings);
  StreamPoisson const taken = std::move(poisson);
  expect_all_refused(
      "poisson", [&] { poisson.solve(f32, f32); }, [&] { poisson.solve(f64, f64); },
      [&] { poisson.solve(c32, c32); }, [&] { poisson.solve(c64, c64); }, [&] { poisson.problem(); },
      [&] { poisson.workspace_bytes(); }, [&] { poisson.device(); }, [&] { poisson.trips(); },
      [&] { poisson.device_bytes(); }, [&] { poisson.describe(); });
  poisson = taken;
  poisson.solve(f32, f32);
}

TEST(Moved, Device) {
  Device device("cpu");
  Device const taken = std::move(device);
  expect_all_refused(
      "device", [&] { device.name(); }, [&] { return device == taken; });
  EXPECT_FALSE(device.is_best());
  PlanSettings settings;
  settings.device = device;
  expect_refused("device", [&] { Plan(c2c({4}), settings); });
  device = taken;
  EXPECT_EQ(device.name(), "cpu");
}

}  // namespace
}  // namespace skipper
