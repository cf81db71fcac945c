// Numbers of a precision as they are stored, and as options name them.
#pragma once

#include <skipper/problem.h>

#include <complex>
#include <string_view>

#include "reference/scalars.h"

namespace skipper::cli {

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
