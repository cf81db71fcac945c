// Plain complex numbers of any real type; std::complex is for built-in types alone, and its product checks for infinities.
// Tables and references are computed in them in double-double, beyond the precision that they are for.
#pragma once

#include <type_traits>

#include "base/roots.h"

namespace skipper {

template <class R>
struct ComplexOf {
  R re = 0.0, im = 0.0;
};

template <class R>
ComplexOf<R> operator+(ComplexOf<R> const& a, ComplexOf<R> const& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
ComplexOf<R> operator-(ComplexOf<R> const& a, ComplexOf<R> const& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R>
ComplexOf<R> operator*(ComplexOf<R> const& a, ComplexOf<R> const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class R>
ComplexOf<R> operator*(R const& s, ComplexOf<R> const& a) {
  return {s * a.re, s * a.im};
}
template <class R>
ComplexOf<R> conjugate(ComplexOf<R> const& a) {
  return {a.re, -a.im};
}

template <class R>
R narrowed(DoubleDouble const& x) {
  if constexpr (std::is_same_v<R, double>)
    return to_double(x);
  else
    return x;
}
template <class R>
ComplexOf<R> narrowed(ComplexOf<DoubleDouble> const& z) {
  return {narrowed<R>(z.re), narrowed<R>(z.im)};
}

/// exp(-2 pi i k / n).
template <class R>
ComplexOf<R> root_in(Index k, Index n) {
  WideRoot const w = wide_root(k, n);
  return {narrowed<R>(w.re), narrowed<R>(w.im)};
}

/// The precision beyond that of T: double-double for double, double for float and 16-bit storage.
template <class T>
using Beyond = std::conditional_t<std::is_same_v<T, double>, DoubleDouble, double>;

}  // namespace skipper
