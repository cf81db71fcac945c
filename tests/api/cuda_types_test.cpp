// The element types of CUDA's own headers, where they are installed, and of FFTW's.
#include <gtest/gtest.h>
#include <skipper/skipper.h>

#if __has_include(<vector_types.h>) && __has_include(<cuComplex.h>)
#include <cuComplex.h>
#include <vector_types.h>
#define SKIPPER_HAS_CUDA_TYPES 1
#else
#define SKIPPER_HAS_CUDA_TYPES 0
#endif
#if __has_include(<cuda_fp16.h>) && __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define SKIPPER_HAS_CUDA_HALVES 1
#else
#define SKIPPER_HAS_CUDA_HALVES 0
#endif

namespace skipper {
namespace {

TEST(CudaTypes, Float2AndDouble2AreComplexNumbers) {
#if SKIPPER_HAS_CUDA_TYPES
  static_assert(element_v<float2> == Element::complex_f32 && element_v<double2> == Element::complex_f64);
  static_assert(element_v<cuComplex> == Element::complex_f32 &&
                element_v<cuDoubleComplex> == Element::complex_f64);
  static_assert(!ArrayElement<float3> && !ArrayElement<float4> && !ArrayElement<int2> &&
                !ArrayElement<short2>);
  PlanSettings settings;
  settings.device = Device("cpu");
  float2 const in[2] = {{1, 2}, {3, 4}};
  float2 out[2];
  Plan({2}, Precision::f32, Direction::forward, settings).execute(in, out);
  EXPECT_EQ(out[0].x, 4);
  EXPECT_EQ(out[1].y, -2);
#else
  GTEST_SKIP() << "CUDA's headers are not installed";
#endif
}

TEST(CudaTypes, Half2IsAComplexNumberOfHalves) {
#if SKIPPER_HAS_CUDA_HALVES
  static_assert(element_v<__half> == Element::f16 && element_v<__half2> == Element::complex_f16);
  static_assert(sizeof(__half) == sizeof(Half) && sizeof(__half2) == 2 * sizeof(Half));
  static_assert(element_v<__nv_bfloat16> == Element::bf16 &&
                element_v<__nv_bfloat162> == Element::complex_bf16);
#else
  GTEST_SKIP() << "CUDA's headers are not installed";
#endif
}

}  // namespace
}  // namespace skipper
