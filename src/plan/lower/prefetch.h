// Which later tile the blocks of a sweep prefetch while they transform their own (decision 0028).
#pragma once

#include "base/machine.h"
#include "kernel/spec.h"

namespace skipper {

/// What a sweep of so many tiles should prefetch: nothing where all its blocks run at once, or where elements are
/// found through a real transform.
kernel::Prefetch prefetch_of(kernel::SweepSpec const& spec, Index element_bytes, Index tiles,
                             Machine const& machine);

}  // namespace skipper
