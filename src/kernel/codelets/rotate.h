#pragma once
// Multiplication by the constant exp(-2 pi i k / n) in two halves: with c = cos, s = sin and
// m = max(|c|, |s|), `lean` multiplies by (c - i s) / m, one part of which is +-1, and `stretch` by m.
// A butterfly can put the stretch after its sums, where it fuses with the last addition.
#include "kernel/complex.h"
#include "kernel/constants.h"

namespace skipper::kernel {

/// (c - i s) / m = sign (1 - i slope) where flat, = -i sign (1 + i slope) where steep.
struct Lean {
  bool flat;
  int sign;
  double slope, length;
};
constexpr Lean lean_of(int n, int k) {
  Root const w = root(k, n);
  bool const flat = magnitude(w.cos).high >= magnitude(w.sin).high;  // nearer the real axis
  DoubleDouble const along = flat ? w.cos : w.sin, across = flat ? w.sin : w.cos;
  return {flat, along.high < 0 ? -1 : 1, (across / along).high, magnitude(along).high};
}

/// The same with k computed once however often it is used; -k is its conjugate.
template <int n, int k>
constexpr Lean lean_hermitian() {
  if constexpr (k < 0) {
    Lean const w = lean_hermitian<n, -k>();
    return {w.flat, w.flat ? w.sign : -w.sign, -w.slope, w.length};
  } else {
    return lean_of(n, k);
  }
}
template <int n, int k>
inline constexpr Lean lean_by = lean_hermitian<n, k>();

/// Multiples of a quarter turn need no multiplication at all.
constexpr bool is_quarter_turn(int n, int k) { return 4LL * k % n == 0; }

template <int n, int k, class T>
constexpr Complex<T> stretch(Complex<T> a) {
  if constexpr (is_quarter_turn(n, k)) return a;
  constexpr Lean w = lean_by<n, k>;
  return static_cast<Element<T>>(w.length) * a;
}

template <int n, int k, class T>
constexpr Complex<T> lean(Complex<T> a) {
  constexpr Lean w = lean_by<n, k>;
  Complex<T> const rotated = w.flat ? a : times_minus_i(a);
  Complex<T> const unit = w.sign > 0 ? rotated : -rotated;
  if constexpr (is_quarter_turn(n, k)) return unit;
  Complex<T> const side = w.flat ? times_minus_i(unit) : times_i(unit);
  if constexpr (w.slope == 1.0) return unit + side;
  if constexpr (w.slope == -1.0) return unit - side;
  return unit + static_cast<Element<T>>(w.slope) * side;
}

template <int n, int k, class T>
constexpr Complex<T> rotate(Complex<T> a) {
  return stretch<n, k>(lean<n, k>(a));
}

}  // namespace skipper::kernel
