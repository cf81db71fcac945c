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
  int ranks = 1;
  int threads = 1;
  int shared = 0;
  Wide only = -1;  // where not negative, this tile alone is run
};

/// The kinds of access that are logged by program point.
enum class Kind { put, take, load, store };
inline constexpr int kinds = 4;

/// A thread of a cluster, and how many accesses of each kind it has made: on shared memory since the last
/// barrier, on global memory since its start.
struct Seat {
  int rank = 0;
  int thread = 0;
  int point[kinds] = {};
};

class Audit {
 public:
  Audit(Grid const& grid, Checks checks, GlobalMemory& memory, Counts& counts);

  void begin(Wide tile);
  void end();
  void barrier(int rank);
  void cluster_barrier();
  void warp_barrier(int rank, int warp);

  /// Of an element, which has two parts; or of one part, or of the four of two elements, which places count then.
  void put(Seat& seat, int target, int place, int bytes, int parts = 2);
  void take(Seat& seat, int place, int bytes, int parts = 2);
  void take_remote(Seat& seat, int target, int place, int bytes);
  void global(Seat& seat, Use use, void const* base, Wide offset, int bytes);
  /// Asking moves nothing, but only for what an array has.
  void asked(Seat const& seat, void const* base, Wide offset, int bytes) const;

 private:
  void take_from(Seat& seat, int rank, int place, int bytes, int parts);
  Stamp stamp(Seat const& seat) const;
  History& history(int rank, int part);
  /// Calls f(history) for what an access touches.
  template <class F>
  void each_part(int rank, int place, int parts, F f) {
    for (int i = 0; i < parts; ++i) f(history(rank, parts * place + i));
  }
  void check_place(Seat const& seat, char const* what, int place, int parts) const;
  [[noreturn]] void fail(Seat const& seat, std::string const& what) const;
  WarpLog& log(Kind kind, int rank, int warp);
  void note(Seat& seat, Kind kind, Wide at, int bytes);
  void count_shared(int rank);
  void count_shared(int rank, int warp);
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
  Seat remote_seat_;                        // by whom
};

}  // namespace skipper::emulator
