#pragma once
// The shared memory of the blocks of a cluster: its bytes, which words were written, and who touched each since the last barrier.
#include "interpreter/memory.h"

namespace skipper::interpreter {

class Shared {
 public:
  Shared(ir::Kernel const& kernel, bool races);
  void begin();  // nothing is written yet
  void block_barrier(int rank) { ++local_epoch_[std::size_t(rank)]; }
  void warp_barrier(int rank, int warp) { ++warp_epoch_[std::size_t(rank * warps_ + warp)]; }
  void cluster_barrier();

  /// Addresses count from the block's own memory; that of another rank has the rank above rank_shift.
  static constexpr int rank_shift = 20;
  struct Place {
    int rank, offset;
  };
  Place place(std::int64_t address) const {
    return {int(address >> rank_shift), int(address & ((1 << rank_shift) - 1))};
  }

  /// Why a thread may not make the access; empty: it may, and it is noted.
  std::string touch(int rank, int thread, Place place, int bytes, bool writes);
  std::byte* bytes(Place place) { return bytes_.data() + at(place); }
  bool is_set(Place place, int bytes) const;
  /// Why the block may not end; empty: it may.
  std::string end() const;

 private:
  static constexpr int word = 4;
  std::size_t at(Place place) const {
    return std::size_t(place.rank) * std::size_t(size_) + std::size_t(place.offset);
  }
  emulator::Stamp stamp(int rank, int thread) const;

  int ranks_, size_, warps_;
  bool races_;
  std::uint32_t tile_ = 0, cluster_epoch_ = 0;
  bool remote_pending_ = false;
  std::vector<std::uint32_t> local_epoch_, warp_epoch_;
  std::vector<std::byte> bytes_;
  std::vector<char> set_;  // of words
  std::vector<emulator::History> history_;
};

}  // namespace skipper::interpreter
