// The C interface on the stand-in driver: convolutions and Poisson problems on a stream with workspace, and functions in
// CUDA C++.
#include <skipper/skipper_c.h>

#include "gpu/stand_in/fixture.h"

namespace skipper::testing {
namespace {

class CInterfaceOnGpu : public StandIn {};

TEST_F(CInterfaceOnGpu, Convolves) {
  skipper_convolution* c = nullptr;
  long long const shape = 3, kernel_shape = 2;
  float const kernel[] = {1, 10};
  ASSERT_EQ(skipper_convolution_create_on(&c, 0, SKIPPER_F32, 1, &shape, &kernel_shape, SKIPPER_FULL, 0, 1, 1,
                                          1, kernel, "cuda:0", 0),
            SKIPPER_OK)
      << skipper_message();
  long long bytes = -1;
  ASSERT_EQ(skipper_convolution_workspace_bytes(c, &bytes), SKIPPER_OK);
  EXPECT_GE(bytes, 0);
  DeviceArray<float> in(std::vector<float>{1, 2, 3}), out(4);
  ASSERT_EQ(skipper_convolve_on(c, in.data(), out.data(), nullptr, nullptr), SKIPPER_OK) << skipper_message();
  float const exact[] = {1, 12, 23, 30};
  auto const got = out.values();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], exact[i], 1e-5);
  skipper_convolution_destroy(c);
  EXPECT_EQ(skipper_convolution_create_on(&c, 0, SKIPPER_F32, 1, &shape, &kernel_shape, SKIPPER_FULL, 0, 1, 1,
                                          1, kernel, "cuda:9", 0),
            SKIPPER_NO_DEVICE);
}

TEST_F(CInterfaceOnGpu, SolvesPoissonProblemsOverRanks) {
  skipper_communicator* alone = nullptr;
  ASSERT_EQ(skipper_communicators_create_threads(&alone, 1, 60000), SKIPPER_OK);
  skipper_poisson_axis const axes[] = {
      {6, 6.0, SKIPPER_DIRICHLET, SKIPPER_DIRICHLET, SKIPPER_NODE, 1, 0, nullptr},
      {4, 4.0, SKIPPER_PERIODIC, SKIPPER_PERIODIC, SKIPPER_CELL, 0, 0, nullptr}};
  skipper_distributed_settings settings = {};
  settings.device = "cuda:0";
  skipper_distributed_poisson* poisson = nullptr;
  ASSERT_EQ(skipper_distributed_poisson_create(&poisson, SKIPPER_F64, 2, axes, 0, SKIPPER_SECOND_ORDER,
                                               SKIPPER_ZERO_MEAN, alone, &settings),
            SKIPPER_OK)
      << skipper_message();
  long long bytes = 0;
  EXPECT_EQ(skipper_distributed_poisson_workspace_bytes(poisson, nullptr), SKIPPER_BAD_ARGUMENT);
  ASSERT_EQ(skipper_distributed_poisson_workspace_bytes(poisson, &bytes), SKIPPER_OK);
  ASSERT_GT(bytes, 0);
  DeviceArray<double> f(std::vector<double>(24, 0)), phi(24), work(std::size_t(bytes) / 8);
  // phi is 7 at the high end and 0 at the low one: a straight line.
  double const values[] = {7, 7, 7, 7};
  void const* const high[] = {values, nullptr};
  double defect = 1;
  ASSERT_EQ(skipper_distributed_poisson_solve_on(poisson, f.data(), phi.data(), nullptr, high, work.data(),
                                                 nullptr, &defect),
            SKIPPER_OK)
      << skipper_message();
  EXPECT_EQ(defect, 0);
  auto const got = phi.values();
  for (std::size_t i = 0; i < 24; ++i) EXPECT_NEAR(got[i], double(1 + i / 4), 1e-12);
  std::vector<double> host(24);
  EXPECT_EQ(skipper_distributed_poisson_solve(poisson, host.data(), phi.data(), nullptr, nullptr, &defect),
            SKIPPER_BAD_ARGUMENT);
  skipper_distributed_poisson_destroy(poisson);
  skipper_communicator_destroy(alone);
}

TEST_F(CInterfaceOnGpu, CallsFunctionsInCuda) {
  skipper_plan* plan = nullptr;
  ASSERT_EQ(skipper_plan_create_cuda_ends(
                &plan, "c2c f32 forward 4",
                "Value on_load(Value x, long long place, void*) { return x * float(place + 1); }", nullptr,
                nullptr, nullptr),
            SKIPPER_OK)
      << skipper_message();
  DeviceArray<std::complex<float>> in(std::vector<std::complex<float>>(4, 1)), out(4);
  ASSERT_EQ(skipper_execute_on(plan, in.data(), out.data(), nullptr, nullptr), SKIPPER_OK)
      << skipper_message();
  EXPECT_NEAR(out.values()[0].real(), 10, 1e-5);
  skipper_plan_destroy(plan);
  EXPECT_EQ(skipper_plan_create_cuda_ends(&plan, nullptr, "", "", nullptr, nullptr), SKIPPER_BAD_ARGUMENT);
}

}  // namespace
}  // namespace skipper::testing
