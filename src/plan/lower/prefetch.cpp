// See prefetch.h. The prefetch distance of a sweep in tiles, and for which sweeps L2 prefetch pays.
#include "plan/lower/prefetch.h"

#include <algorithm>

#include "kernel/queries.h"
#include "plan/lower/occupancy.h"
#include "plan/memory_units.h"

namespace skipper {

namespace {

// Prefetch distance over the number of tiles that all SMs hold at once: 2 to 4 MB.
// Fitted: bench/results/h200-choices.md.
constexpr double prefetch_share = 0.16;
// The same where few run at once: one or two blocks an SM, or clusters of eight blocks or more. Further, L2 loses
// what was prefetched before it is read. Fitted: bench/results/h200-choices.md.
constexpr double prefetch_share_of_few = 0.25;
constexpr Index few_blocks = 2;
constexpr int many_ranks = 8;
constexpr Index least_tile =
    8 * 1024;  // bytes; smaller ones load as fast as memory does. A choice, not measured.
// Least bytes of tiles that are read by gather indices or have a Hermitian split.
// Fitted: bench/results/h200-choices.md.
constexpr Index min_gather_index = 32 * 1024;

/// Whether the factors of a step stay in L2 beside prefetched tiles: short tables of symbols, or a spectrum as large
/// as a tile that all tiles share.
bool has_few_factors(kernel::SweepSpec const& spec, kernel::Pointwise const& middle) {
  if (!middle.given || spec.symbol.axes > 0) return middle.given;
  return std::all_of(middle.at.grid, middle.at.grid + spec.grids, [](kernel::Wide w) { return w == 0; });
}

/// Tables that come through L2 for every tile, and would be driven out. Fitted: bench/results/h200-choices.md.
bool reads_tables(kernel::SweepSpec const& spec) {
  bool middle = false;
  for (int i = 0; i < spec.steps; ++i)
    middle = middle || (spec.step[i].middle.needed && !has_few_factors(spec, spec.step[i].middle));
  return spec.load_factor.needed || spec.store_factor.needed || (middle && !spec.rader.used);
}

/// A block that is alone on its SM, with few loads a thread, prefetches before its loads. All others prefetch after
/// them. Fitted: bench/results/h200-choices.md.
bool prefetches_first(kernel::SweepSpec const& spec, Index blocks) {
  if (spec.cluster_ranks > 1 || blocks > 1) return false;
  return spec.threads > 512 ||
         (kernel::prefetch_term_count(spec) == 1 && kernel::elements_per_thread(spec, 0) <= 16);
}

// Blocks of clusters on an SM above which memory is busy without prefetching, so that a small distance is enough;
// cubes in three steps then lose by it. Fitted: bench/results/h200-choices.md.
constexpr Index max_that_prefetch = 4;
constexpr double prefetch_share_of_many_blocks = 0.05;
constexpr int steps_of_cubes = 3;
// r2c, whose Hermitian split comes last, gains with more of them in planes, but not in cubes, which have a step more.
// Fitted: bench/results/h200-choices.md.

// Blocks of a cluster above which prefetching does not gain where they exchange with each other as soon as they have
// loaded, and so wait for the slowest. Fitted: bench/results/h200-choices.md.
constexpr int max_ranks_that_exchange_first = 10;

// Pages of 2 MB above which a tile is not prefetched, since that has as many addresses to translate as loading; fewer
// for segments shorter than a line, of which lines are prefetched twice. Fitted: bench/results/h200-choices.md.
constexpr Index max_pages = 64, max_pages_of_parted_lines = 32;

Index pages_read(kernel::SweepSpec const& spec, Index element_bytes) {
  Index apart = 1, within = 0;
  auto const see = [&](Index stride, Index extent) {
    if (stride >= page_bytes)
      apart *= extent;
    else
      within += (extent - 1) * stride;
  };
  Index const bytes = spec.pre.real ? element_bytes / 2 : element_bytes;
  for (int d = 0; d < kernel::read_digits(spec); ++d)
    see(kernel::read_stride(spec, d) * bytes, kernel::read_extent(spec, d));
  return apart * std::max<Index>(1, within / page_bytes);
}

}  // namespace

kernel::Prefetch prefetch_of(kernel::SweepSpec const& spec, Index element_bytes, Index tiles,
                             Machine const& machine) {
  bool const suited = has_clusters(machine);
  kernel::PrePostProcessing const& pre = spec.pre;
  // Gather indices along an axis of reals read all of it, whatever their order.
  bool const full = kernel::in_full(spec, kernel::MapName::pre);
  bool const gather_indices =
      pre.real_axis && pre.real && !pre.widened && full && !pre.callback && pre.limit > 1;
  if (!suited || !(kernel::plain(spec, kernel::MapName::pre) || gather_indices) || reads_tables(spec))
    return {};
  Index const stored = !full || pre.real ? element_bytes / 2 : element_bytes;
  bool const has_parted_lines = kernel::read_run(spec).length * stored < l2_line_bytes;
  if (pages_read(spec, element_bytes) > (has_parted_lines ? max_pages_of_parted_lines : max_pages)) return {};
  Work const work = work_of(spec, element_bytes);
  Index blocks = std::max<Index>(1, blocks_of(work, work.registers, machine));
  if (spec.max_resident > 0) blocks = std::min<Index>(blocks, spec.max_resident);
  bool const crowd = spec.cluster_ranks > 1 && blocks > max_that_prefetch;
  bool const splits_last = spec.hermitian.used && !spec.hermitian.before_butterflies;
  if (crowd && spec.steps <= steps_of_cubes) return {};
  if (splits_last && kernel::remote(spec, 1) && spec.steps <= steps_of_cubes + 1) return {};
  if (spec.cluster_ranks > max_ranks_that_exchange_first && kernel::remote(spec, 1)) return {};
  Index const at_once = std::max<Index>(1, blocks * machine.sms / spec.cluster_ranks);
  bool const few = blocks <= few_blocks || (spec.cluster_ranks >= many_ranks && !crowd);
  double const share = crowd && !splits_last ? prefetch_share_of_many_blocks
                       : few                 ? prefetch_share_of_few
                                             : prefetch_share;
  Index const prefetch = std::max<Index>(1, Index(share * double(at_once)));
  if (tiles < at_once + prefetch ||
      work.points * element_bytes < (gather_indices || spec.hermitian.used ? min_gather_index : least_tile))
    return {};
  kernel::SweepSpec prefetching = spec;
  prefetching.prefetch = {prefetch, int(l2_line_bytes / stored), false};
  Index const tile_bytes = work.points * spec.cluster_ranks * (full ? element_bytes : element_bytes / 2);
  if (kernel::prefetch_count(prefetching) * sector_bytes > tile_bytes) return {};
  prefetching.prefetch.before_loads = prefetches_first(prefetching, blocks);
  return prefetching.prefetch;
}

}  // namespace skipper
