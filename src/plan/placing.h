// Placing: what the tile of each sweep holds, and which tier shares it.
#pragma once

#include <optional>

#include "plan/planning.h"

namespace skipper {

/// What tiles are ranked by: the quick cost; the same, but only among the tiles that a kernel can run; or what they cost lowered,
/// among more tiles.
enum class TileRanking { quick, runnable, lowered };

/// Chooses what the tile of sweep s holds. Returns the cost of the sweep, nothing where no tile fits.
std::optional<double> place_sweep(Program& program, int s, Planning const& context,
                                  TileRanking ranking = TileRanking::quick);

/// A sweep whose transforms fit the registers of a thread and whose threads lie along contiguous memory needs no
/// shared memory at all.
void mark_thread_tier(Program& program, int s);

}  // namespace skipper
