// The planner: a pure function from a problem and a machine to ranked programs. It factorises the axes over as few
// sweeps as the tiers allow (Tier in program.h), and over more while these could still win, tries the layouts between them, and
// ranks by the cost model.
#pragma once

#include <vector>

#include "base/machine.h"
#include "plan/program.h"

namespace skipper {

struct Candidate {
  Program program;
  double cost = 0;  // estimated time over that of a device copy of the same bytes ("x copy")
};

struct PlanOptions {
  bool clusters = true;    // use the cluster tier where the machine has it
  bool l2_blocks = true;   // and L2 blocks (l2_block.h)
  int max_candidates = 8;  // candidates to return
  bool pairs = true;       // let the halved axis of r2c come last, of c2r first (is_packed_real)
  bool parts = true;       // give programs of problem_of_parts() where the problem itself has none
};

/// What planning has done, in counts: `extensions`, of partial factorisations by the radices of one axis more
/// (plan/factorisations.h); `placed`, sweeps that were given a tile; `lowered`, sweeps that were lowered. Sweeps of many
/// digits or radix stages count more than once. Planning is bounded by these counts and by no clock, so that a plan is the
/// same every time.
struct PlanningWork {
  Index extensions = 0, placed = 0, lowered = 0;
};
/// About what planning does at the most, all searches together. Where more could be tried, samples are.
inline constexpr Index max_total_extensions = Index(1) << 22, max_placed = 14000, max_lowered = 1000;

/// Best first; never empty. Throws Error where no program of at most max_sweeps sweeps (candidates.h), or of one sweep an
/// axis, fits the machine.
std::vector<Candidate> planner(Problem const& problem, Machine const& machine, PlanOptions options = {});
/// The same, adding what it does to the work.
std::vector<Candidate> planner(Problem const& problem, Machine const& machine, PlanOptions const& options,
                               PlanningWork& work);

/// Chooses tiles, tiers and buffers of a program whose factorisation and layouts are given.
void complete(Program& program, Machine const& machine, PlanOptions options = {});

/// Gives each sweep its buffers, with as little workspace as can be. False, and nothing is given, where it has none: in place a
/// single sweep, or two that go by L2 blocks, must write each tile where it read it.
bool assign_buffers(Program& program);

/// The largest prime that the planner gives to a codelet in every precision, and the largest for elements of so many bytes:
/// longer codelets overflow the registers. What has a larger prime factor is transformed by convolution or by a direct DFT
/// (prime_algorithms.h).
inline constexpr Index largest_common_radix_prime = 31;
constexpr Index largest_radix_prime(Index element_bytes) {
  return element_bytes > 8 ? largest_common_radix_prime : 61;
}

}  // namespace skipper
