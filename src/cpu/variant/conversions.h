// See cpu/conversions.h. f16: F16C on x86-64, the conversions that every aarch64 has, software elsewhere. bf16, the upper
// half of a float: shifts and integer additions on vectors, as on every machine.
#pragma once

#include "cpu/conversions.h"
#include "cpu/variant/pass_tables.h"
#include "cpu/variant/vectors.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace skipper::cpu::SKIPPER_VARIANT {

/// convert(in, out) does so many numbers. The last ones go by way of as many of their own.
template <int at_once, class In, class Out, class Convert>
[[gnu::always_inline]] inline void convert_all(In const* in, Out* out, Index count, Convert convert) {
  Index i = 0;
  for (; i + at_once <= count; i += at_once) convert(in + i, out + i);
  if (i == count) return;
  In x[at_once] = {};
  Out y[at_once];
  for (Index j = i; j < count; ++j) x[j - i] = in[j];
  convert(x, y);
  for (Index j = i; j < count; ++j) out[j] = y[j - i];
}

#if defined(__aarch64__)

inline void widen_f16(std::uint16_t const* in, float* out, Index count) {
  auto const* const x = reinterpret_cast<__fp16 const*>(in);
  for (Index i = 0; i < count; ++i) out[i] = x[i];
}
inline void narrow_f16(float const* in, std::uint16_t* out, Index count) {
  auto* const y = reinterpret_cast<__fp16*>(out);
  for (Index i = 0; i < count; ++i) y[i] = in[i];
}
inline constexpr Conversions f16_conversions = {widen_f16, narrow_f16};

#elif defined(__F16C__)

inline void widen_f16(std::uint16_t const* in, float* out, Index count) {
  convert_all<8>(in, out, count, [](std::uint16_t const* x, float* y) {
    _mm256_storeu_ps(y, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(x))));
  });
}
inline void narrow_f16(float const* in, std::uint16_t* out, Index count) {
  convert_all<8>(in, out, count, [](float const* x, std::uint16_t* y) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y),
                     _mm256_cvtps_ph(_mm256_loadu_ps(x), _MM_FROUND_TO_NEAREST_INT));
  });
}
inline constexpr Conversions f16_conversions = {widen_f16, narrow_f16};

#else

inline constexpr Conversions f16_conversions = {widen_f16_in_software, narrow_f16_in_software};

#endif

inline constexpr int floats = vector_bytes / 4;
using Bits32 = RawOf<std::uint32_t, floats>::type;
using Bits16 = RawOf<std::uint16_t, floats>::type;
using Signed32 = RawOf<std::int32_t, floats>::type;

inline void widen_bf16(std::uint16_t const* in, float* out, Index count) {
  convert_all<floats>(in, out, count, [](std::uint16_t const* from, float* to) {
    Bits16 x;
    __builtin_memcpy(&x, from, sizeof x);
    Bits32 const y = __builtin_convertvector(x, Bits32) << 16;
    __builtin_memcpy(to, &y, sizeof y);
  });
}
/// To nearest, ties to even. A NaN is made quiet, so that it has a digit left in its upper half.
inline void narrow_bf16(float const* in, std::uint16_t* out, Index count) {
  convert_all<floats>(in, out, count, [](float const* from, std::uint16_t* to) {
    Bits32 x;
    __builtin_memcpy(&x, from, sizeof x);
    auto const is_nan = (Bits32)((Signed32)(x & 0x7fffffffu) > 0x7f800000);  // all bits, or none
    Bits32 const rounded = x + 0x7fffu + (x >> 16 & 1u), quiet = x | 0x400000u;
    Bits16 const y = __builtin_convertvector(((rounded & ~is_nan) | (quiet & is_nan)) >> 16, Bits16);
    __builtin_memcpy(to, &y, sizeof y);
  });
}
inline constexpr Conversions bf16_conversions = {widen_bf16, narrow_bf16};

}  // namespace skipper::cpu::SKIPPER_VARIANT
