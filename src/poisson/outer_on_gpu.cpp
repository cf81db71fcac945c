// See outer_on_gpu.h.
#include "poisson/outer_on_gpu.h"

#include <algorithm>
#include <optional>

#include "gpu/device.h"
#include "plan/l2_block.h"
#include "plan/cost.h"
#include "plan/tile.h"

namespace skipper::poisson {

namespace {

/// Fewer and larger L2 blocks than the planner's four streams, for passes that are not fused. Sizes and numbers of
/// streams are fitted to an H200 (docs/decisions/0038).
void set_lanes(Program& program) {
  bool const three = program.problem.kind == Kind::c2r && program.problem.precision == Precision::f64;
  Index const bytes = Index(three ? 11 : 15) << 20;
  for (std::size_t s = 0; s + 1 < program.sweeps.size(); ++s) {
    auto const l2_block = program.sweeps[s].streams == 4 ? l2_block_of(program, int(s), bytes) : std::nullopt;
    if (!l2_block) continue;
    program.sweeps[s].l2_block = std::min(bytes / l2_block->unit, l2_block->along.size) * l2_block->unit;
    program.sweeps[s].streams = three ? 3 : 2;
  }
}

}  // namespace

Candidate outer_program(Problem const& problem, Machine const& machine) {
  auto const found =
      planner(problem, machine, {.clusters = true, .l2_blocks = true, .max_candidates = 6, .parts = false});
  Candidate best = found.front();
  for (Candidate const& c : found)
    for (std::size_t s = 0; s < c.program.sweeps.size(); ++s)
      for (std::size_t w = 0; w < c.program.sweeps[s].with.size(); ++w) {
        if (c.program.sweeps[0].fused) continue;  // its tiles go together
        Program other = c.program;
        Index& extent = other.sweeps[s].with[w].extent;
        if (extent % 2 != 0 || other.sweeps[s].tier != Tier::block || other.sweeps[s].cluster_ranks > 1)
          continue;
        extent /= 2;
        Index const bytes = tile_points(tile_of(other, int(s))) * element_bytes(problem);
        if (tier_for(bytes, machine).tier != Tier::block) continue;
        if (double const cost = program_cost(other, machine); cost < best.cost) best = {other, cost};
      }
  if (!best.program.sweeps[0].fused) set_lanes(best.program);
  return best;
}

gpu::Transform outer_transform(Problem const& problem, int device, gpu::Options const& options) {
  Machine const machine = gpu::device_machine(device);
  if (!options.load.empty() || in_bytes(problem) < machine.l2_bytes)
    return gpu::Transform(problem, device, options);
  return gpu::Transform(outer_program(problem, machine).program, device, options);
}

gpu::Options without_functions(gpu::Options options) {
  options.load.clear();
  return options;
}

}  // namespace skipper::poisson
