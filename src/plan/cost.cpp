// See cost.h: bounds of data movement by tier and segments, then what blocks take by occupancy.h.
#include "plan/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "plan/l2_block.h"
#include "plan/layouts.h"
#include "plan/lower/lower.h"
#include "plan/lower/occupancy.h"
#include "plan/memory_units.h"

namespace skipper {
namespace {

/// Linear in log2(bytes) between the points of a table, constant outside.
template <std::size_t n>
double interpolate(std::array<std::pair<Index, double>, n> const& table, Index bytes) {
  if (bytes <= table.front().first) return table.front().second;
  for (std::size_t i = 1; i < n; ++i)
    if (bytes <= table[i].first) {
      double const at = std::log2(double(bytes) / double(table[i - 1].first)) /
                        std::log2(double(table[i].first) / double(table[i - 1].first));
      return table[i - 1].second + at * (table[i].second - table[i - 1].second);
    }
  return table.back().second;
}

// Bound of the block tier in x copy, up to so many bytes a tile. Past 64 KB an SM holds one block, and only 1024
// threads keep enough loads in flight. Fitted: bench/results/h200-choices.md.
constexpr std::array<std::pair<Index, double>, 3> block_bounds{
    {{64 * kb, 1.04}, {128 * kb, 1.06}, {160 * kb, 1.15}}};
// Bounds of clusters of 2, 4, 8 and 16 blocks in x copy, with slabs of 64 KB (three blocks an SM) and of 128 KB
// (one). Fitted: bench/results/h200-choices.md.
constexpr std::array<double, 4> slab64_bounds{1.06, 1.09, 1.16, 1.34};
constexpr std::array<double, 4> slab128_bounds{1.20, 1.50, 1.67, 2.05};
// Slow-down of sweeps that read, or write, in segments of so many bytes, over the bound of the block tier. Writes
// gather in L2; reads are waited for. Fitted: bench/results/h200-choices.md.
constexpr std::array<std::pair<Index, double>, 7> gpu_reads{
    {{32, 1.8}, {64, 1.45}, {128, 1.15}, {256, 1.10}, {512, 1.05}, {1024, 1.01}, {2048, 1.0}}};
constexpr std::array<std::pair<Index, double>, 7> gpu_writes{
    {{32, 1.6}, {64, 1.17}, {128, 1.10}, {256, 1.08}, {512, 1.03}, {1024, 1.01}, {2048, 1.0}}};
// Sweeps that write a little of each of many pages wait for the pages' addresses, reads and writes alike; streams
// hide half of it. Fitted: bench/results/h200-choices.md.
constexpr double few_pages = 128, far_pages = 0.1, by_block_order = 0.96;
// Among several sweeps: measured over predicted time of clusters of 16 blocks, and of pairs of reals in clusters.
// Fitted: bench/results/h200-choices.md.
constexpr double clusters_of_16 = 1.01, pairs_in_clusters = 1.04, pairs_in_clusters_of_16 = 1.12;
// Columns of a plane of pairs that lies within two pages take what a copy takes. Longer segments, in fewer threads,
// gain nothing. Pages, and bytes of a segment. Fitted: bench/results/h200-choices.md.
constexpr double compact_pages = 2;
constexpr Index compact_segment = 256;
// Assumed, not measured: whole cache lines, then the prefetcher catches up.
constexpr std::array<std::pair<Index, double>, 5> cpu_segments{
    {{64, 1.5}, {128, 1.3}, {256, 1.15}, {512, 1.05}, {1024, 1.0}}};
// Time of two sweeps by L2 blocks over that of the same two over all data, in four streams of 8 MB, or two of 16
// where transforms are so large. Less than 24 MB in all, more than 40, and L2 blocks of less than 6 lose.
// Fitted: bench/results/h200-choices.md.
constexpr double through_l2 = 0.945;
// The same for fused passes (plan/fused_passes.cpp): lines and cubes, planes, and tiles of which a block has an SM to
// itself. Fitted: bench/results/h200-choices.md.
constexpr double fused_through_l2 = 0.79, fused_planes_through_l2 = 0.84, fused_single_through_l2 = 0.88;
// The same for the last two sweeps of long lines, in L2 blocks of up to 4 MB and in larger ones.
// Fitted: bench/results/h200-choices.md.
constexpr double fused_lines_through_l2 = 0.82, fused_large_through_l2 = 0.92;
// The same in double precision, where a block of a pair fills an SM. Fitted: bench/results/h200-choices.md.
constexpr double doubles_through_l2 = 1.04;
// The same for a line in three sweeps, over that of other pairs. Fitted: bench/results/h200-choices.md.
constexpr double lines_through_l2 = 1.01;
constexpr Index min_l2_blocked =
    256 *
    mb;  // bytes of data; below, streams are filled and emptied for too few L2 blocks. A choice, not measured.

}  // namespace

Index block_capacity(Machine const& machine) {
  if (machine.kind == MachineKind::cpu) return machine.l2_bytes / 2;
  // The whole tile is in registers between exchanges; 5/8 of them leaves room for addresses and butterflies.
  Index const registers = machine.registers_sm * 4 * 5 / 8;
  Index const shared = machine.shared_block * 32 / 33;  // padding against bank conflicts
  return std::min(registers, shared);
}

Index cluster_capacity(Machine const& machine) {
  return machine.cluster > 1 ? machine.cluster * 128 * kb : 0;
}

TierChoice tier_for(Index tile_bytes, Machine const& machine) {
  if (machine.kind == MachineKind::cpu) {
    if (tile_bytes <= machine.l1_bytes / 2) return {Tier::block, 1, 1.0};
    return {Tier::block, 1, tile_bytes <= block_capacity(machine) ? 1.1 : 0};
  }
  TierChoice best;
  if (tile_bytes <= block_capacity(machine)) return {Tier::block, 1, interpolate(block_bounds, tile_bytes)};
  for (int i = 0; i < 4 && (2 << i) <= machine.cluster; ++i) {
    Index const slab = (tile_bytes + (2 << i) - 1) / (2 << i);
    double const bound = slab <= 64 * kb ? slab64_bounds[i] : slab <= 128 * kb ? slab128_bounds[i] : 0;
    if (bound > 0 && (best.bound == 0 || bound < best.bound)) best = {Tier::cluster, 2 << i, bound};
  }
  return best;
}

double segment_factor(Index bytes, Access access, Machine const& machine) {
  double const wasted = std::max(1.0, double(machine.sector_bytes) / double(bytes));
  if (machine.kind == MachineKind::cpu) return wasted * interpolate(cpu_segments, bytes);
  if (access == Access::read) return wasted * interpolate(gpu_reads, bytes);
  // Sectors written in part are read first.
  return std::pow(wasted, 1.6) * interpolate(gpu_writes, bytes);
}

namespace {

double bytes_total(Program const& program, int before) {
  double total = double(bytes_before(program, before));
  for (Piece const& p : digits_before(program, before)) total *= double(p.extent);
  return total;
}

/// Bytes of the data before sweep b over those of the input.
double share_before(Program const& program, int b) {
  bool const alike = program.problem.kind == Kind::c2c && !is_16_bit(program.problem.precision);
  return alike ? 1 : bytes_total(program, b) / bytes_total(program, 0);
}

/// The spectrum of an axis real by columns has half its numbers in descending order, one off the sectors.
double descending(std::optional<int> real_axis, Program const& program, Index segment,
                  Machine const& machine) {
  bool const columns = real_axis && columns_of(program, *real_axis);
  return columns ? 1 + 0.5 * double(machine.sector_bytes) / double(segment) : 1;
}

/// Segments that begin anywhere touch most of a sector more. What is written in part is read first, and again by the
/// tile that has the rest: it counts as so many sectors. Fitted: bench/results/h200-choices.md.
constexpr double written_in_part = 3.5;
/// The same, in sectors, of complex numbers. Fitted: bench/results/h200-choices.md.
constexpr double pairs_read_in_part = 5, pairs_written_in_part = 6;
double between_sectors(Tile const& tile, Access access, Index segment, Machine const& machine,
                       double times = 1) {
  bool const reads = access == Access::read;
  Index const bytes = reads ? tile.read_bytes : tile.write_bytes;
  bool apart = false;
  auto const see = [&](Index extent, Index stride) {
    apart = apart || (extent > 1 && stride * bytes >= segment && stride * bytes % machine.sector_bytes != 0);
  };
  for (Transformed const& t : tile.transformed) {
    bool const whole = (reads ? t.read_span : t.write_span).extent > 1;
    for (Run const& r : reads ? t.read : t.write)
      if (!whole) see(r.extent, r.stride);
  }
  for (Carried const& c : tile.carried) see(c.piece.extent, reads ? c.read : c.write);
  return apart ? 1 + times * double(machine.sector_bytes - bytes) / double(segment) : 1;
}

/// Pages of memory that a tile touches where it reads or writes.
double pages_of(Tile const& tile, Access access) {
  bool const reads = access == Access::read;
  Index const bytes = reads ? tile.read_bytes : tile.write_bytes;
  double apart = 1, within = 0;
  auto const see = [&](Index extent, Index stride) {
    if (stride * bytes >= page_bytes)
      apart *= double(extent);
    else
      within += double((extent - 1) * stride * bytes);
  };
  for (Transformed const& t : tile.transformed)
    for (Run const& r : reads ? t.read : t.write) see(r.extent, r.stride);
  for (Carried const& c : tile.carried)
    if (c.held) see(c.piece.extent, reads ? c.read : c.write);
  return apart * std::max(1.0, within / double(page_bytes));
}

bool has_one_axis(Program const& program) {
  return std::count_if(program.dims.begin(), program.dims.end(),
                       [](Dimension const& d) { return d.axis && d.size > 1; }) == 1;
}

/// First sweeps of a long line in two, block by block, where tiles read from many pages and each point has a product
/// of two factors: measured over predicted time, and the pages from which on it holds.
/// Fitted: bench/results/h200-choices.md.
constexpr double for_long_lines = 1.07, long_pages = 24;
bool begins_long_line(Program const& program, int s, Tile const& tile) {
  return program.sweeps.size() == 2 && s == 0 && has_one_axis(program) &&
         program.sweeps[s].cluster_ranks == 1 && pages_of(tile, Access::read) >= long_pages;
}

/// What the tables of segments do not know of long programs: that neighbouring blocks complete each other's runs, and
/// what it costs that a tile's segments lie in many pages.
double long_movement(Program const& program, int s, Tile const& tile, Machine const& machine, double moves) {
  if (program.problem.kind != Kind::c2c || !program.convolved.empty() || machine.kind == MachineKind::cpu)
    return moves;
  if (program.sweeps.size() < 3) return begins_long_line(program, s, tile) ? for_long_lines * moves : moves;
  double const read = pages_of(tile, Access::read), write = pages_of(tile, Access::write);
  bool const reads = read > few_pages;  // what is read is waited for
  Index const segment = reads ? read_segment(tile) * tile.read_bytes : write_segment(tile) * tile.write_bytes;
  bool const l2_blocked = program.sweeps[s].l2_block || (s > 0 && program.sweeps[s - 1].l2_block);
  double const apart = (l2_blocked ? 0.5 : 1) * far_pages * std::min(1.0, 128 / double(segment)) *
                       std::clamp(std::log2((reads ? read : write) / few_pages) / 2, 0.0, 1.2);
  return std::max(std::min(1.0, moves), by_block_order * moves) * (1 + apart);
}

}  // namespace

namespace {

bool compact(Program const& program, int s, Tile const& tile, Machine const& machine) {
  if (machine.kind != MachineKind::gpu || !is_packed_real(program) || has_hermitian_split(program, s))
    return false;
  return read_segment(tile) * tile.read_bytes == compact_segment &&
         write_segment(tile) * tile.write_bytes == compact_segment &&
         std::max(pages_of(tile, Access::read), pages_of(tile, Access::write)) <= compact_pages;
}

}  // namespace

double movement(Program const& program, int s, Tile const& tile, Machine const& machine) {
  if (compact(program, s, tile, machine)) return 1;
  Index const read = read_segment(tile) * tile.read_bytes, write = write_segment(tile) * tile.write_bytes;
  bool const forward = program.problem.kind != Kind::c2r;
  double first = forward ? 1 : descending(pre_processed_axis(program, s), program, read, machine);
  double last = forward ? descending(post_processed_axis(program, s), program, write, machine) : 1;
  if (program.problem.kind == Kind::r2c || program.problem.kind == Kind::c2r) {
    first *= between_sectors(tile, Access::read, read, machine);
    auto const post = post_processed_axis(program, s);
    bool const rows = machine.kind == MachineKind::gpu && !(post && columns_of(program, *post));
    last *= between_sectors(tile, Access::write, write, machine, rows ? written_in_part : 1);
  }
  // Within L2 the parts of a sector meet; of less than a sector the tables have it in.
  bool const beyond_l2 =
      machine.kind == MachineKind::gpu && bytes_total(program, 0) > double(machine.l2_bytes);
  if (program.problem.kind == Kind::c2c && beyond_l2 && std::min(read, write) >= machine.sector_bytes) {
    constexpr double most = 2;
    first *= std::min(most, between_sectors(tile, Access::read, read, machine, pairs_read_in_part));
    last *= std::min(most, between_sectors(tile, Access::write, write, machine, pairs_written_in_part));
  }
  double const moves =
      0.5 * (share_before(program, s) * first * segment_factor(read, Access::read, machine) +
             share_before(program, s + 1) * last * segment_factor(write, Access::write, machine));
  return long_movement(program, s, tile, machine, moves);
}

namespace {

/// Data that a sweep moves, over that of a copy: between the sweeps of a convolved axis it is longer.
double volume(Program const& program, int s) {
  if (program.problem.kind != Kind::c2c) return 1;  // movement() counts the bytes on either side
  double read = 1, written = 1;
  for (int d : program.convolved) {
    auto const [first, last] = convolution_span(program, d);
    double padding = 1 / double(program.dims[d].size);
    for (Index r : program.radices[d]) padding *= double(r);
    if (s > first && s <= last) read *= padding;
    if (s >= first && s < last) written *= padding;
  }
  return 0.5 * (read + written);
}

// On a CPU, assumed, not measured: what two transforms on chip add to the movement of the data. The longer the second
// one of a middle takes, the more it wants other blocks beside it, so small tiles.
constexpr double convolution_work = 0.45, middle_work = 0.1;
constexpr Index middle_tile = 32 * kb;

double work(Tile const& tile, Index element) {
  double factor = 1;
  for (Transformed const& t : tile.transformed) {
    if (t.by > t.radix) factor += convolution_work * double(t.by) / double(t.radix);
    if (t.phase == ConvolutionPhase::middle)
      factor += middle_work * double(tile_points(tile) * element) / middle_tile;
  }
  return factor;
}

/// Elements that a tile reads or writes over those it holds: a convolution on chip is longer than its data, and so is
/// the complex transform of reals that are not packed.
double density(Program const& program, Tile const& tile) {
  if (program.problem.kind != Kind::c2c)
    return bytes_total(program, 0) /
           double(tile_count(tile) * tile_points(tile) * element_bytes(program.problem));
  double part = is_16_bit(program.problem.precision) ? 0.5 : 1;
  for (Transformed const& t : tile.transformed) part *= double(t.radix) / double(t.points());
  return part;
}

/// The work of a tile as it is usually assigned to threads, before anyone has tried: whole sub-transforms cost about what
/// their radices cost, in radix stages of up to `held`.
Work usual_work(Program const& program, int s, Tile const& tile, Index held) {
  Index const element = element_bytes(program.problem);
  Work work{};
  work.element = element;
  work.cluster_ranks = program.sweeps[s].cluster_ranks;
  work.tiles = tile_count(tile);
  work.points = (tile_points(tile) + work.cluster_ranks - 1) / work.cluster_ranks;
  work.elements_per_thread = std::min(held, work.points);
  work.threads = (work.points + work.elements_per_thread - 1) / work.elements_per_thread;
  kernel::Twiddling hardest = kernel::Twiddling::none;
  double a_point = 2;
  int radix_stages = 0;
  for (Transformed const& t : tile.transformed) {
    if (t.is_direct()) {
      radix_stages += 2;  // put, and taken after the product
      continue;
    }
    int const parts =
        std::max(1, int(std::ceil(std::log2(double(t.points())) / std::log2(double(held)) - 1e-9)));
    bool const between = t.digit.part + 1 < int(program.radices[t.digit.dim].size());
    if (between) hardest = kernel::Twiddling::two_level;
    int const times = t.transforms_twice() ? 2 : 1;  // a convolution transforms there and back
    a_point += times * (butterfly_instructions(int(t.points())) + 5.5 * (parts - 1)) + (between ? 9.5 : 0);
    radix_stages += times * parts;
  }
  a_point += 2.0 * std::max(0, radix_stages - 1);
  work.exchanges = std::max(0, radix_stages - 1);
  work.loads = work.elements_per_thread;
  if (radix_stages > 1) work.shared = work.points + work.points / 32;
  work.instructions = 32 + a_point * double(work.elements_per_thread);
  work.registers = least_registers(work.elements_per_thread, int(held), element, hardest);
  for (Transformed const& t : tile.transformed)
    if (t.is_direct()) add_direct_dft(int(t.radix), work);
  return work;
}

/// Measured over predicted time of the sweeps of an axis that is convolved over several.
/// Fitted: bench/results/h200-choices.md.
constexpr double long_middle = 1.14, short_middle = 1.08, short_ends = 1.3;
double over_sweeps(Program const& program, Tile const& tile, Machine const& machine) {
  constexpr Index long_digit = 1024, short_digit = 64;
  Index const bytes = tile_count(tile) * tile_points(tile) * element_bytes(program.problem);
  double factor = 1;
  if (bytes < 4 * machine.l2_bytes) return factor;
  for (Transformed const& t : tile.transformed) {
    if (!program.convolved.count(t.digit.dim)) continue;
    if (t.phase == ConvolutionPhase::middle)
      factor *= t.radix > long_digit ? long_middle : short_middle;
    else if (t.radix < short_digit)
      factor *= short_ends;
  }
  return factor;
}

// Slow-down of one small transform that goes through a workspace instead of the output.
// Fitted: bench/results/h200-choices.md.
constexpr double third_array = 1.2;

/// What stands between two sweeps of a single transform in an array of its own drives out what they read and write.
double past_l2(Program const& program, Machine const& machine) {
  bool const stays = program.sweeps.size() == 2 && !program.sweeps[0].layout.empty() &&
                     program.sweeps[0].layout == layout_as_written(program, 1);
  return !stays && lacks_buffer_between(program, machine) ? third_array : 1;
}

/// What a sweep costs at most by its tier alone, and by the predicted slowdown of its blocks; both with its segments.
double sweep_cost(Program const& program, int s, Tile const& tile, Machine const& machine,
                  std::optional<double> lowered) {
  Index const element = element_bytes(program.problem);
  double const moves = movement(program, s, tile, machine);
  double const bound = tier_for(tile_points(tile) * element, machine).bound * moves;
  if (machine.kind == MachineKind::cpu) return bound * volume(program, s) * work(tile, element);
  double const dense = density(program, tile), moved = dense * moves;
  double usual = lowered.value_or(0);
  if (!lowered) {
    usual = 1e3;
    for (Index held : {4, 8, 16, 20, 32, 64})
      if (held * element <= (program.sweeps[s].cluster_ranks > 1 ? 512 : 256))
        usual = std::min(usual, slowdown(usual_work(program, s, tile, held), machine, moved));
  }
  // Clusters of halved rows are slower than predicted; with a Hermitian split whole rows stand in a block.
  // Fitted: bench/results/h200-choices.md.
  bool const rows = program.problem.kind != Kind::c2c && !is_packed_real(program);
  int const cluster_ranks = program.sweeps[s].cluster_ranks;
  bool const many = cluster_ranks > 8;
  double const among = program.problem.kind != Kind::c2c
                           ? (many ? pairs_in_clusters_of_16 : pairs_in_clusters)
                           : (many ? clusters_of_16 : 1);
  double const clusters = cluster_ranks == 1          ? 1
                          : rows                      ? (!has_hermitian_split(program, s) ? 1.4
                                                         : many                           ? pairs_in_clusters_of_16
                                                                                          : 1)
                          : program.sweeps.size() > 1 ? among
                                                      : 1;
  double const cost = clusters * over_sweeps(program, tile, machine) * past_l2(program, machine) *
                      std::max(bound, usual / dense) * volume(program, s);
  Index const bytes = tile_count(tile) * tile_points(tile) * element;
  bool const dependent = s > 0 && bytes <= little_bytes && has_clusters(machine);
  return dependent ? cost - dependent_launch_ns / copy_ns(2 * double(bytes), machine) : cost;
}

}  // namespace

bool lacks_buffer_between(Program const& program, Machine const& machine) {
  Problem const& problem = program.problem;
  if (machine.kind != MachineKind::gpu || machine.cluster < 2 || program.sweeps.size() != 2 ||
      problem.kind != Kind::c2c || problem.placement == Placement::in_place ||
      !program.transformed_by.empty() || !program.convolved.empty() || problem.axes.size() != 3)
    return false;  // cubes only
  for (Dim const& d : problem.batch)
    if (d.size > 1) return false;
  Index const bytes = points(problem) * element_bytes(problem);
  return 2 * bytes <= machine.l2_bytes && 4 * bytes > machine.l2_bytes && keeps_within_output(program, 0);
}

double quick_sweep_cost(Program const& program, int s, Tile const& tile, Machine const& machine) {
  return sweep_cost(program, s, tile, machine, std::nullopt);
}

double quick_sweep_cost(Program const& program, int s, Machine const& machine) {
  return quick_sweep_cost(program, s, tile_of(program, s), machine);
}

std::optional<double> lowered_sweep_cost(Program const& program, int s, Machine const& machine) {
  Tile const tile = tile_of(program, s);
  auto const lowered =
      lowered_slowdown(program, s, machine, density(program, tile) * movement(program, s, tile, machine));
  if (!lowered) return std::nullopt;
  return sweep_cost(program, s, tile, machine, lowered);
}

double sweep_cost(Program const& program, int s, Machine const& machine) {
  if (machine.kind == MachineKind::cpu) return quick_sweep_cost(program, s, machine);
  return lowered_sweep_cost(program, s, machine).value_or(quick_sweep_cost(program, s, machine));
}

namespace {

bool fills_sm(Program const& program, int s) {
  return tile_points(tile_of(program, s)) * element_bytes(program.problem) > 64 * kb;
}

double by_l2_blocks(Program const& program, int s) {
  if (program.sweeps[s].fused && s > 0)
    return program.sweeps[s].l2_block > 4 * mb ? fused_large_through_l2 : fused_lines_through_l2;
  if (program.sweeps[s].fused)
    return fills_sm(program, s) ? fused_single_through_l2
           : program.sweeps[s].transforms.size() < program.sweeps[s + 1].transforms.size()
               ? fused_planes_through_l2
               : fused_through_l2;
  bool const doubles = program.problem.kind == Kind::c2c && element_bytes(program.problem) == 16;
  bool const heavy = doubles && (fills_sm(program, s) || fills_sm(program, s + 1));
  bool const line_in_three = program.sweeps.size() > 2 && has_one_axis(program);
  return through_l2 * (heavy ? doubles_through_l2 : 1) * (line_in_three ? lines_through_l2 : 1);
}

double total_cost(Program const& program, Machine const& machine,
                  double (*cost)(Program const&, int, Machine const&)) {
  std::vector<double> costs;
  for (int s = 0; s < int(program.sweeps.size()); ++s) costs.push_back(cost(program, s, machine));
  return program_cost(program, costs);
}

}  // namespace

double program_cost(Program const& program, std::vector<double> const& sweeps) {
  double total = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    bool const l2_blocked = program.sweeps[s].l2_block || (s > 0 && program.sweeps[s - 1].l2_block);
    total += (l2_blocked ? by_l2_blocks(program, program.sweeps[s].l2_block ? s : s - 1) : 1) *
             sweeps[std::size_t(s)];
  }
  return total;
}

