#pragma once
// What the kernel text computes with where it is recorded: the numbers of ir/values.h, and arrays in global memory as addresses.
// The names that the text takes from kernel/numbers.h are here a second time, for these.
#include "ir/values.h"
#include "kernel/memory.h"

namespace skipper::trace {

using ir::Bool;
using ir::Index;
using ir::Real;
using kernel::Complex;

class Block;

/// A number in double precision, whatever the kernel computes in.
class Double : public Real {
 public:
  Double() = default;
  Double(int x) : Real(x, ir::Type::f64) {}
  Double(Real const& x) : Real(ir::converted(x, ir::Type::f64)) {}
};

/// How an element of an array stands in memory.
struct Stored {
  ir::Type type;
  int count = 1;
  int bytes() const { return count * bytes_of(type); }
};
template <class E>
Stored stored();
template <>
inline Stored stored<Real>() {
  return {ir::builder().real()};
}
template <>
inline Stored stored<double>() {
  return {ir::Type::f64};
}
template <>
inline Stored stored<Double>() {
  return {ir::Type::f64};
}
template <>
inline Stored stored<kernel::Half>() {
  return {ir::Type::f16};
}
template <>
inline Stored stored<kernel::BFloat16>() {
  return {ir::Type::bf16};
}
template <>
inline Stored stored<int>() {
  return {ir::Type::i32};
}
template <>
inline Stored stored<unsigned long long>() {
  return {ir::Type::i64};
}
template <class E>
struct IsPair {
  static constexpr bool value = false;
  using Part = E;
};
template <class E>
struct IsPair<Complex<E>> {
  static constexpr bool value = true;
  using Part = E;
};
/// Of an element that may be complex.
template <class E>
Stored element() {
  return {stored<typename IsPair<E>::Part>().type, IsPair<E>::value ? 2 : 1};
}

/// An array, by the address of its first element.
template <class E>
struct Pointer {
  Index address;
  Index at(Index const& offset) const { return address + offset * element<E>().bytes(); }
};
template <class E>
Pointer<E> operator+(Pointer<E> const& p, Index const& by) {
  return {p.at(by)};
}
template <class E>
Pointer<E> operator-(Pointer<E> const& p, Index const& by) {
  return {p.at(-by)};
}
template <class E>
Index elements_behind(Pointer<E> const& p, unsigned long long address) {
  return (p.address - address) / element<E>().bytes();
}

/// What a table of base addresses has.
struct Address {
  Index number;
};
template <class E>
Pointer<E> array_at(Address const& address) {
  return {address.number};
}
inline Pointer<unsigned long long> base_addresses(Pointer<unsigned long long> const& data) { return data; }

}  // namespace skipper::trace

namespace skipper::kernel {

template <>
struct NumbersOf<trace::Block> {
  using Int = ir::Index;
  using Unsigned = ir::Index;
  using Offset = ir::Index;
  using Bool = ir::Bool;
  using Double = trace::Double;
  template <class Stored>
  using Computed = ir::Real;
  template <class Answer>
  using Unsigned32If = ir::Index;
  template <class Answer>
  using Int32If = ir::Index;
  template <class V>
  static int bytes() {
    return trace::element<V>().bytes();
  }
};

template <>
inline ir::Real zero<ir::Real>() {
  return ir::Real(0.0);
}
template <>
inline trace::Double zero<trace::Double>() {
  return 0;
}
template <>
inline Complex<ir::Real> zero<Complex<ir::Real>>() {
  return {zero<ir::Real>(), zero<ir::Real>()};
}
template <>
inline Complex<trace::Double> zero<Complex<trace::Double>>() {
  return {zero<trace::Double>(), zero<trace::Double>()};
}

inline Complex<ir::Real> select(ir::Bool const& yes, Complex<ir::Real> const& a, Complex<ir::Real> const& b) {
  return {ir::select(yes, a.re, b.re), ir::select(yes, a.im, b.im)};
}

template <class E, class P>
trace::Pointer<E> array_of(trace::Pointer<P> const& p) {
  return {p.address};
}
template <>
struct Args<ir::Real> {
  trace::Pointer<Complex<ir::Real>> in, out, roots;
  ir::Real scale;
  trace::Pointer<Complex<ir::Real>> factors;
  trace::Pointer<unsigned long long> data;
  trace::Pointer<Complex<ir::Real>> constant_mode;
};

}  // namespace skipper::kernel
