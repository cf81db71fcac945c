#pragma once
// Records two sweeps that share a kernel (kernel/fused_passes.h).
#include "ir/kernel.h"
#include "kernel/fused_passes.h"

namespace skipper::trace {

/// The kernel of two sweeps that are fused, of one of its launches. In the first each block runs the item of its own index, and defers
/// what waits too long; in the second blocks claim deferred items. Its parameters are those of the first sweep, those of the last
/// (last_in, ..), `counters` and `deferred`; sizes are known.
ir::Kernel trace_fused(kernel::SweepSpec const& first, kernel::SweepSpec const& last,
                       kernel::FusedPasses const& passes, ir::Type real);

}  // namespace skipper::trace
