// SKIPPER_FFTW_DEVICE on the fake driver: large transforms run there, small ones and what it refuses on the CPU, with the same
// results.
#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "fake_driver.h"
#include "precision.h"

namespace skipper::fftw3 {
namespace {

using Complex = std::complex<Real>;

/// Before the library is asked for anything.
class Environment : public ::testing::Environment {
 public:
  void SetUp() override {
    ::setenv("SKIPPER_CUDA_DRIVER", SKIPPER_FAKE_DRIVER, 1);
    ::setenv("SKIPPER_NVRTC", SKIPPER_FAKE_DRIVER, 1);
    ::setenv("SKIPPER_CACHE", "", 1);
    ::setenv("SKIPPER_FFTW_DEVICE", "cuda:0", 1);
  }
};
auto* const environment = ::testing::AddGlobalTestEnvironment(new Environment);

std::vector<Complex> noise(std::size_t count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  std::vector<Complex> values(count);
  for (auto& value : values) value = {uniform(random), uniform(random)};
  return values;
}

FftwComplex* c(std::vector<Complex>& values) { return reinterpret_cast<FftwComplex*>(values.data()); }

/// Forward and back, over n: whether the values come back.
void expect_round_trip(int n, bool in_place) {
  std::vector<Complex> const values = noise(static_cast<std::size_t>(n));
  std::vector<Complex> a = values, b(values.size());
  std::vector<Complex>& spectrum = in_place ? a : b;
  FftwPlan const forward = FFTW_NAME(plan_dft_1d)(n, c(a), c(spectrum), FFTW_FORWARD, FFTW_ESTIMATE);
  FftwPlan const back = FFTW_NAME(plan_dft_1d)(n, c(spectrum), c(a), FFTW_BACKWARD, FFTW_ESTIMATE);
  ASSERT_NE(forward, nullptr);
  ASSERT_NE(back, nullptr);
  FFTW_NAME(execute)(forward);
  EXPECT_TRUE(in_place || a == values);
  Complex sum = 0;
  for (Complex const& value : values) sum += value;
  EXPECT_LT(std::abs(spectrum[0] - sum), Real(n) * (sizeof(Real) == 4 ? Real(1e-6) : Real(1e-14)));
  FFTW_NAME(execute)(back);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, double(std::abs(a[i] / Real(n) - values[i])));
  EXPECT_LT(worst, sizeof(Real) == 4 ? 1e-5 : 1e-13);
  FFTW_NAME(destroy_plan)(forward);
  FFTW_NAME(destroy_plan)(back);
}

TEST(FftwDevice, LargeTransformsRunOnTheGpu) {
  fake_driver::reset();
  int const before = fake_driver::kernels_run();
  expect_round_trip(1 << 16, false);
  int const between = fake_driver::kernels_run();
  EXPECT_GT(between, before);
  expect_round_trip(1 << 16, true);
  EXPECT_GT(fake_driver::kernels_run(), between);
}

TEST(FftwDevice, SmallOnesStayOnTheCpu) {
  int const before = fake_driver::kernels_run();
  expect_round_trip(256, false);
  expect_round_trip(1000, true);
  EXPECT_EQ(fake_driver::kernels_run(), before);
}

TEST(FftwDevice, ManyThreadsOfTheCpuAreFasterThanTheLink) {
  FFTW_NAME(plan_with_nthreads)(256);
  int const before = fake_driver::kernels_run();
  expect_round_trip(1 << 16, false);
  EXPECT_EQ(fake_driver::kernels_run(), before);
  FFTW_NAME(plan_with_nthreads)(1);
}

TEST(FftwDevice, WhatTheGpuRefusesIsDoneByTheCpu) {
  int const n = 1 << 17;  // of which no plan is kept yet
  fake_driver::limit_memory(1024);
  int const before = fake_driver::kernels_run();
  expect_round_trip(n, false);
  fake_driver::limit_memory(0);
  EXPECT_EQ(fake_driver::kernels_run(), before);
}

}  // namespace
}  // namespace skipper::fftw3
