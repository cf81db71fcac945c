#pragma once
// Runs a sweep of a program twice on the same numbers: its kernel text in the emulator, and what was traced of it in the interpreter.
#include <string>
#include <vector>

#include "plan/lower/lower.h"
#include "plan/program.h"

namespace skipper::testing {

/// A sweep as it is lowered, and the arrays that it reads and writes.
struct LoweredSweep {
  Problem problem;
  Lowered lowered;
  bool is_double = false, in_place = false;
  Index in_bytes = 0, out_bytes = 0;
  Index factors_bytes = 0;  // of a fused inverse
  double scale = 1;
};
LoweredSweep lowered_sweep(Program const& program, int s, Machine const& machine);

/// Empty where a few tiles, the first, one in the middle and the last, give the same bits, with as many accesses of each kind;
/// else what differs. Numbers that were never set are followed.
std::string difference(LoweredSweep const& sweep, std::uint64_t seed);

}  // namespace skipper::testing
