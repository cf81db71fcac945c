// How two sweeps that share L2 blocks are assigned to the blocks of one kernel (kernel/fused_passes.h).
#pragma once

#include "gpu/loaded.h"
#include "kernel/fused_passes.h"

namespace skipper::gpu {

/// Bytes of the counters of so many L2 buffers, and of the marks of so many items.
std::size_t counter_bytes(int slots, Index items);

/// Whether so many L2 buffers are enough for one L2 block to be written, another to be read, and the tiles between.
bool can_fuse(LoadedL2Blocks const& l2_blocks);

/// Counters are left to the caller. Tiles are those of all data.
kernel::FusedPasses fused_passes_of(LoadedL2Blocks const& l2_blocks, Index first_tiles, Index last_tiles,
                                    Index element);

}  // namespace skipper::gpu
