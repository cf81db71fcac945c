// What the tests of cuFFT's calls share: plans on the fake driver, which are destroyed at the end.
#pragma once

#include "cufft_reference.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::cufft::testing {

using skipper::testing::DeviceArray;

class CufftCalls : public skipper::testing::FakeDriver {
 protected:
  ~CufftCalls() override {
    for (cufftHandle const plan : plans_) cufftDestroy(plan);
  }
  cufftHandle created() {
    cufftHandle plan = CUFFT_PLAN_NULL;
    EXPECT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    plans_.push_back(plan);
    return plan;
  }
  cufftHandle made(int n, cufftType type = CUFFT_C2C) {
    cufftHandle const plan = created();
    EXPECT_EQ(cufftMakePlan1d(plan, n, type, 1, &bytes_), CUFFT_SUCCESS);
    return plan;
  }
  /// One with a work area of 32 KiB.
  cufftHandle made_square(bool allocates) {
    cufftHandle const plan = created();
    EXPECT_EQ(cufftSetAutoAllocation(plan, allocates), CUFFT_SUCCESS);
    EXPECT_EQ(cufftMakePlan2d(plan, 64, 64, CUFFT_C2C, &bytes_), CUFFT_SUCCESS);
    EXPECT_GT(bytes_, 0u);
    return plan;
  }

  std::vector<cufftHandle> plans_;
  std::size_t bytes_ = 0;
};

inline cufftComplex* complex(DeviceArray<std::complex<float>>& array) {
  return reinterpret_cast<cufftComplex*>(array.data());
}

constexpr auto no_type = static_cast<cufftType>(7);

}  // namespace skipper::cufft::testing
