// See runnable.h.
#include "plan/runnable.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan/cost.h"
#include "plan/placing.h"
#include "plan/fused_passes.h"

namespace skipper {

void rank(std::vector<Candidate>& found) {
  std::stable_sort(found.begin(), found.end(), [](Candidate const& a, Candidate const& b) {
    if (std::abs(a.cost - b.cost) > 1e-9) return a.cost < b.cost;
    return a.program.sweeps.size() < b.program.sweeps.size();
  });
}

namespace {

/// Sees to it that kernels can run every sweep, with other tiles where need be. False where they cannot.
bool made_runnable(Candidate& c, Planning const& context) {
  auto const& [machine, options, work, costs] = context;
  if (!finish(c.program, machine, options)) return false;
  if (machine.kind != MachineKind::gpu) return true;
  bool changed = false;
  double cost = 0;
  for (int s = 0; s < int(c.program.sweeps.size()); ++s) {
    auto const runs = costs.lowered(c.program, s);
    cost += runs.value_or(0);
    if (runs) continue;
    if (is_fused(c.program)) return false;
    if (!place_sweep(c.program, s, context, TileRanking::runnable)) return false;
    changed = true;
  }
  if (is_fused(c.program) && !runs_fused(c.program, machine)) return false;
  if (changed && !finish(c.program, machine, options)) return false;
  bool const l2_blocks = std::any_of(c.program.sweeps.begin(), c.program.sweeps.end(),
                                     [](Sweep const& s) { return s.l2_block != 0; });
  c.cost = changed || l2_blocks ? costs.total(c.program) : cost;
  return true;
}

}  // namespace

std::vector<Candidate> runnable(std::vector<Candidate> found, Planning const& context, int most) {
  std::vector<Candidate> kept;
  int tried = 0;  // each try takes milliseconds, so not many more than needed
  Index const before = context.work.lowered, left = std::max<Index>(0, max_lowered - before),
              share = std::max(left / 2, max_lowered / 32);
  for (Candidate& c : found) {
    if (int(kept.size()) >= most || (++tried > 4 * most && !kept.empty())) break;
    if (context.work.lowered - before > share) break;
    bool const runs = made_runnable(c, context);
    bool const known =
        std::any_of(kept.begin(), kept.end(), [&](Candidate const& k) { return k.program == c.program; });
    if (runs && !known) kept.push_back(std::move(c));
  }
  rank(kept);
  return kept;
}

}  // namespace skipper
