// What a sweep costs, in x copy (time over that of a copy of the data). The bounds are those of data movement alone, and are
// assumed to hold for all GPUs. Fitted: bench/results/h200-choices.md.
#pragma once

#include <optional>
#include <vector>

#include "base/machine.h"
#include "plan/tile.h"

namespace skipper {

/// Most bytes that a tile may have in the block tier, and in clusters.
Index block_capacity(Machine const& machine);
Index cluster_capacity(Machine const& machine);

struct TierChoice {
  Tier tier = Tier::block;
  int cluster_ranks = 1;
  double bound = 0;  // the least time, in x copy, before segments; 0: no tier holds it
};
/// The least tier that holds a tile of so many bytes.
TierChoice tier_for(Index tile_bytes, Machine const& machine);

/// Slow-down of a sweep that moves memory in segments of so many bytes.
double segment_factor(Index bytes, Access access, Machine const& machine);

/// Time that memory takes to give and take the data of sweep s in the segments of its tile, over that of a copy.
double movement(Program const& program, int s, Tile const& tile, Machine const& machine);

/// x copy of sweep s as it stands in the program: what its tier and segments cost at the least, or what its blocks
/// take with their arithmetic, whichever is more. The quick one guesses how the tile is assigned to threads.
double sweep_cost(Program const& program, int s, Machine const& machine);
double quick_sweep_cost(Program const& program, int s, Machine const& machine);
double quick_sweep_cost(Program const& program, int s, Tile const& tile, Machine const& machine);
/// The same for a GPU, and nothing where no kernel can run the sweep.
std::optional<double> lowered_sweep_cost(Program const& program, int s, Machine const& machine);

/// Sum over the sweeps, pairs that go through L2 in blocks counted as such.
double program_cost(Program const& program, Machine const& machine);
/// The same of sweeps whose own costs are known.
double program_cost(Program const& program, std::vector<double> const& sweeps);
double quick_program_cost(Program const& program, Machine const& machine);

/// Bytes of the L2 blocks in which sweeps s and s+1 run through L2, 0 where they should not, and in how many streams.
struct L2Blocking {
  Index bytes = 0;
  int streams = 1;
  int sweeps = 2;  // that share them
};
L2Blocking l2_blocking(Program const& program, int s, Machine const& machine);

/// Whether L2 holds what a single pair of sweeps reads and writes, but not a third array between them.
bool lacks_buffer_between(Program const& program, Machine const& machine);

}  // namespace skipper
