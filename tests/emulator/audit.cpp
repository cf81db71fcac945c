// The checks of shared memory, and the bookkeeping that turns accesses of threads into accesses of warps.
#include "emulator/audit.h"

namespace skipper::emulator {

Audit::Audit(Grid const& grid, Checks checks, GlobalMemory& memory, Counts& counts)
    : grid_(grid),
      checks_(checks),
      memory_(memory),
      counts_(counts),
      warps_((grid.threads + warp_threads - 1) / warp_threads),
      local_epoch_(std::size_t(grid.cluster_ranks)),
      warp_epoch_(std::size_t(grid.cluster_ranks * warps_)),
      shared_(checks.races || checks.unwritten
                  ? 2 * std::size_t(grid.cluster_ranks) * std::size_t(grid.shared)
                  : 0),
      logs_(std::size_t(kinds * grid.cluster_ranks * warps_)) {}

void Audit::begin(Wide tile) {
  tile_ = std::uint32_t(tile);
  cluster_epoch_ = 0;
  for (auto& epoch : local_epoch_) epoch = 0;
  remote_pending_ = false;
}

void Audit::end() {
  for (int cluster_rank = 0; cluster_rank < grid_.cluster_ranks; ++cluster_rank) count_shared(cluster_rank);
  count_global();
  if (checks_.races && remote_pending_)
    fail(remote_coordinates_,
         "remote access with no cluster barrier after it: the other block may have ended");
}

void Audit::barrier(int cluster_rank) {
  count_shared(cluster_rank);
  ++local_epoch_[std::size_t(cluster_rank)];
}

void Audit::warp_barrier(int cluster_rank, int warp) {
  count_shared(cluster_rank, warp);
  ++warp_epoch_[std::size_t(cluster_rank * warps_ + warp)];
}

void Audit::cluster_barrier() {
  for (int cluster_rank = 0; cluster_rank < grid_.cluster_ranks; ++cluster_rank) count_shared(cluster_rank);
  ++cluster_epoch_;
  remote_pending_ = false;
}

// ---- Accesses.

void Audit::put(ThreadCoordinates& coordinates, int target, int place, int bytes, int parts) {
  if (checks_.bounds && (target < 0 || target >= grid_.cluster_ranks))
    fail(coordinates, "remote store to rank " + std::to_string(target) + " of a cluster of " +
                          std::to_string(grid_.cluster_ranks));
  check_place(coordinates, "write", place, parts);
  if (target != coordinates.cluster_rank) {
    if (checks_.races && cluster_epoch_ == 0)
      fail(coordinates,
           "remote store before the first cluster barrier: the target block may not have started");
    remote_pending_ = true;
    remote_coordinates_ = coordinates;
  }
  if (checks_.races || checks_.unwritten) {
    auto const now = stamp(coordinates);
    each_part(target, place, parts, [&](History& touched) {
      if (!checks_.races)
        touched.write = now;
      else if (auto const* rival = touched.note_write(now))
        fail(coordinates, "race: write of shared memory of rank " + std::to_string(target) + " at offset " +
                              std::to_string(place) + ", touched with no barrier between by " + name(*rival));
    });
  }
  if (checks_.banks) note(coordinates, Kind::put, shared_address(target, place), bytes);
}

void Audit::take(ThreadCoordinates& coordinates, int place, int bytes, int parts) {
  take_from(coordinates, coordinates.cluster_rank, place, bytes, parts);
}

void Audit::take_remote(ThreadCoordinates& coordinates, int target, int place, int bytes) {
  if (checks_.bounds && (target < 0 || target >= grid_.cluster_ranks))
    fail(coordinates, "remote read from rank " + std::to_string(target) + " of a cluster of " +
                          std::to_string(grid_.cluster_ranks));
  if (target != coordinates.cluster_rank) {
    if (checks_.races && cluster_epoch_ == 0)
      fail(coordinates, "remote read before the first cluster barrier: the other block may not have started");
    remote_pending_ = true;
    remote_coordinates_ = coordinates;
  }
  take_from(coordinates, target, place, bytes, 2);
}

void Audit::take_from(ThreadCoordinates& coordinates, int cluster_rank, int place, int bytes, int parts) {
  check_place(coordinates, "read", place, parts);
  if (checks_.races || checks_.unwritten) {
    auto const now = stamp(coordinates);
    each_part(cluster_rank, place, parts, [&](History& touched) {
      if (checks_.unwritten && !touched.write.happened())
        fail(coordinates, "read of shared memory nobody wrote, at offset " + std::to_string(place));
      if (checks_.races)
        if (auto const* rival = touched.note_read(now))
          fail(coordinates, "race: read of shared memory at offset " + std::to_string(place) +
                                ", written with no barrier between by " + name(*rival));
    });
  }
  if (checks_.banks) note(coordinates, Kind::take, shared_address(cluster_rank, place), bytes);
}

void Audit::global(ThreadCoordinates& coordinates, Use use, void const* base, Wide offset, int bytes) {
  auto const from = reinterpret_cast<std::uintptr_t>(base);
  auto const address = from + std::uintptr_t(offset) * std::uintptr_t(bytes);
  auto const* const array = memory_.find(use, address);
  if (checks_.bounds && !array) {
    char const* const what = use == Use::load ? "load" : use == Use::store ? "store" : "root load";
    fail(coordinates, std::string("global ") + what + " at offset " + std::to_string(offset) + " of " +
                          memory_.limit(use, from));
  }
  if (checks_.races) memory_.note(use, address, bytes, stamp(coordinates));
  if (checks_.sectors && use != Use::root) {
    // Arrays are taken to begin at a multiple of 256 bytes, as a GPU's allocator gives them.
    Wide const at =
        array ? Wide(address - array->base) + (Wide(array->base & ~std::uintptr_t(255))) : Wide(address);
    note(coordinates, use == Use::load ? Kind::load : Kind::store, at, bytes);
  }
}

void Audit::prefetched(ThreadCoordinates const& coordinates, void const* base, Wide offset, int bytes) const {
  auto const from = reinterpret_cast<std::uintptr_t>(base);
  if (checks_.bounds && !memory_.find(Use::load, from + std::uintptr_t(offset) * std::uintptr_t(bytes)))
    fail(coordinates,
         "prefetches offset " + std::to_string(offset) + " of " + memory_.limit(Use::load, from));
}

// ---- Shared memory.

Stamp Audit::stamp(ThreadCoordinates const& coordinates) const {
  int const warp = coordinates.thread / warp_threads;
  return {tile_,
          std::uint16_t(coordinates.cluster_rank),
          std::uint16_t(coordinates.thread),
          cluster_epoch_,
          local_epoch_[std::size_t(coordinates.cluster_rank)],
          std::uint32_t(warp),
          warp_epoch_[std::size_t(coordinates.cluster_rank * warps_ + warp)]};
}

/// What happened to a part of an element in this tile: what happened to it in an earlier one is forgotten.
History& Audit::history(int cluster_rank, int part) {
  auto& element = shared_.at(2 * std::size_t(cluster_rank) * std::size_t(grid_.shared) + std::size_t(part));
  if (element.write.tile != tile_) element.write = {};
  if (element.read.tile != tile_) element.read = {};
  return element;
}

void Audit::check_place(ThreadCoordinates const& coordinates, char const* what, int place, int parts) const {
  if (checks_.bounds && (place < 0 || parts * (place + 1) > 2 * grid_.shared))
    fail(coordinates, std::string("shared ") + what + " at offset " + std::to_string(place) + " of " +
                          std::to_string(grid_.shared) + " elements");
}

void Audit::fail(ThreadCoordinates const& coordinates, std::string const& what) const {
  throw EmulationError(name(stamp(coordinates)) + ": " + what);
}

// ---- Warps.

WarpLog& Audit::log(Kind kind, int cluster_rank, int warp) {
  return logs_[std::size_t((int(kind) * grid_.cluster_ranks + cluster_rank) * warps_ + warp)];
}

void Audit::note(ThreadCoordinates& coordinates, Kind kind, Wide at, int bytes) {
  log(kind, coordinates.cluster_rank, coordinates.thread / warp_threads)
      .add(coordinates.point[int(kind)]++, coordinates.thread % warp_threads, at, bytes);
}

void Audit::count_shared(int cluster_rank) {
  for (int warp = 0; warp < warps_; ++warp) count_shared(cluster_rank, warp);
}

void Audit::count_shared(int cluster_rank, int warp) {
  if (!checks_.banks) return;
  for (Kind kind : {Kind::put, Kind::take}) {
    auto& accesses = log(kind, cluster_rank, warp);
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
    for (int cluster_rank = 0; cluster_rank < grid_.cluster_ranks; ++cluster_rank)
      for (int warp = 0; warp < warps_; ++warp) {
        auto& accesses = log(kind, cluster_rank, warp);
        for (auto const& access : accesses) {
          (kind == Kind::load ? counts_.load_sectors : counts_.store_sectors) += sectors(access);
          (kind == Kind::load ? counts_.load_bytes : counts_.store_bytes) +=
              Wide(access.bytes) * __builtin_popcount(access.active);
        }
        accesses.clear();
      }
}

}  // namespace skipper::emulator
