// Without a driver nothing is planned, and nothing crashes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cufftXt.h"

TEST(CufftWithoutGpu, AnswersAsCufft) {
  ::setenv("SKIPPER_CUDA_DRIVER", "/none/libcuda.so.1", 1);
  cufftHandle plan = -9;
  std::size_t bytes = 77;
  int version = 0, gpu = 0;
  EXPECT_EQ(cufftCreate(nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftCreate(&plan), CUFFT_INTERNAL_ERROR);
  EXPECT_EQ(cufftPlan1d(&plan, 8, CUFFT_C2C, 1), CUFFT_INTERNAL_ERROR);
  EXPECT_EQ(plan, -9);
  EXPECT_EQ(cufftEstimate1d(8, CUFFT_C2C, 1, &bytes), CUFFT_INTERNAL_ERROR);
  EXPECT_EQ(bytes, 77u);
  EXPECT_EQ(cufftMakePlan1d(1, 8, CUFFT_C2C, 1, &bytes), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtSetGPUs(1, 1, &gpu), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftExecC2C(1, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftDestroy(1), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftGetVersion(&version), CUFFT_SUCCESS);
  EXPECT_EQ(version, 12000);
}
