// What lies between the outputs of a strided array is nobody's to write.
#pragma once

#include <skipper/problem.h>

namespace skipper::reference {

/// Whether every byte of the output's span that belongs to no output is still 0xff, with which the array was filled before.
/// Out of place only: in place such bytes may be inputs.
bool gaps_are_untouched(Problem const& problem, void const* out);

}  // namespace skipper::reference
