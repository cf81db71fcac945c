// Numbers of about 106 bits as the unevaluated sum of two doubles, high being the sum rounded to double
// (Dekker 1971, Knuth's two-sum). Every product is written as std::fma, so no compiler flag can contract a
// product and a sum into something else; only -ffast-math breaks it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/index.h"

namespace skipper {

struct DoubleDouble {
  double high = 0;
  double low = 0;  // |low| <= half a unit in the last place of high

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}
  constexpr DoubleDouble(double high_part, double low_part) : high(high_part), low(low_part) {}

  bool operator==(DoubleDouble const&) const = default;
};

// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  double const sum = a + b;
  double const b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// a + b exactly, where |a| >= |b| or a == 0.
inline DoubleDouble quick_two_sum(double a, double b) {
  double const sum = a + b;
  return {sum, b - (sum - a)};
}

// a * b exactly, short of underflow.
inline DoubleDouble two_product(double a, double b) {
  double const product = std::fma(a, b, 0.0);
  return {product, std::fma(a, b, -product)};
}

// Exact, where a double alone holds only 53 bits.
inline DoubleDouble wide(Index value) {
  Index const upper = value >> 32;
  return two_sum(std::ldexp(static_cast<double>(upper), 32),
                 static_cast<double>(value - upper * (Index(1) << 32)));
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = two_sum(a.high, b.high);
  DoubleDouble const low = two_sum(a.low, b.low);
  high = quick_two_sum(high.high, high.low + low.high);
  return quick_two_sum(high.high, high.low + low.low);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble const product = two_product(a.high, b.high);
  double const crossed = std::fma(a.high, b.low, std::fma(a.low, b.high, product.low));
  return quick_two_sum(product.high, crossed);
}

// Long division: three quotients of 53 bits, each of what the ones before left over.
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  double const first = a.high / b.high;
  DoubleDouble const left = a - b * DoubleDouble(first);
  double const second = left.high / b.high;
  double const third = (left - b * DoubleDouble(second)).high / b.high;
  return quick_two_sum(first, second) + DoubleDouble(third);
}

inline bool operator<(DoubleDouble a, DoubleDouble b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

// Rounded once. To float not by way of `high`, whose own rounding could have made a tie: a double whose last
// bit is odd wherever something was cut off stands on the right side of every tie (rounding to odd).
inline double to_double(DoubleDouble a) { return a.high; }

inline float to_float(DoubleDouble a) {
  if (a.low == 0) return static_cast<float>(a.high);
  double const cut = (a.low < 0) == (a.high < 0) ? a.high : std::nextafter(a.high, 0.0);
  return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(cut) | 1));
}

/// To T, which is float or double.
template <class T>
T rounded_to(DoubleDouble a) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return to_double(a);
  } else {
    return to_float(a);
  }
}

}  // namespace skipper
