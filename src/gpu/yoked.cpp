#include "gpu/yoked.h"

#include <algorithm>

namespace skipper::gpu {
namespace {

Index chunks_of(LoadedChunks const& c) { return (c.chunk.all() + c.run - 1) / c.run; }

}  // namespace

std::size_t counter_bytes(int slots, Index items) {
  return (kernel::counters_of(unsigned(slots)) + kernel::left_words_of(unsigned(items))) * sizeof(unsigned);
}

bool can_yoke(LoadedChunks const& c) { return c.sweeps == 2 && (c.lanes >= 3 || chunks_of(c) <= c.lanes); }

kernel::Yoke yoke_of(LoadedChunks const& c, Index first_tiles, Index last_tiles, Index element) {
  Index const a = first_tiles / c.chunk.all() * c.run, b = last_tiles / c.chunk.all() * c.run;
  // A tile of the last sweep must come behind all of its chunk's of the first, one of the first behind all of the last
  // one's of the chunk before in its scratch; and as far behind as tiles run at once, or it waits for them. The first
  // sweep's tiles wait only to store, so the larger part of what scratches are left goes to the last one's.
  Index const least = a + (a + b - 1) / b + 1, most = std::max(least, (c.lanes - 1) * a + 1);
  Index const lead = std::clamp(a + (c.lanes - 2) * a * 3 / 5, least, most);
  kernel::Yoke yoke;
  yoke.tiles[0] = unsigned(a);
  yoke.tiles[1] = unsigned(b);
  yoke.all[0] = unsigned(first_tiles);
  yoke.all[1] = unsigned(last_tiles);
  yoke.lead = unsigned(std::min(lead, first_tiles));
  yoke.slots = unsigned(c.lanes);
  yoke.chunk = c.run * c.chunk.unit / element;
  yoke.pitch = kernel::Wide(c.scratch) / element;
  return yoke;
}

}  // namespace skipper::gpu
