// Complex data whose axes are all cosine, sine or Hartley transforms: these are linear and real, so the transform of real and
// imaginary parts is that of reals, the two parts as neighbours in a batch.
#pragma once

#include <skipper/problem.h>

#include <optional>

namespace skipper {

/// The r2r problem of the parts, on the same arrays, without Fourier axes of one point. Nothing where another axis is Fourier, or
/// the batch has no dimension left.
std::optional<Problem> problem_of_parts(Problem const& problem);

}  // namespace skipper
