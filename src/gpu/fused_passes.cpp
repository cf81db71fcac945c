// See fused_passes.h.
#include "gpu/fused_passes.h"

#include <algorithm>

namespace skipper::gpu {
namespace {

Index l2_blocks_of(LoadedL2Blocks const& c) { return (c.l2_block.all() + c.run - 1) / c.run; }

}  // namespace

std::size_t counter_bytes(int slots, Index items) {
  return (kernel::counters_of(unsigned(slots)) + kernel::deferred_words_of(unsigned(items))) *
         sizeof(unsigned);
}

bool can_fuse(LoadedL2Blocks const& c) {
  return c.sweeps == 2 && (c.streams >= 3 || l2_blocks_of(c) <= c.streams);
}

kernel::FusedPasses fused_passes_of(LoadedL2Blocks const& c, Index first_tiles, Index last_tiles,
                                    Index element) {
  Index const a = first_tiles / c.l2_block.all() * c.run, b = last_tiles / c.l2_block.all() * c.run;
  // A tile of the last sweep must come behind all of its L2 block's of the first, one of the first behind all of the last
  // one's of the L2 block before in its L2 buffer; and as far behind as tiles run at once, or it waits for them. The first
  // sweep's tiles wait only to store, so the larger part of what L2 buffers are left goes to the last one's.
  Index const least = a + (a + b - 1) / b + 1, most = std::max(least, (c.streams - 1) * a + 1);
  Index const lead = std::clamp(a + (c.streams - 2) * a * 3 / 5, least, most);
  kernel::FusedPasses fused_passes;
  fused_passes.tiles[0] = unsigned(a);
  fused_passes.tiles[1] = unsigned(b);
  fused_passes.all[0] = unsigned(first_tiles);
  fused_passes.all[1] = unsigned(last_tiles);
  fused_passes.lead = unsigned(std::min(lead, first_tiles));
  fused_passes.slots = unsigned(c.streams);
  fused_passes.l2_block = c.run * c.l2_block.unit / element;
  fused_passes.pitch = kernel::Wide(c.l2_buffer) / element;
  return fused_passes;
}

}  // namespace skipper::gpu
