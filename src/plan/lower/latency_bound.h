// Sweeps of few tiles, whose blocks all run at once: such a sweep takes as long as one block. So the waits of a block
// are shortened at the price of shared memory and registers, which are free here.
#pragma once

#include "base/machine.h"
#include "kernel/spec.h"

namespace skipper {

/// Double buffering: exchanges alternate between two buffers of shared memory, so none has to wait until the one before has been
/// read.
kernel::SweepSpec with_double_buffering(kernel::SweepSpec spec);

/// Twiddles read before the data come, instead of each after the barrier before it.
kernel::SweepSpec with_preloaded_twiddles(kernel::SweepSpec spec);

/// Both, as far as the blocks that share an SM leave room for it; the same spec where there are more tiles than run at once.
kernel::SweepSpec latency_bound(kernel::SweepSpec const& spec, Index element_bytes, Index tiles,
                                Machine const& machine);

}  // namespace skipper
