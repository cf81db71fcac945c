#pragma once
// Runs a program under the emulator with all checks and holds it to everything that is promised of it.
#include "support/compare.h"

namespace skipper::testing {

/// GoogleTest expectations on one program: the definition of the transform, linearity, impulse and shift, the input
/// preserved, gaps of the output untouched, and what the emulator counts equal to what the maps alone say.
void verify(Program const& program, Machine const& machine, std::uint64_t seed);

/// What the maps say of a whole sweep equals what was counted: exactly for shared memory, and for sectors wherever no tile
/// is ragged and no gather index may find nothing.
void verify_counts(SweepRun const& run, Index element);

}  // namespace skipper::testing
