// A number as the unevaluated sum of two doubles, about 106 bits: what double transforms are judged by. Sums and
// products by Knuth and Dekker, the product's error by a fused multiply-add.
#pragma once

#include <cmath>

namespace skipper::cli {

struct Twofold {
  double hi = 0, lo = 0;
  Twofold() = default;
  Twofold(double h, double l = 0) : hi(h), lo(l) {}
  explicit Twofold(long double x) : hi(double(x)), lo(double(x - (long double)(double(x)))) {}
  explicit operator double() const { return hi + lo; }
};

inline Twofold operator-(Twofold a) { return {-a.hi, -a.lo}; }

inline Twofold operator+(Twofold a, Twofold b) {
  double const s = a.hi + b.hi, v = s - a.hi;
  double const e = (a.hi - (s - v)) + (b.hi - v) + a.lo + b.lo;
  double const hi = s + e;
  return {hi, e - (hi - s)};
}

inline Twofold operator-(Twofold a, Twofold b) { return a + -b; }

inline Twofold operator*(Twofold a, Twofold b) {
  double const p = a.hi * b.hi;
  double const e = std::fma(a.hi, b.hi, -p) + (a.hi * b.lo + a.lo * b.hi);
  double const hi = p + e;
  return {hi, e - (hi - p)};
}

}  // namespace skipper::cli
