// See fused_passes.h.
#include "plan/lower/fused_passes.h"

#include <algorithm>
#include <vector>

#include "plan/lower/configuration.h"
#include "plan/lower/real_processing.h"
#include "plan/tile.h"

namespace skipper {
namespace {

/// Both as an SM sees their blocks, which are of one kernel: as large as the larger one.
double slowdown_together(Work a, Work b, Machine const& machine) {
  a.shared = b.shared = std::max(a.shared, b.shared);
  a.registers = b.registers = std::max(a.registers, b.registers);
  Index const blocks = blocks_of(a, a.registers, machine);
  if (blocks == 0) return 1e9;
  Index const bytes = blocks * a.points * a.element;
  double const idle = bytes < least_in_flight                                       ? 0.5
                      : bytes < good_in_flight && a.element == 8 && a.threads > 128 ? 0.1
                                                                                    : 0;
  double const few = blocks * a.threads < good_threads ? 0.1 : 0;
  return few + slowdown(a, machine) + slowdown(b, machine) + 0.02 * (a.exchanges + b.exchanges) + idle;
}

}  // namespace

std::optional<std::pair<Lowered, Lowered>> lower_fused(Program const& program, int s,
                                                       Machine const& machine) {
  if (program.sweeps[s].tier != Tier::block || program.sweeps[s + 1].tier != Tier::block) return std::nullopt;
  std::vector<Configuration> const firsts = all_configurations(program, s, tile_of(program, s), machine),
                                   lasts =
                                       all_configurations(program, s + 1, tile_of(program, s + 1), machine);
  Configuration const *first = nullptr, *last = nullptr;
  double best = 1e8;
  for (Configuration const& a : firsts)
    for (Configuration const& b : lasts) {
      if (!a.fits || !b.fits || a.work.threads != b.work.threads) continue;
      double const together = slowdown_together(a.work, b.work, machine);
      if (together < best) best = together, first = &a, last = &b;
    }
  if (!first) return std::nullopt;
  std::pair both{lower(program, s, machine, *first), lower(program, s + 1, machine, *last)};
  kernel::SweepSpec &a = both.first.spec, &b = both.second.spec;
  if (a.threads != b.threads) return std::nullopt;
  // Rotated by constants, c2r would spill, and an SM would hold a block less. Fitted: bench/results/h200-choices.md.
  for (kernel::SweepSpec* spec : {&a, &b}) look_rotations_up(*spec);
  Index const element = element_bytes(program.problem);
  Work together = work_of(a, element);
  Work const other = work_of(b, element);
  together.shared = std::max(together.shared, other.shared);
  together.registers = std::max(together.registers, other.registers);
  a.resident = b.resident = int(std::max<Index>(1, blocks_of(together, together.registers, machine)));
  a.max_resident = b.max_resident = 0;
  return both;
}

std::vector<Lowered> lower_all(Program const& program, Machine const& machine) {
  std::vector<Lowered> all;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    if (!program.sweeps[s].fused) {
      all.push_back(lower(program, s, machine));
      continue;
    }
    auto both = lower_fused(program, s++, machine);
    if (!both)
      throw Error("program: sweep " + std::to_string(s),
                  "is fused with the next, but no blocks of as many threads run both; leave out 'fused'");
    all.push_back(std::move(both->first));
    all.push_back(std::move(both->second));
  }
  return all;
}

}  // namespace skipper
