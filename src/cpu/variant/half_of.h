// See cpu/half.h: F16C on x86-64, the conversions that every aarch64 has, software elsewhere.
#pragma once

#include "cpu/half.h"
#include "cpu/variant/vectors.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace skipper::cpu::SKIPPER_VARIANT {

#if defined(__aarch64__)

inline void widen(std::uint16_t const* in, float* out, Index count) {
  auto const* const x = reinterpret_cast<__fp16 const*>(in);
  for (Index i = 0; i < count; ++i) out[i] = x[i];
}
inline void narrow(float const* in, std::uint16_t* out, Index count) {
  auto* const y = reinterpret_cast<__fp16*>(out);
  for (Index i = 0; i < count; ++i) y[i] = in[i];
}
inline constexpr HalfKernels half_kernels = {widen, narrow};

#elif defined(__F16C__)

/// Eight at a time; the rest by way of eight of its own.
inline void widen(std::uint16_t const* in, float* out, Index count) {
  auto eight = [](std::uint16_t const* x, float* y) {
    _mm256_storeu_ps(y, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(x))));
  };
  Index i = 0;
  for (; i + 8 <= count; i += 8) eight(in + i, out + i);
  std::uint16_t x[8] = {};
  float y[8];
  for (Index j = i; j < count; ++j) x[j - i] = in[j];
  eight(x, y);
  for (Index j = i; j < count; ++j) out[j] = y[j - i];
}
inline void narrow(float const* in, std::uint16_t* out, Index count) {
  auto eight = [](float const* x, std::uint16_t* y) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x), _MM_FROUND_TO_NEAREST_INT));
  };
  Index i = 0;
  for (; i + 8 <= count; i += 8) eight(in + i, out + i);
  float x[8] = {};
  std::uint16_t y[8];
  for (Index j = i; j < count; ++j) x[j - i] = in[j];
  eight(x, y);
  for (Index j = i; j < count; ++j) out[j] = y[j - i];
}
inline constexpr HalfKernels half_kernels = {widen, narrow};

#else

inline constexpr HalfKernels half_kernels = {widen_in_software, narrow_in_software};

#endif

}  // namespace skipper::cpu::SKIPPER_VARIANT
