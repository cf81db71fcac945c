#pragma once
// Holds programs of r2c, c2r and r2r problems to the definitions in include/skipper/problem.h, under the emulator.
#include "support/run_program.h"

namespace skipper::testing {

/// GoogleTest expectations on one program of a real kind: the definition evaluated beyond the precision under test, the
/// input preserved, gaps of the output untouched, imaginary parts that stand for nothing ignored, and what the emulator
/// counts equal to what the maps alone say.
void verify_real(Program const& program, Machine const& machine, std::uint64_t seed);

}  // namespace skipper::testing
