// The types that numbers have in memory, by precision.
#pragma once

#include <skipper/bfloat16.h>
#include <skipper/half.h>
#include <skipper/problem.h>

namespace skipper {

/// f(a number of the type that arrays of the precision hold)
template <class F>
auto with_scalar(Precision precision, F const& f) {
  if (precision == Precision::f16) return f(Half());
  if (precision == Precision::bf16) return f(BFloat16());
  if (precision == Precision::f32) return f(float());
  return f(double());
}

}  // namespace skipper
