#pragma once
// Watches one cluster at a time: every access of an emulated thread passes here when any check is on.
#include "emulator/counts.h"
#include "emulator/memory.h"
#include "emulator/traffic.h"

#include <string>
#include <vector>

namespace skipper::emulator {

/// A launch: `tiles` clusters of `ranks` blocks of `threads` threads, each block with `shared` elements.
struct Grid {
  Wide tiles = 1;
  int cluster_ranks = 1;
  int threads = 1;
  int shared = 0;
  Wide only = -1;  // where not negative, this tile alone is run
};

/// The kinds of access that are logged by program point.
enum class Kind { put, take, load, store };
inline constexpr int kinds = 4;

/// A thread of a cluster, and how many accesses of each kind it has made: on shared memory since the last
/// barrier, on global memory since its start.
struct ThreadCoordinates {
  int cluster_rank = 0;
  int thread = 0;
  int point[kinds] = {};
};

class Audit {
 public:
  Audit(Grid const& grid, Checks checks, GlobalMemory& memory, Counts& counts);

  void begin(Wide tile);
  void end();
  void barrier(int cluster_rank);
  void cluster_barrier();
  void warp_barrier(int cluster_rank, int warp);

  /// Of an element, which has two parts; or of one part, or of the four of two elements, which places count then.
  void put(ThreadCoordinates& coordinates, int target, int place, int bytes, int parts = 2);
  void take(ThreadCoordinates& coordinates, int place, int bytes, int parts = 2);
  void take_remote(ThreadCoordinates& coordinates, int target, int place, int bytes);
  void global(ThreadCoordinates& coordinates, Use use, void const* base, Wide offset, int bytes);
  /// A prefetch moves nothing, but must be of an element that its array has.
  void prefetched(ThreadCoordinates const& coordinates, void const* base, Wide offset, int bytes) const;

 private:
  void take_from(ThreadCoordinates& coordinates, int cluster_rank, int place, int bytes, int parts);
  Stamp stamp(ThreadCoordinates const& coordinates) const;
  History& history(int cluster_rank, int part);
  /// Calls f(history) for what an access touches.
  template <class F>
  void each_part(int cluster_rank, int place, int parts, F f) {
    for (int i = 0; i < parts; ++i) f(history(cluster_rank, parts * place + i));
  }
  void check_place(ThreadCoordinates const& coordinates, char const* what, int place, int parts) const;
  [[noreturn]] void fail(ThreadCoordinates const& coordinates, std::string const& what) const;
  WarpLog& log(Kind kind, int cluster_rank, int warp);
  void note(ThreadCoordinates& coordinates, Kind kind, Wide at, int bytes);
  void count_shared(int cluster_rank);
  void count_shared(int cluster_rank, int warp);
  void count_global();

  Grid grid_;
  Checks checks_;
  GlobalMemory& memory_;
  Counts& counts_;
  int warps_;  // of a block

  std::uint32_t tile_ = 0;
  std::uint32_t cluster_epoch_ = 0;
  std::vector<std::uint32_t> local_epoch_;  // [ranks]
  std::vector<std::uint32_t> warp_epoch_;   // [ranks][warps]
  std::vector<History> shared_;             // [ranks][shared][2 parts]
  std::vector<WarpLog> logs_;               // [kinds][ranks][warps]
  bool remote_pending_ = false;             // a remote store since the last cluster barrier
  ThreadCoordinates remote_coordinates_;    // by whom
};

}  // namespace skipper::emulator
