// See cosine_lines.h.
#include "plan/lower/cosine_lines.h"

#include <algorithm>

#include "plan/counts.h"
#include "plan/lower/lower.h"
#include "plan/memory_units.h"

namespace skipper {
namespace {

constexpr Index single_bytes = 8;  // of a complex number in single precision

// Predicted slowdown of cosine lines in x copy: a constant, for each pass through L1, for each instruction an
// element, for what blocks wait that have few beside them, for threads that are idle in some step, for radices that
// take more registers than are counted, and for small blocks. Fitted: bench/results/h200-choices.md.
constexpr double at_least = 0.564, for_pass = 0.041, for_instruction = 0.001, for_few_blocks = 0.677,
                 for_standby_threads = 0.152, for_long_radix = 0.062, for_few_threads = 0.1;
constexpr int long_radix = 20;
constexpr Index few_threads = 112;

/// Points up to which lines of kinds without a Makhoul permutation are left out; longer ones gain.
/// Fitted: bench/results/h200-choices.md.
constexpr Index longest_excluded = 1024;

}  // namespace

bool has_cosine_lines(Program const& program, Tile const& tile, Machine const& machine) {
  if (program.problem.kind != Kind::r2r || tile.transformed.size() != 1 || tile.transformed.front().by)
    return false;
  Index const n = tile.transformed.front().points(), bytes = points(program.problem) * Index(sizeof(float));
  return program.sweeps.size() == 1 && program.sweeps[0].cluster_ranks == 1 && !tile.fused_inverse &&
         program.convolved.empty() && element_bytes(program.problem) == single_bytes && (n & (n - 1)) != 0 &&
         (tile.read_makhoul || tile.write_makhoul || n > longest_excluded) && 2 * bytes > machine.l2_bytes;
}

double least_passes(Work const& work) { return 2 * work.exchanges + 2; }

double counted_passes(kernel::SweepSpec const& spec, Index points) {
  Index waves =
      hermitian_writes(spec, single_bytes).wavefronts + hermitian_reads(spec, single_bytes).wavefronts;
  if (kernel::coalesced(spec)) waves += coalesce_traffic(spec, single_bytes).wavefronts;
  for (int i = 1; i < spec.steps; ++i)
    if (spec.step[i].exchange.needed)
      waves += exchange_writes(spec, i, single_bytes).wavefronts +
               exchange_reads(spec, i, single_bytes).wavefronts;
  Index const sectors =
      load_sectors(spec, 0, single_bytes).sectors + store_sectors(spec, 0, single_bytes).sectors;
  return double(waves * bank_bytes + sectors * sector_bytes) / double(points * single_bytes);
}

double cosine_slowdown(Configuration const& configuration, double passes, Machine const& machine) {
  Work const& work = configuration.work;
  Index const blocks = blocks_of(work, work.registers, machine);
  if (blocks == 0) return 1e3;  // as in occupancy.cpp
  Index const lanes = (work.threads + machine.warp - 1) / machine.warp * machine.warp;
  double const instructions = work.instructions * double(lanes) / double(work.points);
  double idle = 0;
  for (AssignedStep const& step : configuration.steps)
    idle = std::max(
        idle, 1 - double(count(configuration.fine_digits, step.assignment.threads)) / double(work.threads));
  return at_least + for_pass * passes + for_instruction * instructions + for_few_blocks / double(blocks) +
         for_standby_threads * idle +
         (longest_radix(configuration.fine_digits) > long_radix ? for_long_radix : 0) +
         (work.threads < few_threads ? for_few_threads : 0);
}

void choose_cosine_lines(Program& program, int s, Machine const& machine) {
  // Lines a block, the most bytes of a tile, and the least number of lines. Fitted: bench/results/h200-choices.md.
  constexpr Index choices[] = {1, 2, 3, 4, 5, 6, 8, 12}, max_bytes = 40 * 1024, many = 4096;
  auto& with = program.sweeps[s].with;
  auto best = with;
  with.clear();
  Tile const line = tile_of(program, s);
  auto const batch = std::min_element(line.carried.begin(), line.carried.end(),
                                      [](Carried const& a, Carried const& b) { return a.read < b.read; });
  double least = 0;
  for (Index lines : choices) {
    // What is left over of many lines costs next to nothing.
    if (batch == line.carried.end() || batch->piece.unit > 1 || batch->piece.extent < many) break;
    if (lines > 1 && lines * tile_points(line) * single_bytes > max_bytes) break;
    with = {{batch->piece.digit, 1, lines}};
    if (lines == 1) with.clear();
    auto const slowdown = lowered_slowdown(program, s, machine);
    if (!slowdown || (least > 0 && *slowdown >= least)) continue;
    least = *slowdown;
    best = with;
  }
  with = best;
}

}  // namespace skipper
