// See placing.h.
#include "plan/placing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/layouts.h"
#include "plan/lengths.h"
#include "plan/lower/cosine_lines.h"
#include "plan/lower/lower.h"
#include "plan/lower/occupancy.h"
#include "plan/tile.h"

namespace skipper {
namespace {

// Bytes of segments that tiles are tried for. A choice, not measured.
constexpr Index segment_aims[] = {128, 256, 64, 32};

/// Whether one transform has at most 1 KB, and the data of all of them are contiguous.
bool is_short(Program const& program) {
  Index one = element_bytes(program.problem);
  for (Axis const& a : program.problem.axes) one *= a.size;
  auto const whole = [&](Index Dimension::*stride) {
    return longest_segment(program.dims, stride) == points(program.problem);
  };
  return one <= 1024 && program.problem.kind == Kind::c2c && whole(&Dimension::in) && whole(&Dimension::out);
}

/// Points of a transform that one thread does by itself; 1 where several share it.
Index points_a_thread(Program const& program) {
  constexpr Index max_alone = 37;  // points. Fitted: bench/results/h200-choices.md.
  auto const& axes = program.problem.axes;
  if (axes.size() != 1) return 1;
  bool const codelet = !is_non_smooth(axes[0].size, element_bytes(program.problem)) && is_prime(axes[0].size);
  return axes[0].size <= max_alone || (codelet && program.transformed_by.empty()) ? axes[0].size : 1;
}

/// Whether the problem is r2c rows of such even lengths, no powers of two, that tiles of twice the size are faster.
/// The rows are longer than those that are coalesced (plan/lower/coalesce.h). Lengths in points.
/// Fitted: bench/results/h200-choices.md.
bool is_odd_row(Program const& program) {
  constexpr Index longest_coalesced = 512, max_row = 2048;
  Index const n = program.problem.axes.front().size;
  return program.problem.kind == Kind::r2c && program.problem.axes.size() == 1 &&
         program.problem.precision == Precision::f32 && n > longest_coalesced && n <= max_row && n % 2 == 0 &&
         (n & (n - 1)) != 0 && program.transformed_by.empty() && program.convolved.empty();
}

/// Whether a tile of Rader lines of n points has two of them rather than four (docs/decisions/0015). Lengths in
/// points. Fitted: bench/results/h200-choices.md.
bool has_two_lines(Program const& program, Index n) {
  constexpr Index min_points = 961, max_points = 1024;
  return program.problem.kind == Kind::c2c && program.problem.precision == Precision::f32 &&
         n >= min_points && n <= max_points;
}

/// Elements a tile should have: enough for the threads of a block, but not so many that SMs stand idle.
Index fill_of(Program const& program, int s, Machine const& machine) {
  Index const element = element_bytes(program.problem);
  Index wanted = machine.kind == MachineKind::cpu ? machine.l1_bytes / 2 / element : 16 * 1024 / element;
  Index const more = 2 * wanted;
  // Short contiguous transforms run best in small tiles, whose blocks keep memory evenly busy. Where a thread has a whole
  // transform, a block has 64 threads. Fitted: bench/results/h200-choices.md.
  if (machine.kind == MachineKind::gpu && is_short(program))
    wanted = std::clamp(64 * points_a_thread(program), 6 * 1024 / element, more);
  if (machine.kind == MachineKind::gpu && is_odd_row(program)) wanted = more;
  for (DigitKey d : program.sweeps[s].transforms) {
    if (machine.kind == MachineKind::cpu) break;
    auto const by = program.transformed_by.find(d);
    bool const has_by = by != program.transformed_by.end(),
               rader = has_by && by->second < extent_of(program, d);
    if (has_by &&
        by->second == extent_of(program, d))  // four warps of eight lines; symmetric DFT: of sixteen
      wanted = is_symmetric_dft(by->second, element) ? 64 * by->second : std::min(32 * by->second, more);
    if (rader) {  // as many lines as banks
      Index const n = extent_of(program, d), rest = n - by->second;
      if (!has_two_lines(program, n)) wanted = std::clamp(128 / element * (n / rest - 1), wanted, more);
    }
    // Bluestein lines of complex floats: a thread that has two lines reads the tables once for both, and moves both
    // at once. Fitted: bench/results/h200-choices.md.
    bool const bluestein = has_by && by->second > extent_of(program, d),
               lines = bluestein && element == 8 && program.problem.kind == Kind::c2c;
    if (lines && is_short(program)) wanted = 4 * by->second;
    // Long tables are read from L2 once a tile, so larger tiles read them less often.
    if ((bluestein && by->second * element >= 8192) || phase_of(program, s, d) == ConvolutionPhase::middle)
      wanted = more;
    if (lines && (by->second == 3072 || by->second == 4096)) wanted = 2 * by->second;
  }
  return std::clamp<Index>(points(program.problem) / (2 * machine.sms), wanted / 8, wanted);
}

/// Whether sweep s reads or writes half of its spectrum in descending order. The model underrates that in clusters, so
/// such sweeps stay in blocks. Fitted: bench/results/h200-choices.md.
bool bends(Program const& program, int s) {
  auto const real_axis =
      program.problem.kind == Kind::c2r ? pre_processed_axis(program, s) : post_processed_axis(program, s);
  return real_axis && columns_of(program, *real_axis);
}

/// Whether a cluster can do the Hermitian split of sweep s, if it has one: conjugate rows must meet by an index that
/// is not halved. A single line is held in a cluster only if no block holds it and it has at most `longest_line`
/// bytes; longer ones do not gain. See docs/decisions/0011. Fitted: bench/results/h200-choices.md.
bool splits_across(Program const& program, int s, Machine const& machine) {
  constexpr Index longest_line = 256 * 1024;
  if (!has_hermitian_split(program, s)) return true;
  if (columns_in(program, s) || has_conjugate_rows(program, s) || crossed_axis(program, s)) return false;
  if (program.sweeps[s].transforms.size() > 1) return true;
  bool const halved = program.problem.kind == Kind::r2c || program.problem.kind == Kind::c2r;
  Index const bytes = tile_points(tile_of(program, s)) * element_bytes(program.problem);
  return halved && program.sweeps.size() == 1 && bytes > block_capacity(machine) && bytes <= longest_line;
}

/// Whether the blocks of a cluster can share a tile of whole axes. The cluster rank counts a digit that the steps leave
/// alone: one digit before the exchange between blocks, another one after it.
bool shared_by(Tile const& tile, Index cluster_ranks) {
  if (tile.transformed.size() == 1)
    return tile.transformed.front().points() % (cluster_ranks * cluster_ranks) == 0;
  return std::count_if(tile.transformed.begin(), tile.transformed.end(),
                       [&](Transformed const& t) { return t.points() % cluster_ranks == 0; }) > 1;
}

/// How many blocks a cluster has for a tile that is a whole transform. The power of two that tier_for() chose stands
/// where blocks can share the tile so. Else, and always for cubes, of which a thread may have a whole line, the
/// number with the least predicted slowdown is taken (docs/decisions/0034). The bounds are bytes of a block's part of
/// the tile. Fitted: bench/results/h200-choices.md.
int odd_ranks(Program const& program, Tile const& tile, TierChoice const& choice, Machine const& machine) {
  constexpr Index least_slab = 24 * 1024, max_slab = 110 * 1024;
  bool const cube = tile.transformed.size() == 3;
  if (choice.cluster_ranks == 1 || (shared_by(tile, choice.cluster_ranks) && !cube))
    return choice.cluster_ranks;
  Index const bytes = tile_points(tile) * element_bytes(program.problem);
  int best = choice.cluster_ranks;
  double min_slowdown = 0;
  Program other = program;
  other.sweeps[0].tier = choice.tier;
  for (Index cluster_ranks = (bytes + max_slab - 1) / max_slab;
       cluster_ranks <= std::min(machine.cluster, bytes / least_slab); ++cluster_ranks) {
    if (!shared_by(tile, cluster_ranks)) continue;
    other.sweeps[0].cluster_ranks = int(cluster_ranks);
    auto const slowdown = lowered_slowdown(other, 0, machine);
    if (slowdown && (min_slowdown == 0 || *slowdown < min_slowdown)) {
      min_slowdown = *slowdown;
      best = int(cluster_ranks);
    }
  }
  return best;
}

/// The same for planes and cubes of reals in single precision: the fewest blocks whose parts are so small that an SM
/// holds more than two. Where that takes more than `max_ranks` blocks, the number that tier_for() chose. The bounds
/// are blocks, and bytes of a block's part of the tile (docs/decisions/0034). Fitted: bench/results/h200-choices.md.
int ranks_of_reals(Program const& program, Tile const& tile, TierChoice const& choice,
                   Machine const& machine) {
  constexpr Index max_ranks = 10;
  Index const max_slab = (program.problem.kind == Kind::r2c ? 40 : 56) * 1024;
  Index const bytes = tile_points(tile) * element_bytes(program.problem);
  if (choice.cluster_ranks == 1 || program.problem.precision == Precision::f64) return choice.cluster_ranks;
  Program other = program;
  other.sweeps[0].tier = choice.tier;
  for (Index cluster_ranks = (bytes + max_slab - 1) / max_slab;
       cluster_ranks <= std::min(machine.cluster, max_ranks); ++cluster_ranks) {
    if (!shared_by(tile, cluster_ranks)) continue;
    other.sweeps[0].cluster_ranks = int(cluster_ranks);
    if (lowered_slowdown(other, 0, machine)) return int(cluster_ranks);
  }
  return choice.cluster_ranks;
}

/// The same for Rader across a cluster: doubled while each block still has `least_slab` bytes. See
/// docs/decisions/0015. Fitted: bench/results/h200-choices.md.
int across_cluster_ranks(Program const& program, Tile const& tile, TierChoice const& choice,
                         Machine const& machine) {
  constexpr Index least_slab = 24 * 1024;
  Index const bytes = tile_points(tile) * element_bytes(program.problem);
  Index cluster_ranks = choice.cluster_ranks;
  while (2 * cluster_ranks <= machine.cluster && bytes >= 2 * cluster_ranks * least_slab &&
         shared_by(tile, 2 * cluster_ranks))
    cluster_ranks *= 2;
  return int(cluster_ranks);
}

}  // namespace

std::optional<double> place_sweep(Program& program, int s, Planning const& context, TileRanking ranking) {
  Machine const& machine = context.machine;
  PlanOptions const& options = context.options;
  Index const element = element_bytes(program.problem);
  Index const fill = fill_of(program, s, machine);
  std::vector<Index> capacities{block_capacity(machine)};
  auto const& own = program.sweeps[s].transforms;
  // Not in clusters: convolutions over several sweeps, which the model is not fitted to; matrix products, Rader beside
  // another radix, and real Rader, which no cluster kernel does.
  bool const alone = !program.convolved.empty() || std::any_of(own.begin(), own.end(), [&](DigitKey d) {
    auto const by = program.transformed_by.find(d);
    Index const beside = by != program.transformed_by.end() ? extent_of(program, d) - by->second : -1;
    return beside == 0 || beside > 1 || (beside == 1 && real_transform_of(program, d.dim));
  });
  if (options.clusters && machine.cluster > 1 && !alone && !bends(program, s) &&
      splits_across(program, s, machine))
    capacities.push_back(cluster_capacity(machine));
  Tiling const tiling(program, s);
  Tile tile = tiling.holding({});
  Sweep best;
  double best_cost = 0;
  std::vector<std::vector<Piece>> weighed;
  auto const weigh = [&](Index segment, Index filled, Index capacity, bool even = false) {
    auto& with = program.sweeps[s].with;
    with.clear();
    extend_tile(program, s, {std::max<Index>(1, segment / element), filled, capacity / element, even}, tiling,
                tile);
    if (tile_points(tile) * element > capacity) return;
    if (std::find(weighed.begin(), weighed.end(), with) != weighed.end()) return;
    weighed.push_back(with);
    TierChoice choice = tier_for(tile_points(tile) * element, machine);
    if (with.empty() && program.sweeps.size() == 1) {
      if (choice.cluster_ranks > 1 && tile.transformed.front().by_rader())
        choice.cluster_ranks = across_cluster_ranks(program, tile, choice, machine);
      else if (program.problem.kind == Kind::c2c)
        choice.cluster_ranks = odd_ranks(program, tile, choice, machine);
      else if (own.size() > 1)
        choice.cluster_ranks = ranks_of_reals(program, tile, choice, machine);
    }
    if (choice.bound == 0 || (choice.cluster_ranks > 1 && !options.clusters)) return;
    program.sweeps[s].tier = choice.tier;
    program.sweeps[s].cluster_ranks = choice.cluster_ranks;
    double const cost = ranking == TileRanking::lowered ? context.costs.lowered(program, s).value_or(0)
                                                        : quick_sweep_cost(program, s, tile, machine);
    if (cost > 0 && (best_cost == 0 || cost < best_cost - 1e-9) &&
        (ranking != TileRanking::runnable || context.costs.lowered(program, s))) {
      best_cost = cost;
      best = program.sweeps[s];
    }
  };
  for (Index capacity : capacities)
    for (Index segment : segment_aims) weigh(segment, fill, capacity);
  if (ranking == TileRanking::lowered)
    for (bool even : {false, true})
      for (Index other : {fill / 4, fill / 2, fill, 2 * fill})
        for (Index segment : segment_aims)
          weigh(segment, std::max<Index>(1, other), capacities.front(), even);
  if (best_cost == 0 && ranking != TileRanking::quick)
    weigh(1, 1, capacities.front());  // the smallest tile, which may run where none of these does
  if (best_cost == 0) return std::nullopt;
  program.sweeps[s] = std::move(best);
  if (has_cosine_lines(program, tile_of(program, s), machine)) choose_cosine_lines(program, s, machine);
  return best_cost;
}

void mark_thread_tier(Program& program, int s) {
  Tile const tile = tile_of(program, s);
  Index const element = element_bytes(program.problem);
  Index transform = 1;
  for (Transformed const& t : tile.transformed) {
    if (t.is_direct()) return;
    transform *= t.points();
  }
  Tile carried = tile;
  carried.transformed.clear();
  bool const few = transform * element <= 128;
  if (few && !has_hermitian_split(program, s) &&
      std::min(read_segment(carried) * tile.read_bytes, write_segment(carried) * tile.write_bytes) >= 32)
    program.sweeps[s].tier = Tier::thread;
}

}  // namespace skipper
