// SKIPPER_LOG=1 says what was called and how it was planned.
#include "cufft_reference.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::cufft::testing {
namespace {

using skipper::testing::DeviceArray;

class CufftLog : public skipper::testing::FakeDriver {
 protected:
  CufftLog() { ::setenv("SKIPPER_LOG", "1", 1); }
};

TEST_F(CufftLog, NamesPlansAndRefusals) {
  ::testing::internal::CaptureStderr();
  cufftHandle plan = CUFFT_PLAN_NULL;
  ASSERT_EQ(cufftPlan1d(&plan, 16, CUFFT_C2C, 3), CUFFT_SUCCESS);
  DeviceArray<std::complex<float>> data(skipper::testing::noise<float>(48));
  auto* const at = reinterpret_cast<cufftComplex*>(data.data());
  EXPECT_EQ(cufftExecC2C(plan, at, at, CUFFT_INVERSE), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_REAL, nullptr), CUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(cufftXtSetJITCallback(plan, "f", "", 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  std::string const text = ::testing::internal::GetCapturedStderr();
  for (char const* const line :
       {"skipper cufft: planned c2c f32 forward 16 batch 3", "skipper cufft: plan ",
        "planned c2c f32 inverse 16 batch 3 in-place", "cufftXtSetCallback returns 14",
        "cufftXtSetJITCallback: Skipper's drop-in library has no", "cufftPlan1d returns 8"})
    EXPECT_NE(text.find(line), std::string::npos) << line << " is not in\n" << text;
  EXPECT_EQ(cuCtxSynchronize(), 0);
}

}  // namespace
}  // namespace skipper::cufft::testing
