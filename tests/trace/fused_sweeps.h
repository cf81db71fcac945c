#pragma once
// Two sweeps that are lowered for one kernel, and what its work items are.
#include "kernel/fused_passes.h"
#include "plan/lower/lower.h"
#include "plan/program.h"

namespace skipper::testing {

struct Fused {
  Program program;
  Lowered first, last;
  kernel::FusedPasses passes;
};

/// Sweep s and the next, which are fused: one index of the digit an L2 block, in so many L2 buffers.
Fused fused(Program const& program, int s, unsigned slots);

}  // namespace skipper::testing
