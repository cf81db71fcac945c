#pragma once
// Runs a program under the emulator with all checks and holds it to everything that is promised of it.
#include "support/reference.h"

namespace skipper::testing {

/// GoogleTest expectations on one program: the definition of the transform, linearity, impulse and shift, the input
/// preserved, gaps of the output untouched, and what the emulator counts equal to what the maps alone say.
void verify(Program const& program, Machine const& machine, std::uint64_t seed);

}  // namespace skipper::testing
