// Occupancy: how many registers a thread of a sweep will want, and how many blocks an SM can then hold at once.
#pragma once

#include "base/machine.h"
#include "kernel/spec.h"

namespace skipper {

/// Whether a block of so many threads, each holding so many elements, finds registers enough; `extra` of them are
/// needed beside elements, addresses and an ordinary butterfly.
bool fits_registers(Index threads, Index held, Index element_bytes, Machine const& machine, Index extra);

/// Blocks that an SM is to hold, for the compiler's launch bounds; 0 where it needs no telling.
int resident_blocks(kernel::SweepSpec const& spec, Index element_bytes, Machine const& machine);

/// What an SM has in flight when each thread takes so many registers.
struct Occupancy {
  Index blocks = 0, warps = 0;
  Index load_bytes = 0;  // asked for by all of them at once, when each thread issues all its loads
};
Occupancy occupancy(kernel::SweepSpec const& spec, Index element_bytes, Index registers,
                    Machine const& machine);

}  // namespace skipper
