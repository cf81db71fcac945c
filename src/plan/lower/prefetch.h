// Which tile to come the blocks of a sweep ask for while they transform their own (decision 0028).
#pragma once

#include "base/machine.h"
#include "kernel/spec.h"

namespace skipper {

/// What the spec of a sweep of so many tiles should ask for: nothing where all its blocks run at once, or where elements are
/// found through a real transform.
kernel::Prefetch prefetch_of(kernel::SweepSpec const& spec, Index element_bytes, Index tiles,
                             Machine const& machine);

}  // namespace skipper
