#pragma once
// What kernels that are no sweeps are launched with. Its types follow from the numbers V that the kernel's arrays have: pointers and
// plain numbers where the text is compiled, and where it is recorded (src/trace) what stands for these. A struct of arguments
// names its fields, in order, by `fields(args, f)`, which calls f(name, field): so one list says what the host hands over and what
// a recorded kernel takes.
#include "kernel/affine_map.h"
#include "kernel/complex.h"

namespace skipper::kernel {

template <class V>
struct ArgumentsOf {
  template <class E>
  using Array = E*;
  using Size = Wide;
  using Count = int;
  using Double = double;
};
template <class T>
struct ArgumentsOf<Complex<T>> : ArgumentsOf<T> {};

template <class V, class E>
using ArrayOf = typename ArgumentsOf<V>::template Array<E>;
template <class V>
using SizeOf = typename ArgumentsOf<V>::Size;
template <class V>
using CountOf = typename ArgumentsOf<V>::Count;  // at most 2^30
template <class V>
using DoubleOf = typename ArgumentsOf<V>::Double;

/// The real numbers that numbers V are made of.
template <class V>
struct RealPart {
  using type = V;
};
template <class T>
struct RealPart<Complex<T>> {
  using type = T;
};
template <class V>
using RealOf = typename RealPart<V>::type;

/// Whether an argument is no array.
template <class E>
constexpr bool is_null(E* array) {
  return array == nullptr;
}

/// A number in double precision as one of type T.
template <class T>
constexpr T rounded_to(double x) {
  return T(x);
}

}  // namespace skipper::kernel
