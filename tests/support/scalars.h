#pragma once
// How near two results in 16-bit storage are.
#include <skipper/problem.h>

#include "reference/scalars.h"

namespace skipper::testing {

/// The largest relative error of one rounding to a 16-bit storage: of 11 or of 8 digits.
constexpr double rounding_unit(Precision precision) { return precision == Precision::f16 ? 0x1p-11 : 0x1p-8; }

/// How far two results in f32 may be apart, relative and in the L2 norm, once both are rounded to a 16-bit storage: a few
/// numbers round the other way. Anything between that is rounded to it too makes more than twice as much.
constexpr double allowed_once_rounded(Precision precision) { return 0.25 * rounding_unit(precision); }

}  // namespace skipper::testing
