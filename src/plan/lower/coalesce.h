// Coalesced stores: a tile whose output is one run of memory is put together in shared memory and stored from there. Rows of
// n/2+1 numbers, and reals that gather indices write from both ends, leave sectors written in part otherwise, and what is
// written in part must be read first.
#pragma once

#include "base/index.h"
#include "kernel/queries.h"

namespace skipper {

/// Coalesces the store where its output is one run, no cluster shares it, and sectors would be written in part; the
/// shared memory may grow to `capacity` elements.
void coalesce_output(kernel::SweepSpec& spec, Index element_bytes, Index capacity);

}  // namespace skipper
