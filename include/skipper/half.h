// Half precision (IEEE binary16) as it is stored: arrays of f16 problems are arrays of Half, complex numbers as pairs
// of them. It converts to float exactly and from float by rounding to nearest, ties to even; overflow is infinite.
#pragma once

#include <bit>
#include <cstdint>

namespace skipper {

constexpr float half_value(std::uint16_t half) {
  std::uint32_t const sign = std::uint32_t(half >> 15) << 31, exponent = half >> 10 & 31,
                      digits = half & 1023;
  if (exponent == 31)  // a signalling NaN becomes quiet
    return std::bit_cast<float>(sign | 0x7f800000u | digits << 13 | (digits ? 0x400000u : 0));
  if (exponent == 0)
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(float(digits) * 0x1p-24f));
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | digits << 13);
}

constexpr std::uint16_t half_bits(float value) {
  std::uint32_t const bits = std::bit_cast<std::uint32_t>(value), size = bits & 0x7fffffffu;
  std::uint32_t const sign = bits >> 31 << 15;
  if (size > 0x7f800000u) return std::uint16_t(sign | 0x7e00u | (size >> 13 & 0x3ffu));  // NaN
  if (size >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);                         // 65520 and more
  if (size >= 0x38800000u)  // normal: 2^-14 and more
    return std::uint16_t(sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);
  if (size < 0x33000000u) return std::uint16_t(sign);  // below 2^-25
  std::uint32_t const digits = (size & 0x7fffffu) | 0x800000u, shift = 126 - (size >> 23);
  std::uint32_t const kept = digits >> shift, rest = digits & ((1u << shift) - 1), half = 1u << (shift - 1);
  return std::uint16_t(sign | (kept + (rest > half || (rest == half && (kept & 1u)))));
}

struct Half {
  std::uint16_t bits = 0;

  constexpr Half() = default;
  constexpr Half(float value) : bits(half_bits(value)) {}
  constexpr operator float() const { return half_value(bits); }
};

}  // namespace skipper
