// A small pool of threads for loops over independent tiles. The caller works too and never waits for a worker
// that has not begun, so loops from many threads at once cannot deadlock: at worst each runs alone. A loop inside
// a loop runs inline. Which thread runs an index changes nothing but the slot it is told.
#pragma once

#include <functional>

#include "base/index.h"

namespace skipper::cpu {

/// Cores that this process may run on.
int cores();

/// body(slot, begin, end) over pieces of 0..count-1, on at most `threads` threads. Slots are below `threads`, and no
/// two pieces run in one slot at the same time. Rethrows the first exception of a body.
void parallel_for(Index count, int threads, std::function<void(int, Index, Index)> const& body);

/// Workers that exist now; they are made when first needed and stay.
int workers();

}  // namespace skipper::cpu
