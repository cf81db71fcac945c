// From Skipper's errors to cuFFT's codes: no exception leaves the C interface. What went wrong is a line of the log.
#pragma once

#include <exception>

#include "cufftXt.h"
#include "log.h"

namespace skipper::cufft {

/// Whether a plan is being made or executed.
enum class Doing { planning, executing };

/// The code of the exception that is being handled, which is logged.
cufftResult result_of_exception(char const* function, Doing doing) noexcept;

[[gnu::cold]] cufftResult refused(char const* function, cufftResult result) noexcept;

/// Calls f, which returns a code, for the function of that name.
template <class F>
cufftResult guarded(char const* function, Doing doing, F const& f) noexcept {
  try {
    cufftResult const result = f();
    return result == CUFFT_SUCCESS ? result : refused(function, result);
  } catch (...) {
    return result_of_exception(function, doing);
  }
}
template <class F>
cufftResult guarded(char const* function, F const& f) noexcept {
  return guarded(function, Doing::planning, f);
}

}  // namespace skipper::cufft
