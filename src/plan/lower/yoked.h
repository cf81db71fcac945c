// Lowers two sweeps that share chunks so that one kernel can run both (kernel/yoke.h): blocks of as many threads each,
// without clusters.
#pragma once

#include <optional>
#include <utility>

#include "plan/lower/lower.h"

namespace skipper {

/// Sweep s and the next; nothing where no cuts of theirs go together.
std::optional<std::pair<Lowered, Lowered>> lower_yoked(Program const& program, int s, Machine const& machine);

}  // namespace skipper
