// The mechanisms of GPU programs, each a question to a sweep.
#include <algorithm>

#include "base/kinds.h"
#include "coverage/mechanisms.h"
#include "coverage/problem_mechanisms.h"
#include "gpu/prepare.h"
#include "kernel/queries.h"
#include "plan/l2_block.h"
#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper::coverage {
namespace {

using kernel::SweepSpec;

/// A sweep of a program with its spec.
struct LoweredSweep {
  Program const& program;
  int s;
  SweepSpec const& spec;

  Sweep const& sweep() const { return program.sweeps[std::size_t(s)]; }
  bool uses_l2_blocks() const { return sweep().from == Buffer::l2_buffer || sweep().to == Buffer::l2_buffer; }
  bool any_digit(bool (*holds)(Program const&, DigitKey, Index by)) const {
    return std::any_of(sweep().transforms.begin(), sweep().transforms.end(), [&](DigitKey d) {
      auto const by = program.transformed_by.find(d);
      return by != program.transformed_by.end() && holds(program, d, by->second);
    });
  }
  bool any_step(bool (*holds)(SweepSpec const&, int)) const {
    for (int i = 0; i < spec.steps; ++i)
      if (holds(spec, i)) return true;
    return false;
  }
  bool any_axis_kind(bool (*holds)(AxisKind)) const {
    return std::any_of(sweep().transforms.begin(), sweep().transforms.end(),
                       [&](DigitKey d) { return holds(program.dims[std::size_t(d.dim)].kind); });
  }
};

struct SweepMechanism {
  char const* name;
  bool (*holds)(LoweredSweep const& sweep);
};

constexpr SweepMechanism sweep_mechanisms[] = {
    {"thread tier", [](LoweredSweep const& l) { return l.sweep().tier == Tier::thread; }},
    {"block tier", [](LoweredSweep const& l) { return l.sweep().tier == Tier::block; }},
    {"cluster tier", [](LoweredSweep const& l) { return l.sweep().tier == Tier::cluster; }},
    {"one sweep", [](LoweredSweep const& l) { return l.program.sweeps.size() == 1; }},
    {"two sweeps", [](LoweredSweep const& l) { return l.program.sweeps.size() == 2; }},
    {"three sweeps or more", [](LoweredSweep const& l) { return l.program.sweeps.size() > 2; }},
    {"L2 blocks", [](LoweredSweep const& l) { return l.uses_l2_blocks() && !l.spec.flow.fused; }},
    {"fused passes", [](LoweredSweep const& l) { return l.spec.flow.fused; }},
    {"fused passes, early poll", [](LoweredSweep const& l) { return l.spec.flow.polls_early; }},
    {"fused passes, prefetch",
     [](LoweredSweep const& l) { return l.spec.flow.fused && l.spec.prefetch.distance > 0; }},
    {"prefetch", [](LoweredSweep const& l) { return l.spec.prefetch.distance > 0 && !l.spec.flow.fused; }},
    {"streaming hints",
     [](LoweredSweep const& l) { return l.spec.flow.read_streaming || l.spec.flow.write_streaming; }},
    {"dependent launch", [](LoweredSweep const& l) { return l.spec.flow.dependent && !l.spec.flow.fused; }},
    {"matrix product", [](LoweredSweep const& l) { return l.any_step(kernel::by_its_matrix); }},
    {"symmetric prime DFT, both sums",
     [](LoweredSweep const& l) { return l.any_step(kernel::both_sums_per_warp); }},
    {"symmetric prime DFT, one sum",
     [](LoweredSweep const& l) { return l.any_step(kernel::one_sum_per_warp); }},
    {"Rader on chip, complex",
     [](LoweredSweep const& l) { return kernel::ordered_on_chip(l.spec) && !kernel::real_rader(l.spec); }},
    {"Rader on chip, real", [](LoweredSweep const& l) { return kernel::real_rader(l.spec); }},
    {"Rader in shared memory", [](LoweredSweep const& l) { return kernel::shared_rader(l.spec); }},
    {"Rader across a cluster", [](LoweredSweep const& l) { return kernel::across_cluster(l.spec); }},
    {"Bluestein on chip",
     [](LoweredSweep const& l) {
       return l.any_digit([](Program const& p, DigitKey d, Index by) {
         return by > p.radices[std::size_t(d.dim)][std::size_t(d.part)];
       });
     }},
    {"Bluestein over several sweeps", [](LoweredSweep const& l) { return !l.program.convolved.empty(); }},
    {"Hermitian split by rows",
     [](LoweredSweep const& l) { return l.spec.hermitian.used && !l.spec.hermitian.columns; }},
    {"Hermitian split by columns",
     [](LoweredSweep const& l) { return l.spec.hermitian.used && l.spec.hermitian.columns; }},
    {"Hermitian split before butterflies",
     [](LoweredSweep const& l) { return l.spec.hermitian.used && l.spec.hermitian.before_butterflies; }},
    {"conjugate rows in the grid", [](LoweredSweep const& l) { return kernel::has_grid_conjugates(l.spec); }},
    {"conjugate rows in a cluster",
     [](LoweredSweep const& l) { return kernel::has_rank_conjugates(l.spec); }},
    {"crossed cosines", [](LoweredSweep const& l) { return kernel::crosses(l.spec); }},
    {"Makhoul's order on chip",
     [](LoweredSweep const& l) { return l.spec.pre.makhoul || l.spec.post.makhoul; }},
    {"cosine axis",
     [](LoweredSweep const& l) {
       return l.any_axis_kind([](AxisKind k) { return facts(k).basis == Basis::cosine; });
     }},
    {"sine axis",
     [](LoweredSweep const& l) {
       return l.any_axis_kind([](AxisKind k) { return facts(k).basis == Basis::sine; });
     }},
    {"Hartley axis",
     [](LoweredSweep const& l) {
       return l.any_axis_kind([](AxisKind k) { return facts(k).basis == Basis::cas; });
     }},
    {"complex numbers as reals",
     [](LoweredSweep const& l) { return takes_complex_as_reals(l.program, l.s); }},
    {"packed reals", [](LoweredSweep const& l) { return is_packed_real(l.program); }},
    {"coalesced store", [](LoweredSweep const& l) { return kernel::coalesced(l.spec); }},
    {"16-bit storage",
     [](LoweredSweep const& l) {
       return l.spec.pre.storage != kernel::Storage::full || l.spec.post.storage != kernel::Storage::full;
     }},
    {"twiddles by chain", [](LoweredSweep const& l) { return l.any_step(kernel::by_chain); }},
    {"twiddles by two levels",
     [](LoweredSweep const& l) {
       return l.any_step(
           [](SweepSpec const& s, int i) { return s.step[i].twiddle.kind == kernel::Twiddling::two_level; });
     }},
    {"preloaded twiddles", [](LoweredSweep const& l) { return l.spec.preloads_twiddles; }},
};

bool is_ragged(LoweredSweep const& l) {
  Tile const tile = tile_of(l.program, l.s);
  return std::any_of(tile.carried.begin(), tile.carried.end(), [](Carried const& c) { return c.bound > 0; });
}

/// The last L2 block of a round, or the last round, has fewer indices than the others.
bool has_incomplete_l2_block(LoweredSweep const& l) {
  if (!l.uses_l2_blocks()) return false;
  int const first = first_of_l2_block(l.program, l.s);
  Index const bytes = l.program.sweeps[std::size_t(first)].l2_block;
  auto const block = l2_block_of(l.program, first, bytes, nullptr, sweeps_of_l2_block(l.program, first));
  return block && block->along.size % std::min(bytes / block->unit, block->along.size) != 0;
}

bool has_long_lines_step(LoweredSweep const& l) {
  if (!l.spec.rader.used && !l.spec.hermitian.used) return false;
  if (kernel::lines_step(l.spec) >= kernel::max_steps) return false;  // it has none
  int most = 1;
  for (int i = 0; i < l.spec.steps; ++i) most = std::max(most, kernel::elements_per_thread(l.spec, i));
  return kernel::elements_per_thread(l.spec, kernel::lines_step(l.spec)) > most;
}

bool is_idle(SweepSpec const& s, int i) { return !kernel::all_active(s, i); }

constexpr SweepMechanism awkward[] = {
    {"idle first", [](LoweredSweep const& l) { return is_idle(l.spec, 0); }},
    {"idle middle",
     [](LoweredSweep const& l) {
       for (int i = 1; i + 1 < l.spec.steps; ++i)
         if (is_idle(l.spec, i)) return true;
       return false;
     }},
    {"idle last",
     [](LoweredSweep const& l) { return l.spec.steps > 1 && is_idle(l.spec, l.spec.steps - 1); }},
    {"odd warps", [](LoweredSweep const& l) { return l.spec.threads % 32 != 0; }},
    {"more in lines",  // than in any other step: there arrays are longest
     has_long_lines_step},
    {"ragged", is_ragged},
    {"guards", [](LoweredSweep const& l) { return l.spec.guards > 0 && !is_ragged(l); }},
    {"cut L2 block", has_incomplete_l2_block},
};

}  // namespace

