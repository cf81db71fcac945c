// Exchanges: how each step gets the tile from the step before, and where it waits in shared memory meanwhile.
#pragma once

#include "plan/lower/draft.h"

namespace skipper {

/// Picks the thread order of middle steps and the shared layout of each exchange, one after the other; none may take more
/// than `capacity` elements.
void add_exchanges(Tile const& tile, Draft& draft, Index element_bytes, Index capacity);

}  // namespace skipper
