#include "trace/fused_sweeps.h"

#include <algorithm>
#include <stdexcept>

#include "plan/l2_block.h"
#include "plan/lower/fused_passes.h"

namespace skipper::testing {

Fused fused(Program const& program, int s, unsigned slots) {
  auto both = lower_fused(program, s, machine("h200"));
  if (!both) throw std::runtime_error("no configurations go together");
  L2Block const l2_block = *l2_block_of(program, s, program.sweeps[std::size_t(s)].l2_block);
  Fused f{program, both->first, both->second, {}};
  for (int i : {0, 1}) {
    f.passes.all[i] = unsigned(i ? f.last.tiles : f.first.tiles);
    f.passes.tiles[i] = unsigned(f.passes.all[i] / l2_block.all());
  }
  f.passes.slots = slots;
  f.passes.lead = std::min(f.passes.all[0], (slots - 1) * f.passes.tiles[0] + 1);
  f.passes.l2_block = f.passes.pitch = l2_block.unit / element_bytes(program.problem);
  f.first.spec.flow = {
      .read_streaming = true, .dependent = true, .overlaps = true, .fused = true, .polls_early = true};
  f.last.spec.flow = {.write_streaming = true, .dependent = true, .fused = true};
  f.last.spec.prefetch = {};
  return f;
}

}  // namespace skipper::testing
