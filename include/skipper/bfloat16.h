// bfloat16, the upper 16 bits of a float, as it is stored: arrays of bf16 problems are arrays of BFloat16, complex numbers
// as pairs of them. It converts to float exactly and from float by rounding to nearest, ties to even; overflow is infinite.
#pragma once

#include <bit>
#include <cstdint>

namespace skipper {

constexpr float bfloat16_value(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

constexpr std::uint16_t bfloat16_bits(float value) {
  std::uint32_t const bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return std::uint16_t(bits >> 16 | 0x40u);  // NaN, made quiet
  return std::uint16_t((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

struct BFloat16 {
  std::uint16_t bits = 0;

  constexpr BFloat16() = default;
  constexpr BFloat16(float value) : bits(bfloat16_bits(value)) {}
  constexpr operator float() const { return bfloat16_value(bits); }
};

}  // namespace skipper
