// See counts.h.
#include "plan/counts.h"

#include <algorithm>
#include <vector>

#include "plan/memory_units.h"

namespace skipper {
namespace {

using kernel::SweepSpec;
using kernel::MapName;

/// The affine map `sum` at thread t of the block of rank `rank`, in the assignment of step i, without registers and grid.
Index thread_offset(SweepSpec const& s, MapName sum, int which, int i, int t, int cluster_rank) {
  Index total = 0;
  for (int p = 0; p < thread_digits(s, i); ++p)
    total += Index(t / thread_span(s, i, p) % extent_at(s, i, p)) * thread_weight(s, sum, which, i, p);
  for (int p = 0; p < cluster_rank_digits(s, i); ++p)
    total += Index(cluster_rank / cluster_rank_span(s, i, p) % cluster_rank_extent(s, i, p)) *
             rank_weight(s, sum, which, i, p);
  return total;
}

Index tile_offset(SweepSpec const& s, MapName sum, int which, Index tile) {
  Index total = 0;
  for (int g = 0; g < s.grids; ++g) {
    total += tile % s.grid_extent[g] * grid_weight(s, sum, which, g);
    tile /= s.grid_extent[g];
  }
  return total;
}

/// The grid digits of a tile's rows, and of their conjugate rows.
struct Grids {
  kernel::Wide row[kernel::max_grid] = {}, conjugate[kernel::max_grid] = {};
  Grids(SweepSpec const& s, Index tile) {
    for (int g = 0; g < s.grids; tile /= s.grid_extent[g++]) row[g] = conjugate[g] = tile % s.grid_extent[g];
    negate(s.hermitian.conjugate_rows.negated, s.hermitian.conjugate_rows, row, conjugate);
  }
  Index apart(SweepSpec const& s, MapName sum, int which) const {
    Index total = 0;
    for (int g = 0; g < s.grids; ++g) total += (conjugate[g] - row[g]) * grid_weight(s, sum, which, g);
    return total;
  }
};

/// From a row to its conjugate where the ranks of a cluster count rows in the assignment of step i.
Index cluster_rank_apart(SweepSpec const& s, MapName sum, int which, int i, int cluster_rank) {
  if (!ranks_are_rows(s, i)) return 0;
  int const conjugate = kernel::rank_of_conjugate(s.hermitian.conjugate_rows, cluster_rank);
  return thread_offset(s, sum, which, i, 0, conjugate) - thread_offset(s, sum, which, i, 0, cluster_rank);
}

/// Whether a block has the ends of its lines: of a line by itself rank 0 alone.
bool has_line_ends(SweepSpec const& s, int cluster_rank) {
  return cluster_rank == 0 || !has_conjugate_lines(s);
}

/// Whether the grid counts the conjugate rows of a tile as rows of their own too, which then write them.
bool counted(SweepSpec const& s, Grids const& grids) {
  kernel::ConjugateRows const& conjugate_rows = s.hermitian.conjugate_rows;
  return has_grid_conjugates(s) &&
         is_counted(conjugate_rows, grids.conjugate, s.grid_extent[conjugate_rows.grid[conjugate_rows.half]]);
}

Index phases(Lane const* lanes, int count, Index element_bytes, bool ideal) {
  int const width = int(std::min<Index>(warp, bank_bytes / element_bytes));
  Index used = 0;
  // Lanes are numbered from 0 within the warp, so a phase is a run of `width` of them.
  for (int first = 0; first < count; first += width) {
    int const size = std::min(width, count - first);
    Lane phase[warp];
    std::copy_n(lanes + first, size, phase);
    std::sort(phase, phase + size, [](Lane a, Lane b) {
      return std::pair(a.cluster_rank, a.offset) < std::pair(b.cluster_rank, b.offset);
    });
    for (int i = 0; i < size;) {
      int column[warp] = {}, most = 0, j = i;
      for (; j < size && phase[j].cluster_rank == phase[i].cluster_rank; ++j)
        if (j == i || phase[j].offset != phase[j - 1].offset)
          most = std::max(most, ++column[phase[j].offset % width]);
      used += ideal ? 1 : most;
      i = j;
    }
  }
  return used;
}

/// Of the generator.
std::vector<Index> rader_of(SweepSpec const& s) {
  std::vector<Index> power{1};
  for (int e = 1; e < s.rader.prime - 1; ++e)
    power.push_back(power.back() * s.rader.generator % s.rader.prime);
  return power;
}

/// The same where each register has a place of its own, place(t, q).
template <class Place>
SharedCount exchange_at(SweepSpec const& s, int at, Index bytes, Place place) {
  SharedCount total;
  std::vector<Lane> lanes;
  for (int first = 0; first < active(s, at); first += warp)
    for (int q = 0; q < elements_per_thread(s, at); ++q) {
      lanes.clear();
      for (int t = first; t < std::min(active(s, at), first + warp); ++t) lanes.push_back({0, place(t, q)});
      total += {wavefronts(lanes.data(), int(lanes.size()), bytes),
                phases(lanes.data(), int(lanes.size()), bytes, true)};
    }
  return total;
}

/// In Rader's order; of real pairs part by part.
SharedCount exchange_by_rader(SweepSpec const& s, int i, int at, Index element_bytes, int cluster_rank) {
  SharedCount total;
  std::vector<Index> const power = rader_of(s);
  int const parts = real_rader(s) ? 2 : 1;
  for (int part = 0; part < parts; ++part)
    total += exchange_at(s, at, element_bytes / parts, [&](int t, int q) {
      Index const e = thread_offset(s, MapName::exponent, i, at, t, cluster_rank) +
                      register_offset(s, MapName::exponent, i, at, q);
      return thread_offset(s, MapName::beside, i, at, t, cluster_rank) +
             register_offset(s, MapName::beside, i, at, q) +
             s.rader.pitch * (power[(e + part) % (s.rader.prime - 1)] - 1);
    });
  return total;
}

/// The parts of the elements of step `at`, put or taken in Makhoul's order, or as real pairs.
SharedCount exchange_by_parts(SweepSpec const& s, int i, int at, Index element_bytes, int cluster_rank,
                              MapName near, MapName far, Index last) {
  SharedCount total;
  for (MapName sum : {near, far})
    total += exchange_at(s, at, element_bytes / 2, [&](int t, int q) {
      return (sum == far ? last : 0) + register_offset(s, sum, i, at, q) +
             thread_offset(s, sum, i, at, t, cluster_rank);
    });
  return total;
}

/// All warps of one block, in the assignment of step `at`, touching the exchange that leads into step i. Registers only
/// shift all lanes of an access alike, except that they may change the rank: so each register is counted.
SharedCount exchange(SweepSpec const& s, int i, int at, Index element_bytes, int cluster_rank, bool writes) {
  if (writes ? writes_rader_order(s, i) : reads_rader_order(s, i))
    return exchange_by_rader(s, i, at, element_bytes, cluster_rank);
  if (writes ? reads_real_rader(s, i) : writes_real_rader(s, i))
    return exchange_by_parts(s, i, at, element_bytes, cluster_rank, MapName::shared, MapName::real_pair,
                             last_real_pair(s));
  if (writes ? permutes_in(s, i) : permutes_out(s, i))
    return exchange_by_parts(s, i, at, element_bytes, cluster_rank, MapName::makhoul_even,
                             MapName::makhoul_odd, makhoul_last(s, i));
  SharedCount total;
  bool const remote = writes && s.step[i].exchange.remote;
  int const threads = active(s, at), at_once = paired(s, i) ? 2 : 1,
            registers = elements_per_thread(s, at) / at_once;
  element_bytes *= at_once;
  std::vector<Lane> lanes;
  for (int first = 0; first < threads; first += warp) {
    lanes.clear();
    for (int t = first; t < std::min(threads, first + warp); ++t)
      lanes.push_back({remote ? int(thread_offset(s, MapName::cluster_rank, i, at, t, cluster_rank)) : 0,
                       thread_offset(s, MapName::shared, i, at, t, cluster_rank) / at_once});
    Index const used = wavefronts(lanes.data(), int(lanes.size()), element_bytes);
    Index const ideal = phases(lanes.data(), int(lanes.size()), element_bytes, true);
    total += {used * registers, ideal * registers};
  }
  return total;
}

/// One access a thread of step `at`, where place(t) is the element it touches, or -1: none. Lanes keep their places.
template <class Place>
SharedCount touched(SweepSpec const& s, int at, Index element_bytes, Place place) {
  SharedCount total;
  int const width = int(std::min<Index>(warp, bank_bytes / element_bytes));
  for (int first = 0; first < active(s, at); first += width) {
    std::vector<Lane> lanes;
    for (int t = first; t < std::min(active(s, at), first + width); ++t)
      if (Index const offset = place(t); offset >= 0) lanes.push_back({0, offset});
    if (!lanes.empty()) total += {wavefronts(lanes.data(), int(lanes.size()), element_bytes), 1};
  }
  return total;
}

/// A Hermitian split seen from the assignment of step `at`: where elements and their partners wait.
struct ConjugatePlaces {
  SweepSpec const& s;
  int at, cluster_rank;

