// Complex numbers to evaluate definitions in, beyond the precision under test: of double for f32 and 16-bit storage, of
// double-double for f64. std::complex is for built-in types alone.
#pragma once

#include "base/roots.h"

namespace skipper::reference {

template <class R>
struct Complex {
  R re = 0.0, im = 0.0;
};

template <class R>
Complex<R> operator+(Complex<R> const& a, Complex<R> const& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
Complex<R> operator-(Complex<R> const& a, Complex<R> const& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R>
Complex<R> operator*(Complex<R> const& a, Complex<R> const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class R>
Complex<R> operator*(R const& s, Complex<R> const& a) {
  return {s * a.re, s * a.im};
}
template <class R>
Complex<R> conjugate(Complex<R> const& a) {
  return {a.re, -a.im};
}

inline double rounded(double x) { return x; }
inline double rounded(DoubleDouble const& x) { return to_double(x); }

template <class R>
R narrowed(DoubleDouble const& x) {
  if constexpr (sizeof(R) == sizeof(double))
    return to_double(x);
  else
    return x;
}

/// exp(-2 pi i k / n).
template <class R>
Complex<R> root(Index k, Index n) {
  WideRoot const w = wide_root(k, n);
  return {narrowed<R>(w.re), narrowed<R>(w.im)};
}

using Fine = Complex<DoubleDouble>;

/// The type that numbers of T are judged in.
template <class T>
struct BeyondOf {
  using type = double;
};
template <>
struct BeyondOf<double> {
  using type = DoubleDouble;
};
template <class T>
using Beyond = typename BeyondOf<T>::type;

}  // namespace skipper::reference
