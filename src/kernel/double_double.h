#pragma once
// Numbers of about 106 bits as the unevaluated sum of two doubles, high being the sum rounded to double (Dekker 1971, Knuth's
// two-sum). For the compiler's constants and for tables made at run time. At run time an exact product is two calls of fma, so
// no compiler flag can contract a product and a sum into something else; only -ffast-math breaks it.
namespace skipper::kernel {

struct DoubleDouble {
  double high = 0;
  double low = 0;  // |low| <= half a unit in the last place of high

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}
  constexpr DoubleDouble(double high_part, double low_part) : high(high_part), low(low_part) {}

  bool operator==(DoubleDouble const&) const = default;
};

/// a + b exactly (Knuth).
constexpr DoubleDouble two_sum(double a, double b) {
  double const sum = a + b;
  double const b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a + b exactly, where |a| >= |b| or a == 0 (Dekker).
constexpr DoubleDouble quick_two_sum(double a, double b) {
  double const sum = a + b;
  return {sum, b - (sum - a)};
}

/// a * b exactly, short of underflow. A compiler that evaluates it has no fma: it cuts both in halves of 26 bits (Veltkamp,
/// Dekker).
constexpr DoubleDouble two_product(double a, double b) {
#ifndef __CUDACC__  // in GPU code all of them are constants
  if (!__builtin_is_constant_evaluated()) {
    double const product = __builtin_fma(a, b, 0.0);
    return {product, __builtin_fma(a, b, -product)};
  }
#endif
  double const splitter = 134217729.0;  // 2^27 + 1
  double const a_split = splitter * a, b_split = splitter * b;
  double const a_high = a_split - (a_split - a), a_low = a - a_high;
  double const b_high = b_split - (b_split - b), b_low = b - b_high;
  double const product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// Exact, where a double alone holds only 53 bits.
constexpr DoubleDouble wide(long long value) {
  long long const upper = value >> 32;
  return two_sum(double(upper) * 4294967296.0, double(value - upper * 4294967296));
}

constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble const high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
  DoubleDouble const sum = quick_two_sum(high.high, high.low + low.high);
  return quick_two_sum(sum.high, sum.low + low.low);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble const product = two_product(a.high, b.high);
  return quick_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// Long division: three quotients of 53 bits, each of what the ones before left over.
constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  double const first = a.high / b.high;
  DoubleDouble const left = a - b * DoubleDouble(first);
  double const second = left.high / b.high;
  double const third = (left - b * DoubleDouble(second)).high / b.high;
  return quick_two_sum(first, second) + DoubleDouble(third);
}

constexpr bool operator<(DoubleDouble a, DoubleDouble b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

constexpr DoubleDouble magnitude(DoubleDouble a) { return a.high < 0 ? -a : a; }

}  // namespace skipper::kernel
