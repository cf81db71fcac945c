#pragma once
// Cosines and sines of 2 pi k / n, worked out by the compiler. The angle is reduced to an octant in
// integers, the Taylor series is summed in double-double, and only the result is rounded: doubles
// within 0.5000001 ulp. Tables made at run time are the business of base/.

#include "kernel/double_double.h"

namespace skipper::kernel {

/// 1 / m! for m below 32. Divided once, since a compiler takes long to divide and needs them for many roots.
struct InverseFactorials {
  DoubleDouble at[32];
};
constexpr InverseFactorials inverse_factorials_to_31() {
  InverseFactorials all{};
  all.at[0] = {1.0, 0.0};
  for (int m = 1; m < 32; ++m) all.at[m] = all.at[m - 1] / wide(m);
  return all;
}
inline constexpr InverseFactorials inverse_factorials = inverse_factorials_to_31();

/// The sum of x^m / m! with alternating signs over m = first, first + 2, ...; |x| <= pi / 4, and
/// (pi/4)^32 / 32! < 2^-128.
constexpr DoubleDouble alternating_series(DoubleDouble x, int first) {
  DoubleDouble const minus_x2 = -(x * x);
  DoubleDouble sum = inverse_factorials.at[30 + first];
  for (int m = 28 + first; m >= 0; m -= 2) sum = sum * minus_x2 + inverse_factorials.at[m];
  return first == 0 ? sum : sum * x;
}

/// The point of the unit circle at 2 pi k / n; exp(-2 pi i k / n) is (cos, -sin). |k|, n < 2^60.
struct Root {
  DoubleDouble cos, sin;
};
constexpr Root root(long long k, long long n) {
  long long const eighths = 8 * ((k % n + n) % n);
  int const octant = static_cast<int>(eighths / n);
  // The angle is x from the nearest axis, which is (octant + 1) / 2 quarter turns from 0.
  long long const from_axis = eighths % n - (octant % 2 ? n : 0);
  DoubleDouble const quarter_pi = {0.78539816339744828, 3.0616169978683830e-17};
  DoubleDouble const x = quarter_pi * wide(from_axis) / wide(n);
  DoubleDouble const c = alternating_series(x, 0), s = alternating_series(x, 1);
  switch ((octant + 1) / 2) {
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    case 3:
      return {s, -c};
    default:
      return {c, s};
  }
}

/// All n roots of unity, for code that needs each many times.
template <int n>
struct Roots {
  Root at[n];
};
template <int n>
constexpr Roots<n> all_roots() {
  Roots<n> all{};
  for (int k = 0; k < n; ++k) {
    // Axes, where zeros have signs, and diagonals, which are reduced from either side, are no mirror images to the last bit.
    bool const is_mirrored = 2 * k > n && 8 * k % n != 0;
    Root const opposite = all.at[(n - k) % n];
    all.at[k] = is_mirrored ? Root{opposite.cos, -opposite.sin} : root(k, n);
  }
  return all;
}
template <int n>
inline constexpr Roots<n> roots = all_roots<n>();

template <int n, int k>
inline constexpr double cosine = root(k, n).cos.high;
template <int n, int k>
inline constexpr double sine = root(k, n).sin.high;

}  // namespace skipper::kernel