double quick_program_cost(Program const& program, Machine const& machine) {
  return total_cost(program, machine, quick_sweep_cost);
}

double program_cost(Program const& program, Machine const& machine) {
  return total_cost(program, machine, sweep_cost);
}

namespace {

/// Planes of two cosine axes gain nothing by L2 blocks. Fitted: bench/results/h200-choices.md.
bool is_large_plane(Program const& program, int s) {
  return crossed_axis(program, s) &&
         tile_points(tile_of(program, s)) * element_bytes(program.problem) >= 64 * kb;
}

}  // namespace

L2Blocking l2_blocking(Program const& program, int s, Machine const& machine) {
  // L2 blocks gain by being launched dependently, which came with clusters. Of three sweeps two can share them; those
  // of a convolution gain where an SM holds two blocks of each and an L2 block many lines. Not in clusters.
  // Fitted: bench/results/h200-choices.md.
  constexpr Index many_lines = 24;
  bool const dependent_launch = machine.kind == MachineKind::gpu && has_clusters(machine);
  if (!dependent_launch || !machine.l2_block || s + 1 >= int(program.sweeps.size())) return {};
  bool const long_program = program.sweeps.size() > 2;
  bool const convolved = !program.convolved.empty();
  if (long_program && program.problem.kind != Kind::c2c) return {};
  if (convolved && (s > 0 || program.sweeps.size() != 3)) return {};
  int const sweeps = convolved ? 3 : 2;
  for (int i = s; i < s + sweeps; ++i)
    if (program.sweeps[i].tier == Tier::cluster || is_large_plane(program, i)) return {};
  if (bytes_before(program, s + 1) * places_between(program, s + 1) < min_l2_blocked) return {};
  Index const room = machine.l2_bytes * 8 / 15;  // of all streams
  auto const limit_of = [&](int streams) {
    return room / streams * 17 / 16;
  };  // rows of reals are a little longer
  constexpr int fewest_streams = 2;
  if (!l2_block_of(program, s, limit_of(fewest_streams), nullptr, sweeps))
    return {};  // so in no smaller L2 blocks
  // Where blocks fill an SM each, an L2 block should have one for every SM. Smaller ones are faster in three streams of 10 MB.
  // Where lines are parted between the sweeps of several axes nothing is gained.
  // Fitted: bench/results/h200-choices.md.
  Tile const first = tile_of(program, s), second = tile_of(program, s + 1);
  Index const element = element_bytes(program.problem), a = tile_points(first) * element,
              b = tile_points(second) * element;
  bool const plain = !long_program && program.problem.kind == Kind::c2c;
  bool const few = !long_program && std::min(a, b) > 64 * kb, small = plain && std::max(a, b) <= 32 * kb;
  bool const parted = write_segment(first) * first.write_bytes % l2_line_bytes != 0 ||
                      read_segment(second) * second.read_bytes % l2_line_bytes != 0;
  if (plain && !convolved && parted && !has_one_axis(program)) return {};
  for (int streams : {3, 4, 2}) {
    if (streams > 2 && (few || convolved)) continue;
    if (streams == 3 && !small) continue;
    Index const limit = limit_of(streams);
    auto const l2_block = l2_block_of(program, s, limit, nullptr, sweeps);
    // Only along the slowest digit.
    if (!l2_block || !l2_block->slowest || l2_block->unit * l2_block->all() < min_l2_blocked) continue;
    Index const unit = l2_block->unit * l2_block->together, count = limit / unit, bytes = count * unit;
    if (convolved && (a > 64 * kb || bytes < many_lines * l2_block->unit)) continue;
    if (convolved) return {bytes, streams, sweeps};
    if (streams == 3 && 8 * bytes < 7 * limit) continue;
    if (long_program ? 4 * bytes >= 3 * limit : 3 * bytes >= 2 * limit && (count > 1 || streams == 2))
      return {bytes, streams};
  }
  return {};
}

}  // namespace skipper
