#pragma once
// Who touched an element last, and whether a barrier lies between. A block's barriers count its local epoch,
// the cluster's barriers the cluster epoch, a warp's its own. Two accesses of different threads are ordered when the
// cluster epoch differs, or when both come from one block and its local epoch differs, or from one warp and its epoch
// differs; accesses of different tiles never are.
#include "emulator/counts.h"

#include <cstdint>
#include <string>

namespace skipper::emulator {

/// One access, or (thread or rank == several) all reads since the last barrier.
struct Stamp {
  static constexpr std::uint32_t nowhere = ~std::uint32_t(0);
  static constexpr std::uint16_t several = ~std::uint16_t(0);

  std::uint32_t tile = nowhere;  // several tiles: nowhere - 1
  std::uint16_t cluster_rank = 0;
  std::uint16_t thread = 0;
  std::uint32_t cluster_epoch = 0;
  std::uint32_t local_epoch = 0;
  std::uint32_t warp = 0;  // several: nowhere
  std::uint32_t warp_epoch = 0;

  bool happened() const { return tile != nowhere; }
  bool same_thread(Stamp const& o) const {
    return tile == o.tile && cluster_rank == o.cluster_rank && thread == o.thread;
  }
  bool ordered_before(Stamp const& later) const {
    if (tile != later.tile) return false;
    if (cluster_rank == later.cluster_rank && thread == later.thread) return true;
    if (cluster_epoch != later.cluster_epoch) return true;
    return cluster_rank == later.cluster_rank &&
           (local_epoch != later.local_epoch || (warp == later.warp && warp_epoch != later.warp_epoch));
  }
};

/// "thread 3 of rank 1, tile 0"
std::string name(Stamp const& stamp);

/// The last write of an element and the reads since that are not yet ordered before everything to come.
struct History {
  Stamp write, read;

  /// Notes a read; the stamp of a write that it races with, or null.
  Stamp const* note_read(Stamp const& now) {
    if (write.happened() && !write.ordered_before(now)) return &write;
    if (!read.happened() || read.ordered_before(now)) {
      read = now;
      return nullptr;
    }
    if (read.tile != now.tile) read.tile = Stamp::nowhere - 1;
    if (read.cluster_rank != now.cluster_rank) read.cluster_rank = Stamp::several;
    read.thread = Stamp::several;
    if (read.warp != now.warp) read.warp = Stamp::nowhere;
    return nullptr;
  }

  /// Notes a write; the stamp of an access that it races with, or null.
  Stamp const* note_write(Stamp const& now) {
    if (write.happened() && !write.ordered_before(now)) return &write;
    if (read.happened() && !read.ordered_before(now)) return &read;
    write = now;
    return nullptr;
  }
};

}  // namespace skipper::emulator
