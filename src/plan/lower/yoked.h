// Lowers two sweeps that share chunks so that one kernel can run both (kernel/yoke.h): blocks of as many threads each,
// without clusters.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "plan/lower/lower.h"

namespace skipper {

/// Sweep s and the next; nothing where no cuts of theirs go together.
std::optional<std::pair<Lowered, Lowered>> lower_yoked(Program const& program, int s, Machine const& machine);

/// All sweeps of a program, those that are yoked together. Throws Error where they cannot be.
std::vector<Lowered> lower_all(Program const& program, Machine const& machine);

}  // namespace skipper
