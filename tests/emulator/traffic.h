#pragma once
// What a warp's access costs: wavefronts of shared memory, sectors of global memory. Threads run one after
// another here, so accesses are first logged by program point (the n-th of its kind of a thread) and counted
// when the whole warp has passed.
#include "emulator/counts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skipper::emulator {

/// One access of a warp: where each of its active lanes goes, all with elements of the same size.
struct WarpAccess {
  int bytes = 0;
  std::uint32_t active = 0;
  Wide at[warp_threads];  // shared: the element, offset by its block's rank; global: the byte address
};

/// A place in the shared memory of the block of rank `target`, as one number.
inline Wide shared_address(int target, int place) { return Wide(target) << 32 | Wide(std::uint32_t(place)); }

struct Wavefronts {
  int used = 0;
  int ideal = 0;
  bool operator==(Wavefronts const&) const = default;
};

/// A warp is served 128 bytes at a time (32 lanes of 4 bytes, 16 of 8, 8 of 16). Such a phase takes as many
/// wavefronts as the busiest bank has distinct words; lanes that want the same word share it. Blocks of a
/// cluster are served separately.
Wavefronts wavefronts(WarpAccess const& access);

/// Distinct 32-byte sectors that the access touches, of global memory or of the shared memory of some ranks.
int sectors(WarpAccess const& access);
int shared_sectors(WarpAccess const& access);

/// The accesses of one kind of one warp since the last clear(). A lane that a guard keeps from some access
/// but not from a later one is logged too early, among accesses it does not belong to; where guards cut off
/// the last accesses of a lane, or all, the counts are exact.
class WarpLog {
 public:
  void add(int point, int lane, Wide at, int bytes) {
    while (std::size_t(point) >= used_) {
      if (used_ == accesses_.size()) accesses_.emplace_back();
      accesses_[used_++].active = 0;
    }
    auto& access = accesses_[std::size_t(point)];
    access.bytes = bytes;
    access.active |= std::uint32_t(1) << lane;
    access.at[lane] = at;
  }
  void clear() { used_ = 0; }
  WarpAccess const* begin() const { return accesses_.data(); }
  WarpAccess const* end() const { return accesses_.data() + used_; }

 private:
  std::size_t used_ = 0;
  std::vector<WarpAccess> accesses_;
};

}  // namespace skipper::emulator
