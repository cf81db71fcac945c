// Fixed-point numbers of 288 bits and exp(-2 pi i k/n) in them: a reference for roots of unity and for
// double-double arithmetic. No octants, no constants, no floating point, so nothing in common with src/base.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "base/double_double.h"
#include "base/index.h"

namespace skipper {

// A number modulo 2^32 with 256 bits behind the point, two's complement, the lowest limb first.
struct Fixed {
  std::array<std::uint32_t, 9> limb{};

  bool negative() const { return limb[8] >> 31; }
};

inline Fixed operator+(Fixed const& a, Fixed const& b) {
  Fixed sum;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    carry += std::uint64_t(a.limb[i]) + b.limb[i];
    sum.limb[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return sum;
}

inline Fixed operator-(Fixed a) {
  for (auto& limb : a.limb) limb = ~limb;
  Fixed last;
  last.limb[0] = 1;
  return a + last;
}

inline Fixed operator-(Fixed const& a, Fixed const& b) { return a + -b; }

// For factors that are not negative.
inline Fixed operator*(Fixed const& a, Fixed const& b) {
  std::array<std::uint32_t, 19> all{};
  for (std::size_t i = 0; i < 9; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 9; ++j) {
      carry += std::uint64_t(a.limb[i]) * b.limb[j] + all[i + j];
      all[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    all[i + 9] = static_cast<std::uint32_t>(carry);
  }
  Fixed product;
  for (std::size_t i = 0; i < 9; ++i) product.limb[i] = all[i + 8];
  return product;
}

inline Fixed operator/(Fixed a, std::uint32_t b) {
  std::uint64_t rest = 0;
  for (std::size_t i = 9; i-- > 0;) {
    rest = rest << 32 | a.limb[i];
    a.limb[i] = static_cast<std::uint32_t>(rest / b);
    rest %= b;
  }
  return a;
}

inline Fixed whole(std::uint32_t n) {
  Fixed a;
  a.limb[8] = n;
  return a;
}

// k/n for 0 <= k < n <= 2^62, a bit at a time.
inline Fixed fraction(Index k, Index n) {
  Fixed a;
  for (std::size_t bit = 256; bit-- > 0;) {
    k *= 2;
    if (k < n) continue;
    k -= n;
    a.limb[bit / 32] |= std::uint32_t(1) << (bit % 32);
  }
  return a;
}

// Exact for |value| < 2^31 whose last bit is not below 2^-256.
inline Fixed fixed(double value) {
  Fixed a;
  double rest = std::fabs(value);
  for (std::size_t i = 9; i-- > 0; rest = std::ldexp(rest, 32)) {
    a.limb[i] = static_cast<std::uint32_t>(rest);
    rest -= a.limb[i];
  }
  return value < 0 ? -a : a;
}

inline Fixed fixed(DoubleDouble value) { return fixed(value.high) + fixed(value.low); }

inline double approximate(Fixed a) {
  bool const negative = a.negative();
  if (negative) a = -a;
  double sum = 0;
  for (std::size_t i = 0; i < 9; ++i) sum += std::ldexp(a.limb[i], 32 * (static_cast<int>(i) - 8));
  return negative ? -sum : sum;
}

inline Fixed arctangent_of_inverse(std::uint32_t n) {
  Fixed sum, power = whole(1) / n;
  for (std::uint32_t k = 1; k < 400; k += 2, power = power / n / n) {
    sum = k % 4 == 1 ? sum + power / k : sum - power / k;
  }
  return sum;
}

// Machin: pi/4 = 4 arctan(1/5) - arctan(1/239).
inline Fixed two_pi() {
  static Fixed const value = whole(32) * arctangent_of_inverse(5) - whole(8) * arctangent_of_inverse(239);
  return value;
}

struct Circle {
  Fixed re, im;
};

// exp(-2 pi i k/n) by the series over the whole turn, 0 <= k < n.
inline Circle circle(Index k, Index n) {
  Fixed const angle = two_pi() * fraction(k, n);
  Circle sum;
  Fixed term = whole(1);
  for (std::uint32_t j = 0; j < 90; term = term * angle / ++j) {
    Fixed& part = j % 2 ? sum.im : sum.re;
    bool const minus = j % 4 == 1 || j % 4 == 2;  // 1, -i, -1, i
    part = minus ? part - term : part + term;
  }
  return sum;
}

}  // namespace skipper
