// The calls of cuFFT's interface that plan and execute, with good and with bad arguments: the codes, sizes, handles that are
// none. cufft_settings_test.cpp has the others. The codes are cuFFT's own but for those that docs/drop-in.md lists;
// compat/tests/cufft_gpu compares them on a GPU.
#include "cufft_calls.h"

namespace skipper::cufft::testing {
namespace {

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

/// Of one layout everything is sound but for what is said.
TEST_F(CufftCalls, MakePlanChecksItsLayout) {
  int n[] = {8, 8}, negative[] = {8, -8}, empty[] = {8, 0};
  struct Bad {
    int *in, in_stride, in_distance, *out, out_stride, out_distance;
    cufftResult code;
  };
  for (Bad const& bad : {Bad{n, 1, 64, nullptr, 1, 64, CUFFT_INVALID_VALUE},
                         {nullptr, 1, 64, n, 1, 64, CUFFT_INVALID_VALUE},
                         {n, 0, 64, n, 1, 64, CUFFT_INVALID_VALUE},
                         {n, 1, 64, n, 0, 64, CUFFT_INVALID_VALUE},
                         {n, -1, 64, n, 1, 64, CUFFT_INVALID_VALUE},
                         {n, 1, 64, n, -1, 64, CUFFT_INVALID_VALUE},
                         {n, 1, 0, n, 1, 64, CUFFT_INVALID_VALUE},
                         {n, 1, 64, n, 1, 0, CUFFT_INVALID_VALUE},
                         {n, 1, -64, n, 1, 64, CUFFT_INVALID_VALUE},
                         {n, 1, 64, n, 1, -64, CUFFT_INVALID_VALUE},
                         {negative, 1, 64, n, 1, 64, CUFFT_INVALID_SIZE},
                         {n, 1, 64, negative, 1, 64, CUFFT_INVALID_SIZE},
                         {n, 1, 64, empty, 1, 64, CUFFT_INVALID_SIZE}})
    for (int const batch : {1, 2}) {
      SCOPED_TRACE("in " + std::to_string(bad.in_stride) + " " + std::to_string(bad.in_distance) + ", out " +
                   std::to_string(bad.out_stride) + " " + std::to_string(bad.out_distance));
      EXPECT_EQ(cufftMakePlanMany(created(), 2, n, bad.in, bad.in_stride, bad.in_distance, bad.out,
                                  bad.out_stride, bad.out_distance, CUFFT_C2C, batch, &bytes_),
                bad.code);
      EXPECT_EQ(cufftEstimateMany(2, n, bad.in, bad.in_stride, bad.in_distance, bad.out, bad.out_stride,
                                  bad.out_distance, CUFFT_C2C, batch, &bytes_),
                bad.code);
    }
}

/// What is computed in may be named by the real type of its precision, as cuFFT takes it; no other.
TEST_F(CufftCalls, TypesToComputeIn) {
  long long n[] = {8};
  auto const make = [&](cudaDataType in, cudaDataType out, cudaDataType computed) {
    cufftResult const sized =
        cufftXtGetSizeMany(created(), 1, n, nullptr, 1, 0, in, nullptr, 1, 0, out, 1, &bytes_, computed);
    EXPECT_EQ(sized, cufftXtMakePlanMany(created(), 1, n, nullptr, 1, 0, in, nullptr, 1, 0, out, 1, &bytes_,
                                         computed));
    return sized;
  };
  EXPECT_EQ(make(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F), CUFFT_SUCCESS);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_C_32F, CUDA_R_32F), CUFFT_SUCCESS);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_C_32F, CUDA_C_64F), CUFFT_INVALID_TYPE);
  EXPECT_EQ(make(CUDA_C_32F, CUDA_C_32F, CUDA_R_64F), CUFFT_INVALID_TYPE);
  EXPECT_EQ(make(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F), CUFFT_INVALID_TYPE);
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
  EXPECT_EQ(cufftExecC2R(plan, complex(in), reinterpret_cast<float*>(out.data())), CUFFT_INVALID_TYPE);
}

TEST_F(CufftCalls, RealTransformsGoOneWay) {
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(8)), out(8);
  auto* const reals = reinterpret_cast<float*>(in.data());
  cufftHandle const there = made(8, CUFFT_R2C), back = made(8, CUFFT_C2R);
  EXPECT_EQ(cufftXtExec(there, in.data(), out.data(), CUFFT_FORWARD), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtExec(there, in.data(), out.data(), CUFFT_INVERSE), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtExec(there, in.data(), out.data(), 5), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftXtExec(back, in.data(), out.data(), CUFFT_INVERSE), CUFFT_SUCCESS);
  EXPECT_EQ(cufftXtExec(back, in.data(), out.data(), CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2R(there, complex(out), reals), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecR2C(back, reals, complex(out)), CUFFT_INVALID_VALUE);
  EXPECT_EQ(cufftExecC2C(there, complex(in), complex(out), CUFFT_FORWARD), CUFFT_INVALID_TYPE);
}

/// Elements of one transform in the places of another, or of its own rows. Programs make plans for both ways with strides
/// that suit one, so this is no error before they are executed.
TEST_F(CufftCalls, OutputsThatOverlapAreNotExecuted) {
  int n[] = {4, 8}, narrow[] = {4, 4};
  DeviceArray<std::complex<float>> in(skipper::testing::noise<float>(128)), out(128);
  for (auto const& [embed, stride, distance] : {std::tuple(n, 2, 2), {n, 1, 1}, {narrow, 1, 64}}) {
    cufftHandle const plan = created();
    EXPECT_EQ(cufftMakePlanMany(plan, 2, n, n, 1, 32, embed, stride, distance, CUFFT_C2C, 2, &bytes_),
              CUFFT_SUCCESS);
    EXPECT_EQ(bytes_, 0u);
    EXPECT_EQ(cufftEstimateMany(2, n, n, 1, 32, embed, stride, distance, CUFFT_C2C, 2, &bytes_),
              CUFFT_SUCCESS);
    EXPECT_EQ(bytes_, 0u);
    for (int const direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
      EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(out), direction), CUFFT_INVALID_VALUE);
      EXPECT_EQ(cufftExecC2C(plan, complex(in), complex(in), direction), CUFFT_INVALID_VALUE);
    }
  }
}

TEST_F(CufftCalls, SixExecsAreOfTheirTypes) {
  DeviceArray<double> in(std::vector<double>(64, 0.5)), out(std::vector<double>(64, 0.25));
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
  EXPECT_EQ(cufftExecC2R(made(8, CUFFT_Z2D), c, r), CUFFT_INVALID_TYPE);
  EXPECT_EQ(cufftExecD2Z(made(8, CUFFT_R2C), d, z), CUFFT_INVALID_TYPE);
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

}  // namespace
}  // namespace skipper::cufft::testing
