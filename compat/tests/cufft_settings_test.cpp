// The calls of cuFFT's interface that set and ask, with good and with bad arguments: work areas, properties, versions, several
// GPUs, callbacks; and what a driver that fails leads to.
#include "cufft_calls.h"

namespace skipper::cufft::testing {
namespace {

class CufftSettings : public CufftCalls {};

TEST_F(CufftSettings, WorkAreasAreAllocatedWhenAPlanIsMade) {
  std::size_t const before = fake_driver::allocated();
  cufftHandle const without = made_square(false);
  std::size_t const tables = fake_driver::allocated() - before;  // shared by plans of one problem
  cufftHandle const with = made_square(true);
  EXPECT_EQ(fake_driver::allocated() - before, tables + bytes_);
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(4096)), out(4096), area(bytes_ / 8);
  EXPECT_EQ(cufftExecC2C(without, complex(in), complex(out), CUFFT_FORWARD), CUFFT_NO_WORKSPACE);
  EXPECT_EQ(cufftSetWorkArea(without, area.data()), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(without, complex(in), complex(out), CUFFT_FORWARD), CUFFT_SUCCESS);
  auto const one = out.values();
  void* areas[] = {area.data()};
  EXPECT_EQ(cufftXtSetWorkArea(without, areas), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtSetWorkArea(without, nullptr), CUFFT_INVALID_VALUE);
  int const allocations = fake_driver::calls("cuMemAlloc_v2") + fake_driver::calls("cuMemAllocFromPoolAsync");
  EXPECT_EQ(cufftExecC2C(with, complex(in), complex(out), CUFFT_FORWARD), CUFFT_SUCCESS);
  EXPECT_EQ(out.values(), one);
  EXPECT_EQ(fake_driver::calls("cuMemAlloc_v2") + fake_driver::calls("cuMemAllocFromPoolAsync"), allocations);
  std::size_t const all = fake_driver::allocated();
  EXPECT_EQ(cufftDestroy(with), CUFFT_SUCCESS);
  EXPECT_EQ(fake_driver::allocated(), all - bytes_) << "the area is given back";
}

/// As cuFFT: for plans that are made, of which a policy can change nothing.
TEST_F(CufftSettings, WorkAreaPolicies) {
  cufftHandle const fresh = created(), plan = made(8);
  std::size_t size = 1 << 20;
  for (std::size_t* const given : {static_cast<std::size_t*>(nullptr), &size}) {
    for (int policy = -1; policy <= 3; ++policy)
      EXPECT_EQ(cufftXtSetWorkAreaPolicy(fresh, static_cast<cufftXtWorkAreaPolicy>(policy), given),
                CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, given), CUFFT_SUCCESS);
    EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_USER, given), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_PERFORMANCE, given), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, static_cast<cufftXtWorkAreaPolicy>(3), given), CUFFT_SUCCESS);
  }
  EXPECT_EQ(size, std::size_t(1) << 20);
}

/// A plan that could not be made leaves nothing behind in its handle.
TEST_F(CufftSettings, PlansCanBeMadeAfterAFailure) {
  cufftHandle const other = created(), plan = created();
  for (cufftHandle const h : {other, plan})
    EXPECT_EQ(cufftSetPlanPropertyInt64(h, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1), CUFFT_SUCCESS);
  // Plans of one problem share their tables: what the second allocates is its work area, which is last.
  EXPECT_EQ(cufftSetAutoAllocation(other, 0), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlan2d(other, 64, 64, CUFFT_C2C, &bytes_), CUFFT_SUCCESS);
  fake_driver::fail("cuMemAlloc_v2", 2);
  EXPECT_EQ(cufftMakePlan2d(plan, 64, 64, CUFFT_C2C, &bytes_), CUFFT_ALLOC_FAILED);
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes_), CUFFT_SUCCESS);
  auto const x = skipper::testing::noise<float>(8);
  auto const wanted = transformed({x.begin(), x.end()}, {8}, CUFFT_INVERSE);
  DeviceArray<std::complex<float>> data(x);
  EXPECT_EQ(cufftExecC2C(plan, complex(data), complex(data), CUFFT_INVERSE), CUFFT_SUCCESS);
  auto const y = data.values();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_LT(std::abs(Complex(y[i]) - wanted[i]), 1e-5);
}

TEST_F(CufftSettings, PatientJitIsKept) {
  cufftHandle const plan = created();
  cufftProperty const property = NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT;
  long long value = -99;
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 0);
  for (long long const set : {1, 2, -1}) {
    EXPECT_EQ(cufftSetPlanPropertyInt64(plan, property, set), CUFFT_SUCCESS);
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), CUFFT_SUCCESS);
    EXPECT_EQ(value, set);
  }
  EXPECT_EQ(cufftResetPlanProperty(plan, property), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 0);
}

