// How two sweeps that share chunks are dealt to the blocks of one kernel (kernel/yoke.h).
#pragma once

#include "gpu/loaded.h"
#include "kernel/yoke.h"

namespace skipper::gpu {

/// Bytes of the counters of so many scratches, and of the marks of so many items.
std::size_t counter_bytes(int slots, Index items);

/// Whether so many scratches are enough for one chunk to be written, another to be read, and the tiles between.
bool can_yoke(LoadedChunks const& chunks);

/// Counters are left to the caller. Tiles are those of all data.
kernel::Yoke yoke_of(LoadedChunks const& chunks, Index first_tiles, Index last_tiles, Index element);

}  // namespace skipper::gpu
