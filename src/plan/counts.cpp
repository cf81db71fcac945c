#include "plan/counts.h"

#include <algorithm>
#include <vector>

namespace skipper {
namespace {

using kernel::SweepSpec;
using kernel::Sum;

constexpr int warp = 32;
constexpr Index bank_bytes = 128;  // 32 banks of 4 bytes
constexpr Index sector_bytes = 32;

/// The form `sum` at thread t of the block of rank `rank`, in the map of step i, without registers and grid.
Index share(SweepSpec const& s, Sum sum, int which, int i, int t, int rank) {
  Index total = 0;
  for (int p = 0; p < thread_digits(s, i); ++p)
    total += Index(t / thread_span(s, i, p) % extent_at(s, i, p)) * thread_weight(s, sum, which, i, p);
  for (int p = 0; p < rank_digits(s, i); ++p)
    total += Index(rank / rank_span(s, i, p) % rank_extent(s, i, p)) * rank_part_weight(s, sum, which, i, p);
  return total;
}

Index origin(SweepSpec const& s, Sum sum, int which, Index tile) {
  Index total = 0;
  for (int g = 0; g < s.grids; ++g) {
    total += tile % s.grid_extent[g] * grid_weight(s, sum, which, g);
    tile /= s.grid_extent[g];
  }
  return total;
}

Index phases(Lane const* lanes, int count, Index element_bytes, bool ideal) {
  int const width = int(std::min<Index>(warp, bank_bytes / element_bytes));
  Index used = 0;
  // Lanes are numbered from 0 within the warp, so a phase is a run of `width` of them.
  for (int first = 0; first < count; first += width) {
    std::vector<Lane> phase(lanes + first, lanes + std::min(count, first + width));
    std::sort(phase.begin(), phase.end(),
              [](Lane a, Lane b) { return std::pair(a.rank, a.offset) < std::pair(b.rank, b.offset); });
    for (std::size_t i = 0; i < phase.size();) {
      std::vector<int> column(width, 0);
      std::size_t j = i;
      for (; j < phase.size() && phase[j].rank == phase[i].rank; ++j)
        if (j == i || phase[j].offset != phase[j - 1].offset) ++column[phase[j].offset % width];
      used += ideal ? 1 : *std::max_element(column.begin(), column.end());
      i = j;
    }
  }
  return used;
}

/// All warps of one block, in the map of step `at`, touching the exchange that leads into step i. Registers only
/// shift all lanes of an access alike, except that they may change the rank: so each register is counted.
SharedCount exchange(SweepSpec const& s, int i, int at, Index element_bytes, int rank, bool writes) {
  SharedCount total;
  bool const remote = writes && s.step[i].exchange.remote;
  int const threads = active(s, at), registers = held(s, at);
  std::vector<Lane> lanes;
  for (int first = 0; first < threads; first += warp) {
    lanes.clear();
    for (int t = first; t < std::min(threads, first + warp); ++t)
      lanes.push_back(
          {remote ? int(share(s, Sum::rank, i, at, t, rank)) : 0, share(s, Sum::shared, i, at, t, rank)});
    Index const used = wavefronts(lanes.data(), int(lanes.size()), element_bytes);
    Index const ideal = phases(lanes.data(), int(lanes.size()), element_bytes, true);
    total += {used * registers, ideal * registers};
  }
  return total;
}

SectorCount sectors(SweepSpec const& s, Sum sum, int i, Index tile, Index element_bytes, int rank) {
  SectorCount total;
  int const threads = active(s, i);
  Index const base = origin(s, sum, i, tile);
  for (int q = 0; q < held(s, i); ++q)
    for (int first = 0; first < threads; first += warp) {
      std::vector<Index> touched;
      Index bytes = 0;
      for (int t = first; t < std::min(threads, first + warp); ++t) {
        bool inside = true;
        for (int g = 0; g < s.guards; ++g)
          inside = inside && (!guards_side(s, sum, g) || origin(s, Sum::guard, g, tile) +
                                                                 share(s, Sum::guard, g, i, t, rank) +
                                                                 register_part(s, Sum::guard, g, i, q) <
                                                             s.guard[g].bound);
        if (!inside) continue;
        Index const at =
            (base + share(s, sum, i, i, t, rank) + register_part(s, sum, i, i, q)) * element_bytes;
        for (Index b = at / sector_bytes; b <= (at + element_bytes - 1) / sector_bytes; ++b)
          touched.push_back(b);
        bytes += element_bytes;
      }
      std::sort(touched.begin(), touched.end());
      Index const distinct = std::unique(touched.begin(), touched.end()) - touched.begin();
      total += {distinct, (bytes + sector_bytes - 1) / sector_bytes};
    }
  return total;
}

}  // namespace

SharedCount& SharedCount::operator+=(SharedCount const& o) {
  wavefronts += o.wavefronts;
  ideal += o.ideal;
  return *this;
}

SectorCount& SectorCount::operator+=(SectorCount const& o) {
  sectors += o.sectors;
  ideal += o.ideal;
  return *this;
}

Index wavefronts(Lane const* lanes, int count, Index element_bytes) {
  return phases(lanes, count, element_bytes, false);
}

SharedCount exchange_writes(SweepSpec const& spec, int i, Index element_bytes, int rank) {
  return exchange(spec, i, i - 1, element_bytes, rank, true);
}
SharedCount exchange_reads(SweepSpec const& spec, int i, Index element_bytes, int rank) {
  return exchange(spec, i, i, element_bytes, rank, false);
}
SectorCount load_sectors(SweepSpec const& spec, Index tile, Index element_bytes, int rank) {
  return sectors(spec, Sum::read, 0, tile, element_bytes, rank);
}
SectorCount store_sectors(SweepSpec const& spec, Index tile, Index element_bytes, int rank) {
  return sectors(spec, Sum::write, spec.steps - 1, tile, element_bytes, rank);
}

}  // namespace skipper
