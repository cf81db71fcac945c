#include "interpreter/shared.h"

#include <algorithm>
#include <cstring>

namespace skipper::interpreter {

Shared::Shared(ir::Kernel const& kernel, bool races)
    : ranks_(kernel.cluster_ranks),
      size_((kernel.shared_bytes + word - 1) / word * word),
      warps_((kernel.threads + emulator::warp_threads - 1) / emulator::warp_threads),
      races_(races),
      local_epoch_(std::size_t(ranks_)),
      warp_epoch_(std::size_t(ranks_ * warps_)),
      bytes_(std::size_t(ranks_) * std::size_t(size_)),
      set_(bytes_.size() / word),
      history_(races ? set_.size() : 0) {}

void Shared::begin() {
  ++tile_;  // what an earlier one did is forgotten
  std::ranges::fill(set_, char(0));
  std::ranges::fill(bytes_, std::byte(0xff));
  cluster_epoch_ = 0;
  remote_pending_ = false;
}

void Shared::cluster_barrier() {
  ++cluster_epoch_;
  remote_pending_ = false;
}

emulator::Stamp Shared::stamp(int rank, int thread) const {
  int const warp = thread / emulator::warp_threads;
  return {tile_,
          std::uint16_t(rank),
          std::uint16_t(thread),
          cluster_epoch_,
          local_epoch_[std::size_t(rank)],
          std::uint32_t(warp),
          warp_epoch_[std::size_t(rank * warps_ + warp)]};
}

std::string Shared::touch(int rank, int thread, Place to, int bytes, bool writes) {
  if (to.rank < 0 || to.rank >= ranks_)
    return "an access to rank " + std::to_string(to.rank) + " of a cluster of " + std::to_string(ranks_);
  if (to.offset < 0 || to.offset + bytes > size_)
    return "shared memory at byte " + std::to_string(to.offset) + " of " + std::to_string(size_);
  if (to.offset % bytes != 0) return "shared memory at byte " + std::to_string(to.offset) + " is not aligned";
  if (to.rank != rank) {
    if (cluster_epoch_ == 0)
      return "a remote access before the first cluster barrier: the block may not have begun";
    remote_pending_ = true;
  }
  auto const now = races_ ? stamp(rank, thread) : emulator::Stamp{};
  for (std::size_t w = at(to) / word; w < (at(to) + std::size_t(bytes)) / word; ++w) {
    if (writes) set_[w] = true;
    if (!races_) continue;
    auto& history = history_[w];
    if (history.write.tile != tile_) history.write = {};
    if (history.read.tile != tile_) history.read = {};
    auto const* const rival = writes ? history.note_write(now) : history.note_read(now);
    if (rival)
      return "race: shared memory at byte " + std::to_string(to.offset) +
             (writes ? " is written" : " is read") + ", touched with no barrier between by " + name(*rival);
  }
  return {};
}

bool Shared::is_set(Place from, int bytes) const {
  for (std::size_t w = at(from) / word; w < (at(from) + std::size_t(bytes)) / word; ++w)
    if (!set_[w]) return false;
  return true;
}

std::string Shared::end() const {
  return remote_pending_ ? "a remote access with no cluster barrier after it: the other block may have ended"
                         : "";
}

void Written::mark(std::uintptr_t address, std::size_t bytes, bool set) {
  std::size_t const first = (address - base_) / grain;
  for (std::size_t i = first; i < first + bytes / grain && i < set_.size(); ++i) set_[i] = set;
}
bool Written::is_set(std::uintptr_t address, std::size_t bytes) const {
  std::size_t const first = (address - base_) / grain;
  for (std::size_t i = first; i < first + bytes / grain; ++i)
    if (i < set_.size() && !set_[i]) return false;
  return true;
}

}  // namespace skipper::interpreter
