// Traced kernels on a machine without NVRTC: all that has no functions of a user works, and what has some says what is missing.
#include <skipper/poisson.h>
#include <skipper/skipper.h>

#include "gpu/driver.h"
#include "gpu/fake_driver/fixture.h"
#include "support/as_cpu.h"

namespace skipper::testing {
namespace {

class WithoutNvrtc : public FakeDriver {
 protected:
  void SetUp() override {
    ::setenv("SKIPPER_TRACED", "1", 1);
    ::setenv("SKIPPER_NVRTC", "/nowhere/libnvrtc.so", 1);
    if (gpu::nvrtc()) GTEST_SKIP() << "another test of this process has opened NVRTC";
  }
};

TEST_F(WithoutNvrtc, TransformsOfEveryKind) {
  for (char const* problem : {"c2c f32 forward 60 batch 3", "c2c f64 inverse 1009 batch 2",
                              "r2c f32 forward 16x20", "c2r f64 inverse 24x30 batch 2",
                              "r2r f32 forward 24x5 kinds dct2,dst4", "c2c f16 forward 60 batch 3"})
    expect_as_cpu(parse_problem(problem));
}

/// With an axis that is eliminated, by kernels that are no sweeps.
TEST_F(WithoutNvrtc, PoissonProblems) {
  PoissonProblem problem;
  problem.axes = {{8}, {6, 1, Boundary::dirichlet, Boundary::neumann}};
  problem.axes[1].tridiagonal = true;
  PlanSettings settings;
  settings.device = Device("cuda:0");
  Poisson const poisson(problem, settings);
  settings.device = Device("cpu");
  std::vector<float> f(48), phi(48), expected(48);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = float(i % 7) - 3;
  Poisson(problem, settings).solve(f.data(), expected.data());
  DeviceArray<float> from(f), to(48);
  poisson.solve(from.data(), to.data());
  phi = to.values();
  for (std::size_t i = 0; i < phi.size(); ++i) EXPECT_NEAR(phi[i], expected[i], 1e-4f);
}

TEST_F(WithoutNvrtc, FunctionsOfAUserAreRefused) {
  PlanSettings settings;
  settings.device = Device("cuda:0");
  settings.callbacks.cuda_load = "Value on_load(Value x, long long, void*) { return x; }";
  try {
    Plan const plan(c2c({64}), settings);
    ADD_FAILURE() << "was planned";
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find("NVRTC"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace skipper::testing