TEST_F(CufftSettings, OtherPropertiesAreRefused) {
  cufftHandle const plan = created(), finished = made(8);
  long long value = -99;
  for (int number = 0; number <= 3; ++number) {
    SCOPED_TRACE(number);
    auto const property = static_cast<cufftProperty>(number);
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, nullptr), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftSetPlanPropertyInt64(finished, property, 1), CUFFT_NOT_SUPPORTED) << "too late";
    EXPECT_EQ(cufftResetPlanProperty(finished, property), CUFFT_NOT_SUPPORTED) << "too late";
    if (property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT) continue;
    cufftResult const code = property == NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS ? CUFFT_NOT_SUPPORTED
                                                                                        : CUFFT_INVALID_VALUE;
    EXPECT_EQ(cufftSetPlanPropertyInt64(plan, property, 1), code);
    EXPECT_EQ(cufftSetPlanPropertyInt64(plan, property, -1), code);
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), code);
    EXPECT_EQ(cufftResetPlanProperty(plan, property), code);
  }
  EXPECT_EQ(value, -99);
}

/// PATIENT_JIT compiles all that executions can ask for when the plan is made.
TEST_F(CufftSettings, PatientPlansCompileNothingLater) {
  cufftHandle const plan = created();
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlan1d(plan, 48, CUFFT_C2C, 1, &bytes_), CUFFT_SUCCESS);
  int const loaded = fake_driver::calls("cuModuleLoadData");
  EXPECT_GT(loaded, 0);
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(48)), out(48);
  for (int const direction : {CUFFT_FORWARD, CUFFT_INVERSE})
    for (auto* const to : {&in, &out})
      EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(*to), direction), CUFFT_SUCCESS);
  EXPECT_EQ(fake_driver::calls("cuModuleLoadData"), loaded);
  EXPECT_EQ(cuCtxSynchronize(), 0);
}

TEST_F(CufftSettings, Versions) {
  int value = 0;
  EXPECT_EQ(cufftGetVersion(&value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 12000);
  EXPECT_EQ(cufftGetVersion(nullptr), CUFFT_SUCCESS) << "as cuFFT";
  EXPECT_EQ(cufftGetProperty(MAJOR_VERSION, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(cufftGetProperty(MINOR_VERSION, &value), CUFFT_SUCCESS);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cufftGetProperty(PATCH_LEVEL, &value), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetProperty(static_cast<libraryPropertyType>(3), &value), CUFFT_INVALID_TYPE);
}

TEST_F(CufftSettings, SeveralGpusAndCallbacksAreRefused) {
  cufftHandle const plan = made(8), fresh = created();
  int gpus[] = {1, 0, 5};
  EXPECT_EQ(cufftXtSetGPUs(fresh, 1, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 0, gpus), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 17, gpus), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 3, gpus), CUFFT_INVALID_DEVICE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 2, gpus), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtSetGPUs(plan, 1, gpus), CUFFT_INVALID_PLAN) << "made already";
  EXPECT_EQ(cufftXtSetGPUs(fresh, 1, gpus), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 1, gpus + 2), CUFFT_INVALID_VALUE) << "a device that is not there";
  cudaLibXtDesc* descriptor = nullptr;
  cufftXt1dFactors factors;
  EXPECT_EQ(cufftXtMalloc(plan, &descriptor, CUFFT_XT_FORMAT_INPUT), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtMalloc(plan, nullptr, CUFFT_XT_FORMAT_INPUT), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtMemcpy(plan, nullptr, nullptr, CUFFT_COPY_DEVICE_TO_HOST), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtFree(nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtFree(reinterpret_cast<cudaLibXtDesc*>(&factors)), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtExecDescriptor(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExecDescriptorC2C(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExecDescriptorR2C(plan, nullptr, nullptr), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExecDescriptorC2R(plan, nullptr, nullptr), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExecDescriptorZ2Z(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExecDescriptorD2Z(plan, nullptr, nullptr), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtExecDescriptorZ2D(plan, nullptr, nullptr), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtQueryPlan(plan, nullptr, CUFFT_QUERY_1D_FACTORS), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX), CUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16), CUFFT_INVALID_PLAN);
  EXPECT_EQ(cufftXtSetJITCallback(plan, "f", "", 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtSetJITCallback(plan, nullptr, "", 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetJITCallback(plan, "f", nullptr, 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_INVALID_VALUE);
}

TEST_F(CufftSettings, FailuresOfTheDriverHaveTheirCodes) {
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(4096)), out(4096);
  cufftHandle const plan = made_square(true);
  fake_driver::fail("cuLaunchKernel", 999);
  EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(out), CUFFT_FORWARD), CUFFT_EXEC_FAILED);
  EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(out), CUFFT_FORWARD), CUFFT_SUCCESS);
  fake_driver::fail("cuMemAlloc_v2", 2);
  cufftHandle const other = created();
  EXPECT_EQ(cufftMakePlan2d(other, 64, 64, CUFFT_C2C, &bytes_), CUFFT_ALLOC_FAILED);
  EXPECT_EQ(cufftSetStream(plan, reinterpret_cast<cudaStream_t>(in.data())), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(out), CUFFT_FORWARD), CUFFT_EXEC_FAILED)
      << "what is no stream";
  EXPECT_EQ(cuCtxSynchronize(), 0);
}

TEST_F(CufftSettings, NothingIsPrinted) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  made(8);
  cufftDestroy(999);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace skipper::cufft::testing
