// The checks of shared memory, and the bookkeeping that turns accesses of threads into accesses of warps.
#include "emulator/audit.h"

namespace skipper::emulator {

Audit::Audit(Grid const& grid, Checks checks, GlobalMemory& memory, Counts& counts)
    : grid_(grid),
      checks_(checks),
      memory_(memory),
      counts_(counts),
      warps_((grid.threads + warp_threads - 1) / warp_threads),
      local_epoch_(std::size_t(grid.ranks)),
      warp_epoch_(std::size_t(grid.ranks * warps_)),
      shared_(checks.races || checks.unwritten ? 2 * std::size_t(grid.ranks) * std::size_t(grid.shared) : 0),
      logs_(std::size_t(kinds * grid.ranks * warps_)) {}

void Audit::begin(Wide tile) {
  tile_ = std::uint32_t(tile);
  cluster_epoch_ = 0;
  for (auto& epoch : local_epoch_) epoch = 0;
  remote_pending_ = false;
}

void Audit::end() {
  for (int rank = 0; rank < grid_.ranks; ++rank) count_shared(rank);
  count_global();
  if (checks_.races && remote_pending_)
    fail(remote_seat_, "remote access with no cluster barrier after it: the other block may have ended");
}

void Audit::barrier(int rank) {
  count_shared(rank);
  ++local_epoch_[std::size_t(rank)];
}

void Audit::warp_barrier(int rank, int warp) {
  count_shared(rank, warp);
  ++warp_epoch_[std::size_t(rank * warps_ + warp)];
}

void Audit::cluster_barrier() {
  for (int rank = 0; rank < grid_.ranks; ++rank) count_shared(rank);
  ++cluster_epoch_;
  remote_pending_ = false;
}

// ---- Accesses.

void Audit::put(Seat& seat, int target, int place, int bytes, int parts) {
  if (checks_.bounds && (target < 0 || target >= grid_.ranks))
    fail(seat, "remote store to rank " + std::to_string(target) + " of a cluster of " +
                   std::to_string(grid_.ranks));
  check_place(seat, "write", place, parts);
  if (target != seat.rank) {
    if (checks_.races && cluster_epoch_ == 0)
      fail(seat, "remote store before the first cluster barrier: the target block may not have started");
    remote_pending_ = true;
    remote_seat_ = seat;
  }
  if (checks_.races || checks_.unwritten) {
    auto const now = stamp(seat);
    each_part(target, place, parts, [&](History& touched) {
      if (!checks_.races)
        touched.write = now;
      else if (auto const* rival = touched.note_write(now))
        fail(seat, "race: write of shared memory of rank " + std::to_string(target) + " at offset " +
                       std::to_string(place) + ", touched with no barrier between by " + name(*rival));
    });
  }
  if (checks_.banks) note(seat, Kind::put, shared_address(target, place), bytes);
}

void Audit::take(Seat& seat, int place, int bytes, int parts) {
  take_from(seat, seat.rank, place, bytes, parts);
}

void Audit::take_remote(Seat& seat, int target, int place, int bytes) {
  if (checks_.bounds && (target < 0 || target >= grid_.ranks))
    fail(seat, "remote read from rank " + std::to_string(target) + " of a cluster of " +
                   std::to_string(grid_.ranks));
  if (target != seat.rank) {
    if (checks_.races && cluster_epoch_ == 0)
      fail(seat, "remote read before the first cluster barrier: the other block may not have started");
    remote_pending_ = true;
    remote_seat_ = seat;
  }
  take_from(seat, target, place, bytes, 2);
}

void Audit::take_from(Seat& seat, int rank, int place, int bytes, int parts) {
  check_place(seat, "read", place, parts);
  if (checks_.races || checks_.unwritten) {
    auto const now = stamp(seat);
    each_part(rank, place, parts, [&](History& touched) {
      if (checks_.unwritten && !touched.write.happened())
        fail(seat, "read of shared memory nobody wrote, at offset " + std::to_string(place));
      if (checks_.races)
        if (auto const* rival = touched.note_read(now))
          fail(seat, "race: read of shared memory at offset " + std::to_string(place) +
                         ", written with no barrier between by " + name(*rival));
    });
  }
  if (checks_.banks) note(seat, Kind::take, shared_address(rank, place), bytes);
}

void Audit::global(Seat& seat, Use use, void const* base, Wide offset, int bytes) {
  auto const from = reinterpret_cast<std::uintptr_t>(base);
  auto const address = from + std::uintptr_t(offset) * std::uintptr_t(bytes);
  auto const* const array = memory_.find(use, address);
  if (checks_.bounds && !array) {
    char const* const what = use == Use::load ? "load" : use == Use::store ? "store" : "root load";
    fail(seat, std::string("global ") + what + " at offset " + std::to_string(offset) + " of " +
                   memory_.limit(use, from));
  }
  if (checks_.races) memory_.note(use, address, bytes, stamp(seat));
  if (checks_.sectors && use != Use::root) {
    // Arrays are taken to begin at a multiple of 256 bytes, as a GPU's allocator gives them.
    Wide const at =
        array ? Wide(address - array->base) + (Wide(array->base & ~std::uintptr_t(255))) : Wide(address);
    note(seat, use == Use::load ? Kind::load : Kind::store, at, bytes);
  }
}

void Audit::asked(Seat const& seat, void const* base, Wide offset, int bytes) const {
  auto const from = reinterpret_cast<std::uintptr_t>(base);
  if (checks_.bounds && !memory_.find(Use::load, from + std::uintptr_t(offset) * std::uintptr_t(bytes)))
    fail(seat, "asks for offset " + std::to_string(offset) + " of " + memory_.limit(Use::load, from));
}

// ---- Shared memory.

Stamp Audit::stamp(Seat const& seat) const {
  int const warp = seat.thread / warp_threads;
  return {tile_,
          std::uint16_t(seat.rank),
          std::uint16_t(seat.thread),
          cluster_epoch_,
          local_epoch_[std::size_t(seat.rank)],
          std::uint32_t(warp),
          warp_epoch_[std::size_t(seat.rank * warps_ + warp)]};
}

/// What happened to a part of an element in this tile: what happened to it in an earlier one is forgotten.
History& Audit::history(int rank, int part) {
  auto& element = shared_.at(2 * std::size_t(rank) * std::size_t(grid_.shared) + std::size_t(part));
  if (element.write.tile != tile_) element.write = {};
  if (element.read.tile != tile_) element.read = {};
  return element;
}

void Audit::check_place(Seat const& seat, char const* what, int place, int parts) const {
  if (checks_.bounds && (place < 0 || parts * (place + 1) > 2 * grid_.shared))
    fail(seat, std::string("shared ") + what + " at offset " + std::to_string(place) + " of " +
                   std::to_string(grid_.shared) + " elements");
}

void Audit::fail(Seat const& seat, std::string const& what) const {
  throw EmulationError(name(stamp(seat)) + ": " + what);
}

// ---- Warps.

WarpLog& Audit::log(Kind kind, int rank, int warp) {
  return logs_[std::size_t((int(kind) * grid_.ranks + rank) * warps_ + warp)];
}

void Audit::note(Seat& seat, Kind kind, Wide at, int bytes) {
  log(kind, seat.rank, seat.thread / warp_threads)
      .add(seat.point[int(kind)]++, seat.thread % warp_threads, at, bytes);
}

void Audit::count_shared(int rank) {
  for (int warp = 0; warp < warps_; ++warp) count_shared(rank, warp);
}

void Audit::count_shared(int rank, int warp) {
  if (!checks_.banks) return;
  for (Kind kind : {Kind::put, Kind::take}) {
    auto& accesses = log(kind, rank, warp);
    for (auto const& access : accesses) {
      auto const cost = wavefronts(access);
      (kind == Kind::put ? counts_.wavefronts_write : counts_.wavefronts_read) += cost.used;
      if (kind == Kind::put) counts_.put_sectors += shared_sectors(access);
      counts_.wavefronts_ideal += cost.ideal;
      counts_.conflicts += cost.used - cost.ideal;
    }
    accesses.clear();
  }
}

void Audit::count_global() {
  if (!checks_.sectors) return;
  for (Kind kind : {Kind::load, Kind::store})
    for (int rank = 0; rank < grid_.ranks; ++rank)
      for (int warp = 0; warp < warps_; ++warp) {
        auto& accesses = log(kind, rank, warp);
        for (auto const& access : accesses) {
          (kind == Kind::load ? counts_.load_sectors : counts_.store_sectors) += sectors(access);
          (kind == Kind::load ? counts_.load_bytes : counts_.store_bytes) +=
              Wide(access.bytes) * __builtin_popcount(access.active);
        }
        accesses.clear();
      }
}

}  // namespace skipper::emulator