LoweredProgram lowered_program(Problem const& problem, Machine const& machine) {
  PlanOptions options;
  options.max_candidates = 1;
  gpu::Prepared prepared{planner(problem, machine, options).front().program, {}};
  for (Lowered const& low : lower_all(prepared.program, machine))
    prepared.sweeps.push_back({low.spec, low.tiles, {}});
  gpu::set_flow(prepared, machine);
  LoweredProgram result{prepared.program, {}};
  for (gpu::PreparedSweep const& sweep : prepared.sweeps) result.specs.push_back(sweep.spec);
  return result;
}

Uses uses_of(LoweredProgram const& lowered) {
  Uses uses;
  for (ProblemMechanism const& m : problem_mechanisms)
    if (m.holds(lowered.program.problem)) uses.insert({m.name, ""});
  for (std::size_t s = 0; s < lowered.specs.size(); ++s) {
    LoweredSweep const sweep{lowered.program, int(s), lowered.specs[s]};
    for (SweepMechanism const& m : sweep_mechanisms) {
      if (!m.holds(sweep)) continue;
      uses.insert({m.name, ""});
      for (SweepMechanism const& a : awkward)
        if (a.holds(sweep)) uses.insert({m.name, a.name});
    }
  }
  return uses;
}

Vocabulary gpu_vocabulary() {
  Vocabulary v;
  for (SweepMechanism const& m : sweep_mechanisms) v.mechanisms.push_back(m.name);
  for (ProblemMechanism const& m : problem_mechanisms) v.problems.push_back(m.name);
  for (SweepMechanism const& a : awkward) v.with.push_back(a.name);
  return v;
}

}  // namespace skipper::coverage
