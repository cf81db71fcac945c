#pragma once
// What the emulator is to watch (Checks), what it has counted (Counts), and how it complains.
#include "kernel/queries.h"

#include <stdexcept>

namespace skipper::emulator {

using kernel::Wide;

inline constexpr int warp_threads = 32;
inline constexpr int bank_bytes = 128;  // 32 banks of 4 bytes: what shared memory serves in one wavefront
inline constexpr int sector_bytes = 32;

/// A kernel did what it must not. The message names the tile, the thread, the access, and the limit or rival.
class EmulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Divergent barriers are always errors; all else can be switched off for speed.
struct Checks {
  bool bounds = true;     // shared offsets, remote ranks, global arrays
  bool races = true;      // unordered accesses to one element, shared or global
  bool unwritten = true;  // reads of shared memory that nobody wrote in this tile
  bool banks = true;      // count wavefronts and bank conflicts
  bool sectors = true;    // count sectors of global memory

  static constexpr Checks all() { return {}; }
  static constexpr Checks none() { return {false, false, false, false, false}; }
  constexpr bool any() const { return bounds || races || unwritten || banks || sectors; }
};

/// Sums over all threads of all tiles. Elements and barriers are always counted, wavefronts only under
/// Checks::banks, sectors and bytes only under Checks::sectors.
struct Counts {
  Wide shared_reads = 0;  // elements
  Wide shared_writes = 0;
  Wide remote_writes = 0;  // of the shared writes, those by put_remote
  Wide loads = 0;          // elements of global data
  Wide prefetches = 0;     // lines that will be loaded
  Wide stores = 0;
  Wide root_loads = 0;
  Wide barriers = 0;  // of each block
  Wide cluster_barriers = 0;

  Wide wavefronts_read = 0;  // of shared memory
  Wide wavefronts_write = 0;
  Wide wavefronts_ideal = 0;  // had there been no bank conflicts
  Wide conflicts = 0;         // wavefronts beyond the ideal

  Wide put_sectors = 0;  // of shared memory, rank by rank
  Wide load_sectors = 0;
  Wide store_sectors = 0;
  Wide load_bytes = 0;  // that threads loaded
  Wide store_bytes = 0;

  double load_efficiency() const { return efficiency(load_bytes, load_sectors); }
  double store_efficiency() const { return efficiency(store_bytes, store_sectors); }
  bool operator==(Counts const&) const = default;
  Counts& operator+=(Counts const& o) {
    shared_reads += o.shared_reads;
    shared_writes += o.shared_writes;
    remote_writes += o.remote_writes;
    loads += o.loads;
    prefetches += o.prefetches;
    stores += o.stores;
    root_loads += o.root_loads;
    barriers += o.barriers;
    cluster_barriers += o.cluster_barriers;
    wavefronts_read += o.wavefronts_read;
    wavefronts_write += o.wavefronts_write;
    wavefronts_ideal += o.wavefronts_ideal;
    conflicts += o.conflicts;
    put_sectors += o.put_sectors;
    load_sectors += o.load_sectors;
    store_sectors += o.store_sectors;
    load_bytes += o.load_bytes;
    store_bytes += o.store_bytes;
    return *this;
  }

 private:
  static double efficiency(Wide bytes, Wide sectors) {
    return sectors ? double(bytes) / double(sector_bytes * sectors) : 1.0;
  }
};

}  // namespace skipper::emulator