  int index(int m, int t, int q) const {
    return int(thread_offset(s, MapName::hermitian, m, at, t, cluster_rank) +
               register_offset(s, MapName::hermitian, m, at, q));
  }
  bool first(int t, int q) const { return index(0, t, q) == 0; }
  Index own(int t, int q) const {
    int const i = s.hermitian.step;
    return thread_offset(s, MapName::shared, i, at, t, cluster_rank) +
           register_offset(s, MapName::shared, i, at, q);
  }
  Index hops(int t, int q, int from) const {
    Index total = 0;
    for (int m = from; m < s.hermitian.digits; ++m) total += hermitian_hop(s.hermitian, m, index(m, t, q));
    Index const conjugate = thread_offset(s, MapName::conjugate, 0, at, t, cluster_rank) +
                            register_offset(s, MapName::conjugate, 0, at, q);
    return total + s.hermitian.conjugate_rows.weight * (1 - 2 * conjugate);
  }
  /// From an element to the one at the negated index of the axis that is crossed.
  Index across(int t, int q) const {
    kernel::CrossedAxis const& c = s.hermitian.crossed_axis;
    Index const r = thread_offset(s, MapName::cross, 0, at, t, cluster_rank) +
                    register_offset(s, MapName::cross, 0, at, q);
    return r == 0 ? 0 : c.weight * (c.extent - 2 * r);
  }
  Index far() const { return hermitian_far(s); }
  /// Row k of a pair of columns, or of the first of two that are joined.
  Index near(int t, int q) const {
    int const i = s.hermitian.step;
    Index const here =
        thread_offset(s, MapName::near, i, at, t, cluster_rank) + register_offset(s, MapName::near, i, at, q);
    bool const opposed =
        s.hermitian.before_butterflies && thread_offset(s, MapName::parity, 0, at, t, cluster_rank) +
                                              register_offset(s, MapName::parity, 0, at, q);
    return here + (opposed ? s.hermitian.weight[0] * (s.hermitian.extent[0] / 2 - 2 * index(0, t, q)) : 0);
  }
};

/// What a Hermitian split by columns reads: rows k and -k of a pair, and the row half way; or row k of two columns.
SharedCount column_reads(SweepSpec const& s, Index element_bytes, ConjugatePlaces const& places) {
  SharedCount total;
  Index const other = Index(s.hermitian.weight[0]) * (s.hermitian.extent[0] / 2 + 1);
  for (int q = 0; q < elements_per_thread(s, places.at); ++q) {
    auto const row = [&](int t) { return places.near(t, q); };
    total += touched(s, places.at, element_bytes, row);
    total += touched(s, places.at, element_bytes, [&](int t) {
      return row(t) + (s.hermitian.before_butterflies
                           ? other
                           : Index(hermitian_hop(s.hermitian, 0, places.index(0, t, q))));
    });
  }
  ConjugatePlaces const lines{s, lines_step(s), places.cluster_rank};
  for (int q = 0; q < 2 * elements_per_thread(s, lines.at) && !s.hermitian.before_butterflies;
       ++q)  // the row half way, as both
    total += touched(s, lines.at, element_bytes, [&](int t) { return lines.near(t, q / 2) + lines.far(); });
  return total;
}

/// One access a register and thread of the assignment of step i: `at(t, q)` is its byte, or -1: none.
template <class At>
SectorCount accesses(SweepSpec const& s, int i, Index bytes_each, At at) {
  SectorCount total;
  for (int q = 0; q < elements_per_thread(s, i); ++q)
    for (int first = 0; first < active(s, i); first += warp) {
      std::vector<Index> sectors;
      Index bytes = 0;
      for (int t = first; t < std::min(active(s, i), first + warp); ++t) {
        Index const byte = at(t, q);
        if (byte < 0) continue;
        for (Index b = byte / sector_bytes; b <= (byte + bytes_each - 1) / sector_bytes; ++b)
          sectors.push_back(b);
        bytes += bytes_each;
      }
      std::sort(sectors.begin(), sectors.end());
      Index const distinct = std::unique(sectors.begin(), sectors.end()) - sectors.begin();
      total += {distinct, (bytes + sector_bytes - 1) / sector_bytes};
    }
  return total;
}

/// Calls visit(step, bytes, at) for what is loaded, or stored, in the assignment of a step: at(t, q) is a byte, or -1: none.
template <class Visit>
void each_access(SweepSpec const& s, MapName sum, int i, Index tile, Index element_bytes, int cluster_rank,
                 Visit visit) {
  MapName const side = sum == MapName::read ? MapName::pre : MapName::post;
  kernel::PrePostProcessing const& own = processing(s, side);
  Index const bytes = element_bytes / (own.real ? 2 : 1) / (in_full(s, side) ? 1 : 2);
  Index const base = tile_offset(s, sum, i, tile), first = tile_offset(s, side, i, tile);
  Index const offset = first_offset(s, sum);
  auto const number = [&](int t, int q) {
    return first + thread_offset(s, side, i, i, t, cluster_rank) + register_offset(s, side, i, i, q);
  };
  Grids const grids(s, tile);
  Index const apart = grids.apart(s, sum, i) + cluster_rank_apart(s, sum, i, i, cluster_rank);
  bool const once = sum == MapName::write && counted(s, grids);
  kernel::CrossedAxis const& crossing = s.hermitian.crossed_axis;
  auto const row = [&](int step, int t, int q) -> Index {
    if (!crosses_side(s, sum)) return 0;
    Index const r = thread_offset(s, MapName::row, 0, step, t, cluster_rank) +
                    register_offset(s, MapName::row, 0, step, q);
    return crossing.stride * index_of(crossing.gather_index, r);
  };
  auto const place_in = [&](int step, int t, int q) -> Index {
    Index const conjugate = thread_offset(s, MapName::conjugate, 0, step, t, cluster_rank) +
                            register_offset(s, MapName::conjugate, 0, step, q);
    if (conjugate > 0 && once) return -1;
    for (int g = 0; g < s.guards; ++g)
      if (Index const at = tile_offset(s, MapName::guard, g, tile) +
                           thread_offset(s, MapName::guard, g, step, t, cluster_rank) +
                           register_offset(s, MapName::guard, g, step, q);
          guards_side(s, sum, g) && (at < s.guard[g].first || at >= s.guard[g].bound))
        return -1;
    return (base + conjugate * apart + row(step, t, q) + thread_offset(s, sum, step, step, t, cluster_rank) +
            register_offset(s, sum, step, step, q)) *
           bytes;
  };
  auto const place = [&](int t, int q) -> Index {
    Index const at = place_in(i, t, q);
    return at < 0 ? -1 : at + offset * bytes;
  };
  if (int const middle = middle_step(s); across_cluster(s))  // point 0, by the thread that has index 0 there
    visit(middle, bytes, [&](int t, int q) -> Index {
      Index const entry = thread_offset(s, MapName::entry, 0, middle, t, cluster_rank) +
                          register_offset(s, MapName::entry, 0, middle, q);
      return entry == 0 ? place_in(middle, t, q) : -1;
    });
  if (ordered_on_chip(s))
    visit(lines_step(s), bytes, [&](int t, int q) -> Index { return place_in(lines_step(s), t, q); });
  if (!own.real_axis) visit(i, bytes, place);
  for (kernel::GatherIndex const& gather_index : own.gather_index)
    if (own.real_axis && gather_index.used)
      visit(i, bytes, [&](int t, int q) -> Index {
        Index const at = place(t, q), index = index_of(gather_index, number(t, q));
        bool const conjugate =
            own.conjugate > 0 && bent(gather_index, number(t, q)) && number(t, q) % own.conjugate == 0;
        return at < 0 || index < 0 || index >= own.limit || conjugate ? -1 : at + index * own.stride * bytes;
      });
  if (own.extra && !own.real_axis && has_line_ends(s, cluster_rank))
    visit(lines_step(s), bytes, [&](int t, int q) -> Index {
      Index const at = place_in(lines_step(s), t, q);
      return at < 0 ? -1 : at + (offset + own.extra_offset) * bytes;
    });
}

/// What a tile stores by way of shared memory, pair by pair and in order.
SectorCount gathered_sectors(SweepSpec const& s, Index tile, Index element_bytes) {
  Index const bytes = element_bytes / (in_full(s, MapName::post) ? 1 : 2);
  Index const base = tile_offset(s, MapName::write, 0, tile) / (s.post.real ? 2 : 1);
  Index const left = (s.guard[0].bound - tile_offset(s, MapName::guard, 0, tile)) * s.post.coalesced_unit;
  Index const there =
      s.post.coalesced_unit ? std::min<Index>(left, s.post.coalesced_pairs) : s.post.coalesced_pairs;
  SectorCount total;
  Index const before = coalesced_unaligned(s) ? base % sector_pairs(s) : 0;
  for (Index round = -before; round < there; round += s.threads)
    for (Index first = round; first < std::min<Index>(there, round + s.threads); first += warp) {
      Index const last = std::min<Index>({there, round + s.threads, first + warp});
      Index const from = (base + std::max<Index>(0, first)) * bytes, to = (base + last) * bytes;
      total +=
          {(to - 1) / sector_bytes - from / sector_bytes + 1, (to - from + sector_bytes - 1) / sector_bytes};
    }
  return total;
}

SectorCount sectors(SweepSpec const& s, MapName sum, int i, Index tile, Index element_bytes,
                    int cluster_rank) {
  if (sum == MapName::write && coalesced(s)) return gathered_sectors(s, tile, element_bytes);
  SectorCount total;
  each_access(s, sum, i, tile, element_bytes, cluster_rank,
              [&](int step, Index bytes, auto at) { total += accesses(s, step, bytes, at); });
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

Index sectors_of(Lane const* lanes, int count, Index element_bytes) {
  std::vector<std::pair<int, Index>> touched;
  for (Lane const* l = lanes; l < lanes + count; ++l)
    for (Index b = l->offset * element_bytes / sector_bytes;
         b <= ((l->offset + 1) * element_bytes - 1) / sector_bytes; ++b)
      touched.push_back({l->cluster_rank, b});
  std::sort(touched.begin(), touched.end());
  return std::unique(touched.begin(), touched.end()) - touched.begin();
}

SectorCount exchange_sectors(SweepSpec const& s, int i, Index element_bytes, int cluster_rank) {
  SectorCount total;
  int const threads = active(s, i - 1);
  Index const base = s.step[i].exchange.base;
  Index const at_once = paired(s, i) ? 2 : 1, bytes = at_once * element_bytes;
  std::vector<Lane> lanes;
  for (int q = 0; q < elements_per_thread(s, i - 1); ++q)
    for (int first = 0; first < threads; first += warp) {
      if (register_offset(s, MapName::shared, i, i - 1, q) % at_once != 0)
        continue;  // it goes with the one before
      lanes.clear();
      for (int t = first; t < std::min(threads, first + warp); ++t) {
        Lane const lane{int(thread_offset(s, MapName::cluster_rank, i, i - 1, t, cluster_rank) +
                            register_offset(s, MapName::cluster_rank, i, i - 1, q)),
                        base + thread_offset(s, MapName::shared, i, i - 1, t, cluster_rank) +
                            register_offset(s, MapName::shared, i, i - 1, q)};
        bool const conjugate = thread_offset(s, MapName::conjugate, i, i - 1, t, cluster_rank) +
                               register_offset(s, MapName::conjugate, i, i - 1, q);
        int const other = conjugate && to_rows(s, i)
                              ? kernel::rank_of_conjugate(s.hermitian.conjugate_rows, lane.cluster_rank)
                              : lane.cluster_rank;
        Index const apart =
            conjugate && from_rows(s, i) ? cluster_rank_apart(s, MapName::shared, i, i - 1, cluster_rank) : 0;
        lanes.push_back({other, (lane.offset + apart) / at_once});
      }
      total += {sectors_of(lanes.data(), int(lanes.size()), bytes),
                (Index(lanes.size()) * bytes + sector_bytes - 1) / sector_bytes};
    }
  for (bool extra : {false, true}) {  // what a crossing puts again, and the extra elements of a load
    if (extra ? !splits_first(s, i) || !has_line_ends(s, cluster_rank) : !splits(s, i) || !crosses(s))
      continue;
    ConjugatePlaces const places{s, extra ? lines_step(s) : i, cluster_rank};
    for (int q = 0; q < elements_per_thread(s, places.at); ++q)
      for (int first = 0; first < active(s, places.at); first += warp) {
        lanes.clear();
        for (int t = first; t < std::min(active(s, places.at), first + warp); ++t)
          lanes.push_back({0, base + places.own(t, q) + (extra ? places.far() : 0)});
        total += {sectors_of(lanes.data(), int(lanes.size()), element_bytes),
                  (Index(lanes.size()) * element_bytes + sector_bytes - 1) / sector_bytes};
      }
  }
  return total;
}

SharedCount exchange_writes(SweepSpec const& spec, int i, Index element_bytes, int cluster_rank) {
  return exchange(spec, i, i - 1, element_bytes, cluster_rank, true);
}
SharedCount exchange_reads(SweepSpec const& spec, int i, Index element_bytes, int cluster_rank) {
  if (spec.step[i].exchange.keep) return {};
  return exchange(spec, i, i, element_bytes, cluster_rank, false);
}
SharedCount hermitian_writes(SweepSpec const& spec, Index element_bytes, int cluster_rank) {
  SharedCount total;
  if (spec.hermitian.crossed_axis.used) {  // each element once more, as a cosine
    ConjugatePlaces const places{spec, spec.hermitian.step, cluster_rank};
    for (int q = 0; q < elements_per_thread(spec, places.at); ++q)
      total += touched(spec, places.at, element_bytes, [&](int t) { return places.own(t, q); });
  }
  if (!spec.hermitian.used || !spec.hermitian.before_butterflies) return total;
  ConjugatePlaces const lines{spec, lines_step(spec), cluster_rank};
  for (int q = 0; q < elements_per_thread(spec, lines.at); ++q)
    total += touched(spec, lines.at, element_bytes, [&](int t) { return lines.own(t, q) + lines.far(); });
  return total;
}
SharedCount hermitian_reads(SweepSpec const& spec, Index element_bytes, int cluster_rank) {
  SharedCount total;
  if (!spec.hermitian.used) return total;
  bool const pre = spec.hermitian.before_butterflies;
  ConjugatePlaces const places{spec, spec.hermitian.step, cluster_rank};
  if (spec.hermitian.columns) return column_reads(spec, element_bytes, places);
  for (int q = 0; q < elements_per_thread(spec, places.at); ++q) {
    total += touched(spec, places.at, element_bytes,
                     [&](int t) { return places.own(t, q) + places.hops(t, q, 0); });
    if (spec.hermitian.crossed_axis.used)
      total += touched(spec, places.at, element_bytes,
                       [&](int t) { return places.own(t, q) + places.across(t, q); });
    if (!drops_imaginary_ends(spec, places.at) ||
        register_offset(spec, MapName::hermitian, 0, places.at, q) != 0)
      continue;
    for (bool partner : {false, true})  // the extra element, and the partner of element 0
      total += touched(spec, places.at, element_bytes, [&](int t) -> Index {
        if (!places.first(t, q)) return -1;
        return places.own(t, q) + (partner ? places.hops(t, q, 1) : places.far());
      });
  }
  ConjugatePlaces const lines{spec, lines_step(spec), cluster_rank};
  for (int q = 0; q < 2 * elements_per_thread(spec, lines.at) && !pre && !spec.hermitian.in_middle;
       ++q)  // element 0 and its partner
    total += touched(spec, lines.at, element_bytes,
                     [&](int t) { return lines.own(t, q / 2) + (q % 2 ? lines.hops(t, q / 2, 0) : 0); });
  return total;
}
SharedCount coalesce_traffic(SweepSpec const& spec, Index element_bytes) {
  SharedCount total;
  if (!coalesced(spec)) return total;
  each_access(spec, MapName::write, last_step(spec), 0, element_bytes, 0,
              [&](int step, Index bytes, auto at) {
                Index const first = tile_offset(spec, MapName::write, 0, 0) * bytes,
                            part = element_bytes / (spec.post.real ? 2 : 1);
                for (int q = 0; q < elements_per_thread(spec, step); ++q)
                  total += touched(spec, step, part, [&](int t) {
                    Index const byte = at(t, q);
                    return byte < 0 ? -1 : (byte - first) / bytes;
                  });
              });
  int const width = int(std::min<Index>(warp, bank_bytes / element_bytes));
  for (int round = 0; round < spec.post.coalesced_pairs; round += spec.threads) {
    int const here = std::min(spec.threads, spec.post.coalesced_pairs - round);
    total += {(here + width - 1) / width, (here + width - 1) / width};
  }
  return total;
}
SharedCount point_zero_traffic(SweepSpec const& spec, Index element_bytes) {
  SharedCount total;
  if (!ordered_on_chip(spec)) return total;
  auto const line = [&](int at, int t, int q) {
    return thread_offset(spec, MapName::line, 0, at, t, 0) + register_offset(spec, MapName::line, 0, at, q);
  };
  int const lines = lines_step(spec);  // put when loaded, and taken to be stored
  for (int q = 0; q < 2 * elements_per_thread(spec, lines); ++q)
    total += touched(spec, lines, element_bytes, [&](int t) { return line(lines, t, q / 2); });
  for (int i = 0; i < spec.steps; ++i)  // taken in the middle, and put after it
    for (int q = 0; q < 2 * elements_per_thread(spec, i) && spec.step[i].middle.needed; ++q)
      if (register_offset(spec, MapName::entry, 0, i, q / 2) == 0)
        total += touched(spec, i, element_bytes, [&](int t) -> Index {
          return thread_offset(spec, MapName::entry, 0, i, t, 0) == 0 ? line(i, t, q / 2) : -1;
        });
  return total;
}

SharedCount one_after_another(std::vector<Index> const (&places)[warp], Index element_bytes) {
  SharedCount total;
  int const width = int(std::min<Index>(warp, bank_bytes / element_bytes));
  for (std::size_t round = 0;; ++round) {
    bool any = false;
    for (int first = 0; first < warp; first += width) {
      std::vector<Lane> lanes;
      for (int lane = first; lane < first + width; ++lane)
        if (round < places[lane].size()) lanes.push_back({0, places[lane][round]});
      any = any || !lanes.empty();
      if (!lanes.empty()) total += {wavefronts(lanes.data(), int(lanes.size()), element_bytes), 1};
    }
    if (!any) return total;
  }
}

SharedCount direct_dft_traffic(SweepSpec const& spec, Index element_bytes) {
  SharedCount total = direct_dft_lines_traffic(spec, element_bytes);
  for (int i = 0; i < spec.steps; ++i)  // the other sum of an element that is taken: exchange_reads has one
    for (int q = 0; one_sum_per_warp(spec, i) && q < elements_per_thread(spec, i); ++q)
      total += touched(spec, i, element_bytes, [&](int t) {
        Index const k = thread_offset(spec, MapName::direct_dft, i, i, t, 0) +
                        register_offset(spec, MapName::direct_dft, i, i, q);
        Index const own = thread_offset(spec, MapName::shared, i, i, t, 0) +
                          register_offset(spec, MapName::shared, i, i, q);
        return own + (k == 0 ? 0 : (direct_dft_length(spec, i) - 2 * k) * direct_dft_pitch(spec, i));
      });
  return total;
}
SectorCount load_sectors(SweepSpec const& spec, Index tile, Index element_bytes, int cluster_rank) {
  return sectors(spec, MapName::read, 0, tile, element_bytes, cluster_rank);
}
SectorCount store_sectors(SweepSpec const& spec, Index tile, Index element_bytes, int cluster_rank) {
  return sectors(spec, MapName::write, spec.steps - 1, tile, element_bytes, cluster_rank);
}

}  // namespace skipper
