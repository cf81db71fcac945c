#pragma once
// A number that may be known to be zero. Of a padded line what is past its end is zero, but a compiler may not leave out a
// sum with zero, since -0 + 0 is +0; with this type a codelet does. Where `there` is known when compiling, it costs no code.
#include "kernel/complex.h"

namespace skipper::kernel {

template <class T>
struct Perhaps {
  using Element = T;
  T x;
  bool there;  // else x is zero
};

template <class T>
constexpr Perhaps<T> operator+(Perhaps<T> a, Perhaps<T> b) {
  return {a.there && b.there ? a.x + b.x : a.there ? a.x : b.x, a.there || b.there};
}
template <class T>
constexpr Perhaps<T> operator-(Perhaps<T> a) {
  return {-a.x, a.there};
}
template <class T>
constexpr Perhaps<T> operator-(Perhaps<T> a, Perhaps<T> b) {
  return {a.there && b.there ? a.x - b.x : a.there ? a.x : -b.x, a.there || b.there};
}
template <class T>
constexpr Perhaps<T> operator*(T s, Perhaps<T> a) {
  return {s * a.x, a.there};
}

template <class T>
constexpr Complex<Perhaps<T>> perhaps(Complex<T> a, bool there) {
  return {{a.re, there}, {a.im, there}};
}
template <class T>
constexpr Complex<T> for_sure(Complex<Perhaps<T>> a) {
  return {a.re.x, a.im.x};
}

}  // namespace skipper::kernel
