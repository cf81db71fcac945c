// Every function of cuFFT's interface with good and with bad arguments: the codes, work areas, properties, handles that
// are none. Codes that cuFFT gives without a GPU were found by calling it; compat/tests/cufft_gpu compares all of them on one.
#include "cufft_reference.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::cufft::testing {
namespace {

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

cufftComplex* complex(DeviceArray<std::complex<float>>& array) {
  return reinterpret_cast<cufftComplex*>(array.data());
}

constexpr auto no_type = static_cast<cufftType>(7);

TEST_F(CufftCalls, PlanInOneCall) {
  cufftHandle plan = -9;
  int n[] = {4, 6};
  EXPECT_EQ(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(&plan, -8, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(&plan, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan1d(&plan, 8, no_type, 1), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftPlan2d(&plan, 8, 0, CUFFT_C2C), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlan3d(&plan, 8, 8, -1, CUFFT_C2C), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlanMany(&plan, 0, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1),
            CUFFT_INVALID_VALUE);
  EXPECT_EQ(plan, -9) << "a call that failed changed the handle";
  for (auto const make : {+[](cufftHandle* p) { return cufftPlan1d(p, 8, CUFFT_R2C, 2); },
                          +[](cufftHandle* p) { return cufftPlan2d(p, 4, 6, CUFFT_Z2Z); },
                          +[](cufftHandle* p) { return cufftPlan3d(p, 2, 3, 4, CUFFT_C2R); },
                          +[](cufftHandle* p) {
                            int sizes[] = {4, 6};
                            return cufftPlanMany(p, 2, sizes, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 2);
                          }}) {
    EXPECT_EQ(make(&plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_INVALID_PLAN);
  }
}

TEST_F(CufftCalls, MakePlanChecksItsArguments) {
  cufftHandle const plan = created();
  int n[] = {8};
  long long wide[] = {8};
  EXPECT_EQ(cufftCreate(nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftMakePlan1d(plan, 0, CUFFT_C2C, 1, &bytes_), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftMakePlan2d(plan, 8, -2, CUFFT_C2C, &bytes_), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftMakePlan3d(plan, 8, 8, 8, no_type, &bytes_), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftMakePlanMany(plan, 4, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &bytes_),
            CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftMakePlanMany(plan, 1, n, n, -1, 8, n, 1, 8, CUFFT_C2C, 2, &bytes_), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftMakePlanMany64(plan, 1, nullptr, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &bytes_),
            CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtMakePlanMany(plan, 1, wide, nullptr, 1, 8, CUDA_C_32F, nullptr, 1, 8, CUDA_C_64F, 1,
                                &bytes_, CUDA_C_32F),
            CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftXtMakePlanMany(plan, 1, wide, nullptr, 1, 8, CUDA_R_32F, nullptr, 1, 8, CUDA_R_32F, 1,
                                &bytes_, CUDA_C_32F),
            CUFFT_INVALID_TYPE);
  long long const huge = 1ll << 62;
  wide[0] = huge;
  EXPECT_EQ(cufftMakePlanMany64(plan, 1, wide, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &bytes_),
            CUFFT_INVALID_SIZE);
  long long square[] = {8, 8}, embed[] = {8, huge};
  EXPECT_EQ(cufftMakePlanMany64(plan, 2, square, embed, 4, 8, embed, 4, 8, CUFFT_C2C, 1, &bytes_),
            CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes_), CUFFT_SUCCESS) << "after all that";
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes_), CUFFT_INVALID_PLAN) << "twice";
}

TEST_F(CufftCalls, MakePlanIsThereInAllForms) {
  int n[] = {4, 6};
  long long wide[] = {4, 6};
  EXPECT_EQ(cufftMakePlan3d(created(), 2, 3, 4, CUFFT_C2C, &bytes_), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlanMany(created(), 2, n, n, 1, 24, n, 1, 24, CUFFT_Z2Z, 2, &bytes_), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlanMany64(created(), 2, wide, nullptr, 1, 0, nullptr, 1, 0, CUFFT_R2C, 3, &bytes_),
            CUFFT_SUCCESS);
}

TEST_F(CufftCalls, HandlesThatAreNone) {
  cufftHandle const gone = created();
  ASSERT_EQ(cufftDestroy(gone), CUFFT_SUCCESS);
  plans_.clear();
  EXPECT_EQ(cufftDestroy(CUFFT_PLAN_NULL), CUFFT_SUCCESS);
  int gpus[] = {0}, n[] = {8};
  long long wide[] = {8}, value = 0;
  void* area = nullptr;
  cudaLibXtDesc* descriptor = nullptr;
  cufftXt1dFactors factors;
  for (cufftHandle const h : {gone, 0, 999, -5, 1 << 30, 0x7fffffff}) {
    SCOPED_TRACE(h);
    EXPECT_EQ(cufftDestroy(h), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftMakePlan1d(h, 8, CUFFT_C2C, 1, &bytes_), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftMakePlan1d(h, 0, CUFFT_C2C, 1, &bytes_), CUFFT_INVALID_PLAN) << "before the size";
    EXPECT_EQ(cufftMakePlan1d(h, 8, no_type, 1, &bytes_), CUFFT_INVALID_TYPE) << "after the type";
    EXPECT_EQ(cufftMakePlan2d(h, 8, 8, CUFFT_C2C, &bytes_), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftMakePlan3d(h, 8, 8, 8, CUFFT_C2C, &bytes_), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftMakePlanMany(h, 1, n, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &bytes_),
              CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftMakePlanMany64(h, 1, wide, nullptr, 1, 8, nullptr, 1, 8, CUFFT_C2C, 1, &bytes_),
              CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtMakePlanMany(h, 1, wide, nullptr, 1, 8, CUDA_C_32F, nullptr, 1, 8, CUDA_C_32F, 1,
                                  &bytes_, CUDA_C_32F),
              CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftGetSize(h, &bytes_), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftGetSize1d(h, 8, CUFFT_C2C, 1, &bytes_), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftSetStream(h, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftSetWorkArea(h, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetWorkArea(h, &area), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftSetAutoAllocation(h, 1), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetWorkAreaPolicy(h, CUFFT_WORKAREA_MINIMAL, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftSetPlanPropertyInt64(h, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftGetPlanPropertyInt64(h, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value),
              CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftResetPlanProperty(h, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftExecC2C(h, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftExecR2C(h, nullptr, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftExecC2R(h, nullptr, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftExecZ2Z(h, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftExecD2Z(h, nullptr, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftExecZ2D(h, nullptr, nullptr), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtExec(h, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetGPUs(h, 1, gpus), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtMalloc(h, &descriptor, CUFFT_XT_FORMAT_INPUT), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtMemcpy(h, nullptr, nullptr, CUFFT_COPY_HOST_TO_DEVICE), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtExecDescriptor(h, nullptr, nullptr, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtQueryPlan(h, &factors, CUFFT_QUERY_1D_FACTORS), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetCallbackSharedSize(h, CUFFT_CB_LD_COMPLEX, 16), CUFFT_INVALID_PLAN);
    EXPECT_EQ(cufftXtSetJITCallback(h, "f", "", 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_INVALID_PLAN);
  }
}

/// A place in the table is used again, but never under a handle that was destroyed a while ago.
TEST_F(CufftCalls, HandlesAreNotUsedAgainSoon) {
  std::vector<cufftHandle> gone;
  for (int i = 0; i < 3000; ++i) {
    cufftHandle plan = CUFFT_PLAN_NULL;
    ASSERT_EQ(cufftCreate(&plan), CUFFT_SUCCESS);
    ASSERT_GT(plan, 0);
    ASSERT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    gone.push_back(plan);
  }
  std::sort(gone.begin(), gone.end());
  EXPECT_EQ(std::unique(gone.begin(), gone.end()), gone.end());
}

TEST_F(CufftCalls, ExecChecksItsArguments) {
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(8)), out(8);
  auto* const z = reinterpret_cast<cufftDoubleComplex*>(in.data());
  EXPECT_EQ(cufftExecC2C(created(), complex(in), complex(out), CUFFT_FORWARD), CUFFT_INVALID_PLAN)
      << "not made yet";
  cufftHandle const plan = made(8);
  EXPECT_EQ(cufftExecC2C(plan, nullptr, complex(out), CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, complex(in), nullptr, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(out), 0), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecZ2Z(plan, z, z, CUFFT_FORWARD), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftExecR2C(plan, reinterpret_cast<float*>(in.data()), complex(out)), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftXtExec(plan, in.data(), out.data(), 5), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtExec(plan, in.data(), out.data(), CUFFT_INVERSE), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtExec(made(8, CUFFT_R2C), in.data(), out.data(), 5), CUFFT_SUCCESS)
      << "real transforms have no direction";
}

/// Eight outputs in one place, or batches in one.
TEST_F(CufftCalls, OutputsThatOverlapAreNotExecuted) {
  int n[] = {8};
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(16)), out(16);
  for (auto const& [stride, distance] : {std::pair(0, 8), {1, 0}, {2, 2}}) {
    cufftHandle const plan = created();
    EXPECT_EQ(cufftMakePlanMany(plan, 1, n, n, 1, 8, n, stride, distance, CUFFT_C2C, 2, &bytes_),
              CUFFT_SUCCESS);
    EXPECT_EQ(bytes_, 0u);
    for (int const direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
      EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(out), direction), CUFFT_INVALID_VALUE);
      EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(in), direction), CUFFT_INVALID_VALUE);
    }
  }
}

TEST_F(CufftCalls, SixExecsAreOfTheirTypes) {
  DeviceArray<double> in(std::vector<double>(64, 0.5)), out(64);
  auto* const r = reinterpret_cast<float*>(in.data());
  auto* const c = reinterpret_cast<cufftComplex*>(out.data());
  auto* const d = in.data();
  auto* const z = reinterpret_cast<cufftDoubleComplex*>(out.data());
  EXPECT_EQ(cufftExecR2C(made(8, CUFFT_R2C), r, c), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2R(made(8, CUFFT_C2R), c, r), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2C(made(8, CUFFT_C2C), c, c, CUFFT_FORWARD), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecD2Z(made(8, CUFFT_D2Z), d, z), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecZ2D(made(8, CUFFT_Z2D), z, d), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecZ2Z(made(8, CUFFT_Z2Z), z, z, CUFFT_INVERSE), CUFFT_SUCCESS);
  EXPECT_EQ(cufftExecC2R(made(8, CUFFT_R2C), c, r), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftExecD2Z(made(8, CUFFT_Z2D), d, z), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cuCtxSynchronize(), 0);
}

TEST_F(CufftCalls, SizesAgree) {
  cufftHandle const plan = made_square(true);
  std::size_t const wanted = bytes_;
  int n[] = {64, 64};
  long long wide[] = {64, 64};
  auto const expect = [&](cufftResult result) {
    EXPECT_EQ(result, CUFFT_SUCCESS);
    EXPECT_EQ(bytes_, wanted);
    bytes_ = 1;
  };
  expect(cufftGetSize(plan, &bytes_));
  expect(cufftEstimate2d(64, 64, CUFFT_C2C, &bytes_));
  expect(cufftEstimateMany(2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes_));
  cufftHandle const other = created();
  expect(cufftGetSize2d(other, 64, 64, CUFFT_C2C, &bytes_));
  expect(cufftGetSizeMany(other, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes_));
  expect(cufftGetSizeMany64(other, 2, wide, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes_));
  expect(cufftXtGetSizeMany(other, 2, wide, nullptr, 1, 0, CUDA_C_32F, nullptr, 1, 0, CUDA_C_32F, 1, &bytes_,
                            CUDA_C_32F));
  EXPECT_EQ(cufftEstimate1d(1024, CUFFT_C2C, 4, &bytes_), CUFFT_SUCCESS);
  EXPECT_EQ(cufftEstimate3d(4, 4, 4, CUFFT_R2C, &bytes_), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetSize1d(other, 1024, CUFFT_C2C, 4, &bytes_), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetSize3d(other, 4, 4, 4, CUFFT_R2C, &bytes_), CUFFT_SUCCESS);
  EXPECT_EQ(cufftGetSize(other, &bytes_), CUFFT_INVALID_PLAN) << "not made yet";
  EXPECT_EQ(cufftGetSize(plan, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftEstimate1d(0, CUFFT_C2C, 1, &bytes_), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftEstimate1d(8, CUFFT_C2C, 1, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftGetSize1d(other, 8, no_type, 1, &bytes_), CUFFT_INVALID_TYPE);
}

TEST_F(CufftCalls, WorkAreasAreAllocatedWhenAPlanIsMade) {
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

TEST_F(CufftCalls, WorkAreaPolicies) {
  cufftHandle const plan = created();
  std::size_t limit = 1024;
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_PERFORMANCE, nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_MINIMAL, nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_USER, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, static_cast<cufftXtWorkAreaPolicy>(3), &limit),
            CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(plan, CUFFT_WORKAREA_USER, &limit), CUFFT_SUCCESS);
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1), CUFFT_SUCCESS);
  EXPECT_EQ(cufftMakePlan2d(plan, 64, 64, CUFFT_C2C, &bytes_), CUFFT_INVALID_SIZE);
  EXPECT_EQ(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &bytes_), CUFFT_SUCCESS) << "within the limit";
  auto const x = skipper::testing::noise<float>(8);
  auto const wanted = transformed({x.begin(), x.end()}, {8}, CUFFT_INVERSE);
  DeviceArray<std::complex<float>> data(x);
  EXPECT_EQ(cufftExecC2C(plan, complex(data), complex(data), CUFFT_INVERSE), CUFFT_SUCCESS);
  auto const y = data.values();
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_LT(std::abs(Complex(y[i]) - wanted[i]), 1e-5) << "something is left of the plan that failed";
  cufftHandle const other = made_square(true);
  EXPECT_EQ(cufftXtSetWorkAreaPolicy(other, CUFFT_WORKAREA_USER, &limit), CUFFT_INVALID_SIZE);
}

TEST_F(CufftCalls, Properties) {
  cufftHandle const plan = created();
  long long value = -1;
  auto const none = static_cast<cufftProperty>(3);
  for (cufftProperty const property :
       {NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS}) {
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), CUFFT_SUCCESS);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(cufftSetPlanPropertyInt64(plan, property, 1), CUFFT_SUCCESS);
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), CUFFT_SUCCESS);
    EXPECT_EQ(value, 1);
    EXPECT_EQ(cufftResetPlanProperty(plan, property), CUFFT_SUCCESS);
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, &value), CUFFT_SUCCESS);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(cufftSetPlanPropertyInt64(plan, property, -1), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftGetPlanPropertyInt64(plan, property, nullptr), CUFFT_INVALID_VALUE);
    EXPECT_EQ(cufftSetPlanPropertyInt64(made(8), property, 1), CUFFT_NOT_SUPPORTED) << "too late";
  }
  EXPECT_EQ(cufftSetPlanPropertyInt64(plan, none, 1), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftGetPlanPropertyInt64(plan, none, &value), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftResetPlanProperty(plan, none), CUFFT_INVALID_VALUE);
}

/// PATIENT_JIT compiles all that executions can ask for when the plan is made.
TEST_F(CufftCalls, PatientPlansCompileNothingLater) {
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

TEST_F(CufftCalls, Versions) {
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

TEST_F(CufftCalls, SeveralGpusAndCallbacksAreRefused) {
  cufftHandle const plan = made(8), fresh = created();
  int gpus[] = {1, 0, 5};
  EXPECT_EQ(cufftXtSetGPUs(fresh, 1, nullptr), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 0, gpus), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 17, gpus), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 3, gpus), CUFFT_INVALID_DEVICE);
  EXPECT_EQ(cufftXtSetGPUs(fresh, 2, gpus), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtSetGPUs(plan, 1, gpus), CUFFT_INVALID_PLAN) << "made already";
  EXPECT_EQ(cufftXtSetGPUs(fresh, 1, gpus), CUFFT_SUCCESS);
  cudaLibXtDesc* descriptor = nullptr;
  cufftXt1dFactors factors;
  EXPECT_EQ(cufftXtMalloc(plan, &descriptor, CUFFT_XT_FORMAT_INPUT), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtMalloc(plan, nullptr, CUFFT_XT_FORMAT_INPUT), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtMemcpy(plan, nullptr, nullptr, CUFFT_COPY_DEVICE_TO_HOST), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtFree(nullptr), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtFree(reinterpret_cast<cudaLibXtDesc*>(&factors)), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtExecDescriptor(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtExecDescriptorC2C(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtExecDescriptorR2C(plan, nullptr, nullptr), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtExecDescriptorC2R(plan, nullptr, nullptr), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtExecDescriptorZ2Z(plan, nullptr, nullptr, CUFFT_FORWARD), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtExecDescriptorD2Z(plan, nullptr, nullptr), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtExecDescriptorZ2D(plan, nullptr, nullptr), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtQueryPlan(plan, nullptr, CUFFT_QUERY_1D_FACTORS), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX), CUFFT_NOT_IMPLEMENTED);
  EXPECT_EQ(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16), CUFFT_NOT_SUPPORTED);
  EXPECT_EQ(cufftXtSetJITCallback(plan, "f", "", 0, CUFFT_CB_LD_COMPLEX, nullptr), CUFFT_NOT_SUPPORTED);
}

TEST_F(CufftCalls, FailuresOfTheDriverHaveTheirCodes) {
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

TEST_F(CufftCalls, NothingIsPrinted) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  made(8);
  cufftDestroy(999);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace skipper::cufft::testing
