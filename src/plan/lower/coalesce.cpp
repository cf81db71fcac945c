// See coalesce.h.
#include "plan/lower/coalesce.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "plan/counts.h"

namespace skipper {
namespace {

using kernel::SweepSpec;

// Points of a row up to which stores are coalesced in shared memory. Of long rows few sectors are written in part,
// and the way through shared memory costs more; gather indices that are two apart gain, neighbours do not.
// Fitted: bench/results/h200-choices.md.
constexpr Index longest_row = 256;

bool along_axis(SweepSpec const& spec, int d) {
  return (spec.hermitian.used ? spec.hermitian.index[0].tile[d] : spec.post.index.tile[d]) != 0;
}

/// Whether the tile holds all of the axis that is processed.
bool holds_axis(SweepSpec const& spec) {
  kernel::AffineMap const& index = spec.post.index;
  return std::all_of(index.grid, index.grid + spec.grids, [](auto weight) { return weight == 0; });
}

/// Numbers of the run that the tile writes, reals or complex ones; 0 where they are not one run.
Index run_of(SweepSpec const& spec) {
  kernel::PrePostProcessing const& post = spec.post;
  std::vector<std::pair<Index, Index>> inner, outer;  // stride and extent
  for (int d = 0; d < spec.digits; ++d)
    (along_axis(spec, d) ? inner : outer).push_back({spec.write.tile[d], spec.extent[d]});
  std::sort(inner.begin(), inner.end());
  std::sort(outer.begin(), outer.end());
  Index run = 1;
  if (post.real_axis) {
    if (post.stride != 1 || !holds_axis(spec)) return 0;
    run = post.limit;
  } else {
    for (auto [stride, extent] : inner)
      if (stride == run) run *= extent;
    if (run != post.extent || post.extra_offset != run) return 0;
    ++run;
  }
  for (auto [stride, extent] : outer) {
    if (stride != run) return 0;
    run *= extent;
  }
  return run;
}

/// How many numbers there are to one index of the guard, where what it lets through is the beginning of the run; 0 where
/// it is not.
Index unit_of(SweepSpec const& spec) {
  kernel::Guard const& guard = spec.guard[0];
  if (spec.guards > 1 || !guard.writes || guard.first > 0) return 0;
  Index unit = 0;
  for (int d = 0; d < spec.digits; ++d)
    if (guard.at.tile[d] > 0 && !along_axis(spec, d)) unit = spec.write.tile[d] / guard.at.tile[d];
  for (int d = 0; d < spec.digits && unit > 0; ++d) {
    bool const past = !along_axis(spec, d) && spec.write.tile[d] >= unit;
    if (guard.at.tile[d] * unit != (past ? spec.write.tile[d] : 0)) return 0;
  }
  return unit;
}

}  // namespace

void coalesce_output(SweepSpec& spec, Index element_bytes, Index capacity) {
  kernel::PrePostProcessing const& post = spec.post;
  bool const rows = post.extra && !post.real_axis && !post.real && !spec.hermitian.columns;
  bool const gather_indices = post.real_axis && post.real && !post.widened && !post.makhoul;
  if ((!rows && !gather_indices) || spec.cluster_ranks > 1 || spec.rader.used || spec.cropped != 0) return;
  Index const run = run_of(spec), pair = post.real ? 2 : 1, unit = spec.guards > 0 ? unit_of(spec) : 0;
  if (run == 0 || run % pair != 0 || run / pair > capacity) return;
  if (spec.guards > 0 && (unit == 0 || unit % pair != 0)) return;
  for (int g = 0; g < spec.grids; ++g)
    if (spec.write.grid[g] % pair != 0) return;
  Index tiles = 1;
  for (int g = 0; g < spec.grids; ++g) tiles *= spec.grid_extent[g];
  SectorCount const plain = store_sectors(spec, tiles > 1 ? 1 : 0, element_bytes);
  bool const pays = rows ? !plain.full() && post.extent <= longest_row : 2 * plain.sectors >= 3 * plain.ideal;
  if (!pays) return;
  spec.post.coalesced_pairs = int(run / pair);
  spec.post.coalesced_unit = int(unit / pair);
  spec.shared = std::max(spec.shared, int(run / pair));
}

}  // namespace skipper
