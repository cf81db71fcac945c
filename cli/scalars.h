// The types that numbers have in memory, by precision.
#pragma once

#include <skipper/bfloat16.h>
#include <skipper/half.h>
#include <skipper/problem.h>

#include <complex>
#include <string_view>

namespace skipper::cli {

// f(a number of the type that arrays of the precision hold)
template <class F>
auto with_scalar(Precision precision, F const& f) {
  if (precision == Precision::f16) return f(Half());
  if (precision == Precision::bf16) return f(BFloat16());
  if (precision == Precision::f32) return f(float());
  return f(double());
}

// A complex number as it is stored in any of them.
template <class Scalar>
struct Pair {
  Scalar re, im;
  explicit operator std::complex<double>() const { return {double(re), double(im)}; }
};

// The one of an option's word; the option takes no others.
inline Precision precision_named(std::string_view word) {
  for (Precision const p : {Precision::f16, Precision::bf16, Precision::f32})
    if (word == name(p)) return p;
  return Precision::f64;
}

inline std::size_t scalar_bytes(Precision precision) {
  return with_scalar(precision, [](auto x) { return sizeof x; });
}

}  // namespace skipper::cli
