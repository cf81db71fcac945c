// Lines by Rader that stay in their places (kernel/rader_lines.h): the tile is one run of memory and stands in
// shared memory as it is, whatever its threads are.
#pragma once

#include <vector>

#include "plan/lower/draft.h"
#include "plan/lower/lower.h"

namespace skipper {

/// The tile in fine digits, for each choice of radices; none where it is no run, or a block cannot have so many threads. The
/// run is assigned to threads by number, the last round past its end.
std::vector<FineDigits> all_shared_rader(Tile const& tile, Index max_threads);
std::vector<std::vector<AssignedStep>> steps_shared_rader();

/// Their measured slowdown over the predicted one.
double shared_rader_correction(std::vector<int> const& radices, Tile const& tile);

/// How the spec convolves them, with the tables of places and of factors.
void set_shared_rader(Tile const& tile, Draft& draft, Index element_bytes, std::vector<RootTable>& tables);

/// Where the run ends, and where all lines do.
void guard_shared_rader(Tile const& tile, Draft& draft);

}  // namespace skipper
