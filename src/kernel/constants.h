#pragma once
// Cosines and sines of 2 pi k / n, worked out by the compiler. The angle is reduced to an octant in
// integers, the Taylor series is summed in double-double, and only the result is rounded: doubles
// within 0.5000001 ulp. Meant for constant evaluation, where nothing is contracted or reordered;
// tables made at run time are the business of base/.
namespace skipper::kernel {

/// hi + lo, unevaluated: about 106 bits. |lo| <= ulp(hi) / 2, so hi is the nearest double.
struct Paired {
  double hi, lo;
};

constexpr Paired two_sum(double a, double b) {  // Knuth: exact for any a, b
  double const s = a + b;
  double const t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
constexpr Paired fast_two_sum(double a, double b) {  // Dekker: exact for |a| >= |b|
  double const s = a + b;
  return {s, b - (s - a)};
}
constexpr Paired two_product(double a, double b) {  // Veltkamp and Dekker: exact without an FMA
  double const split = 134217729.0;                 // 2^27 + 1
  double const ta = split * a, tb = split * b;
  double const ah = ta - (ta - a), al = a - ah;
  double const bh = tb - (tb - b), bl = b - bh;
  double const p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

constexpr Paired wide(long long i) {
  double const hi = static_cast<double>(i);
  return {hi, static_cast<double>(i - static_cast<long long>(hi))};
}
constexpr Paired operator-(Paired a) { return {-a.hi, -a.lo}; }
constexpr Paired operator+(Paired a, Paired b) {
  Paired const s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  Paired const u = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(u.hi, u.lo + t.lo);
}
constexpr Paired operator-(Paired a, Paired b) { return a + -b; }
constexpr Paired operator*(Paired a, Paired b) {
  Paired const p = two_product(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
constexpr Paired operator/(Paired a, Paired b) {  // long division, three digits of 53 bits
  double const q0 = a.hi / b.hi;
  Paired const r1 = a - b * Paired{q0, 0.0};
  double const q1 = r1.hi / b.hi;
  Paired const r2 = r1 - b * Paired{q1, 0.0};
  return fast_two_sum(q0, q1) + Paired{r2.hi / b.hi, 0.0};
}
constexpr Paired magnitude(Paired a) { return a.hi < 0 ? -a : a; }

/// 1 / m! for m below 32. Divided out once: a compiler takes long to divide, and asks for many roots.
struct InverseFactorials {
  Paired at[32];
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
constexpr Paired alternating_series(Paired x, int first) {
  Paired const minus_x2 = -(x * x);
  Paired sum = inverse_factorials.at[30 + first];
  for (int m = 28 + first; m >= 0; m -= 2) sum = sum * minus_x2 + inverse_factorials.at[m];
  return first == 0 ? sum : sum * x;
}

/// The point of the unit circle at 2 pi k / n; exp(-2 pi i k / n) is (cos, -sin). |k|, n < 2^60.
struct Root {
  Paired cos, sin;
};
constexpr Root root(long long k, long long n) {
  long long const eighths = 8 * ((k % n + n) % n);
  int const octant = static_cast<int>(eighths / n);
  // The angle is x from the nearest axis, which is (octant + 1) / 2 quarter turns from 0.
  long long const from_axis = eighths % n - (octant % 2 ? n : 0);
  Paired const quarter_pi = {0.78539816339744828, 3.0616169978683830e-17};
  Paired const x = quarter_pi * wide(from_axis) / wide(n);
  Paired const c = alternating_series(x, 0), s = alternating_series(x, 1);
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

/// All n roots of unity, for those who ask for each many times.
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
inline constexpr double cosine = root(k, n).cos.hi;
template <int n, int k>
inline constexpr double sine = root(k, n).sin.hi;

}  // namespace skipper::kernel
