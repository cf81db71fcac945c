// Placing: what the tile of each sweep holds, and in which tier it is held.
#pragma once

#include <optional>

#include "base/machine.h"
#include "plan/planner.h"

namespace skipper {

/// Chooses what the tile of sweep s holds, if asked only among the tiles that a kernel can run. Returns the quick cost of
/// the sweep, nothing where no tile fits.
std::optional<double> place_sweep(Program& program, int s, Machine const& machine, PlanOptions const& options,
                                  bool lowerable = false);

/// A sweep whose transforms fit the registers of a thread and whose threads lie along contiguous memory needs no
/// shared memory at all.
void mark_thread_tier(Program& program, int s);

}  // namespace skipper
