// From a call to the Problem that says the same, where there is one.
#pragma once

#include <skipper/problem.h>

#include <optional>

#include "call.h"

namespace skipper::fftw3 {

/// Nothing where Problem has no words for it: negative strides, split complex numbers, halfcomplex kinds, in place
/// with other strides, no axis. The call is normalised and not empty.
std::optional<Problem> direct_problem(Call const& call);

}  // namespace skipper::fftw3
