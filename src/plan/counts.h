// Exact counts of what a spec does to the hardware, from its affine maps and assignments alone: 32-byte sectors
// touched by each warp's global accesses, and wavefronts of shared memory. The emulator counts the same by watching.
#pragma once

#include <vector>

#include "base/index.h"
#include "kernel/queries.h"

namespace skipper {

struct SharedCount {
  Index wavefronts = 0;  // passes through shared memory
  Index ideal = 0;       // as many as without bank conflicts
  Index conflicts() const { return wavefronts - ideal; }
  SharedCount& operator+=(SharedCount const& o);
  bool operator==(SharedCount const&) const = default;
};

/// One block of a tile writing (reading) the exchange that leads into step i.
SharedCount exchange_writes(kernel::SweepSpec const& spec, int i, Index element_bytes, int cluster_rank = 0);
SharedCount exchange_reads(kernel::SweepSpec const& spec, int i, Index element_bytes, int cluster_rank = 0);

/// The same for what a Hermitian split adds: the extra elements it writes, and the partners (and extra elements) it reads.
SharedCount hermitian_writes(kernel::SweepSpec const& spec, Index element_bytes, int cluster_rank = 0);
SharedCount hermitian_reads(kernel::SweepSpec const& spec, Index element_bytes, int cluster_rank = 0);

/// The same for an output that is coalesced: all that the tile puts and takes, where no guard is.
SharedCount coalesce_traffic(kernel::SweepSpec const& spec, Index element_bytes);

/// The same for point zero of lines by Rader.
SharedCount point_zero_traffic(kernel::SweepSpec const& spec, Index element_bytes);

/// The same for digits that are multiplied by their matrices: what warps read of their lines, and write.
SharedCount direct_dft_traffic(kernel::SweepSpec const& spec, Index element_bytes);
/// The part of it that is the lines themselves, without what the exchange adds.
SharedCount direct_dft_lines_traffic(kernel::SweepSpec const& spec, Index element_bytes);

/// The same for lines by Rader that stay in their places.
SharedCount shared_rader_traffic(kernel::SweepSpec const& spec, Index element_bytes);

/// Accesses of one warp, lane by lane: the first of all lanes go together, then the second, and so on.
SharedCount one_after_another(std::vector<Index> const (&places)[32], Index element_bytes);

struct SectorCount {
  Index sectors = 0;  // touched, warp by warp and access by access
  Index ideal = 0;    // bytes of those accesses / sector, rounded up for each
  bool full() const { return sectors == ideal; }
  SectorCount& operator+=(SectorCount const& o);
  bool operator==(SectorCount const&) const = default;
};

/// One block (of the given rank) loading and storing its part of tile `tile`. Gather indices that find nothing take part.
SectorCount load_sectors(kernel::SweepSpec const& spec, Index tile, Index element_bytes,
                         int cluster_rank = 0);
SectorCount store_sectors(kernel::SweepSpec const& spec, Index tile, Index element_bytes,
                          int cluster_rank = 0);

/// Where a lane of a warp goes: an element of the block of some rank. Different ranks are different memories.
struct Lane {
  int cluster_rank = 0;
  Index offset = 0;
};

/// One block of a tile storing by the exchange that leads into step i: sectors of shared memory, rank by rank. That is
/// how remote stores travel from SM to SM.
SectorCount exchange_sectors(kernel::SweepSpec const& spec, int i, Index element_bytes, int cluster_rank = 0);

/// Sectors of one warp access.
Index sectors_of(Lane const* lanes, int count, Index element_bytes);

/// Wavefronts of one warp access: the lanes' element offsets, in phases of 128 bytes; a lane not taking part is
/// left out by the caller.
Index wavefronts(Lane const* lanes, int count, Index element_bytes);

}  // namespace skipper
