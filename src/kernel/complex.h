#pragma once
// Complex numbers over any value type: float and double, a GNU vector of them on the CPU (one
// complex number a lane), or a test's counting type.
namespace skipper::kernel {

/// The scalar behind T, in which constants are written: T itself; the lane of a vector; T::Element
/// of a type that names one. `Element<T> * T` must be defined.
template <class T>
struct ElementOf {
  using type = T;
};
template <class T>
requires requires(T v) { v[0]; }
struct ElementOf<T> {
  using type = decltype(T{}[0] + T{}[0]);  // the sum drops the reference
};
template <class T>
requires requires { typename T::Element; }
struct ElementOf<T> {
  using type = typename T::Element;
};
template <class T>
using Element = typename ElementOf<T>::type;

/// Scalars are aligned as a pair, so one load or store moves both parts. Vectors keep their own
/// alignment: twice a 64-byte one is more than allocators and stacks give.
template <class T>
struct alignas(sizeof(T) == sizeof(Element<T>) ? 2 * sizeof(T) : alignof(T)) Complex {
  T re, im;
};

/// Zero, where it is meant: where a text is recorded, a number that is declared without a value has none.
template <class T>
constexpr T zero() {
  return T{};
}

template <class T>
constexpr Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
constexpr Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
constexpr Complex<T> operator-(Complex<T> a) {
  return {-a.re, -a.im};
}
template <class T>
constexpr Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
constexpr Complex<T> operator*(Element<T> s, Complex<T> a) {
  return {s * a.re, s * a.im};
}
template <class T>
constexpr Complex<T> operator*(Complex<T> a, Element<T> s) {
  return s * a;
}

template <class T>
constexpr Complex<T> conj(Complex<T> a) {
  return {a.re, -a.im};
}
template <class T>
constexpr Complex<T> times_i(Complex<T> a) {
  return {-a.im, a.re};
}
template <class T>
constexpr Complex<T> times_minus_i(Complex<T> a) {
  return {a.im, -a.re};
}

/// Exchanges the parts. A forward transform between two swaps is the inverse transform.
template <class T>
constexpr Complex<T> swap(Complex<T> a) {
  return {a.im, a.re};
}

}  // namespace skipper::kernel
