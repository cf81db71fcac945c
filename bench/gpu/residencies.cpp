// Measures whole programs at each residency: for each case its best programs, each kernel for as many blocks an SM as lowering
// says, whatever is then in local memory, for at most one block less, and so on down to one. A line says how many bytes of a
// thread are in local memory, kernel by kernel. For fitting harmless_spill (gpu/jit.h): where a line with local memory is
// faster than the next, so much is harmless.
//   residencies LIST [programs=N] [fused=1] [compile=1]
// where `fused` leaves out programs without fused passes, and `compile` leaves it at filling the cache of kernels.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/planner.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

bool is_fused(Program const& program) {
  return std::any_of(program.sweeps.begin(), program.sweeps.end(), [](Sweep const& s) { return s.fused; });
}

std::string residency_text(gpu::Prepared const& prepared) {
  std::string text = "resident";
  for (gpu::PreparedSweep const& s : prepared.sweeps) text += " " + std::to_string(s.spec.resident);
  return text;
}

void add_residencies(Program const& program, int number, Machine const& machine, std::vector<Variant>& all) {
  gpu::Prepared base = lowered(program, machine);
  gpu::set_flow(base, machine);
  base.harmless_spill = std::numeric_limits<int>::max();
  int most = 1;
  for (gpu::PreparedSweep const& s : base.sweeps) most = std::max(most, s.spec.resident);
  for (int resident = most; resident >= 1; --resident) {
    gpu::Prepared prepared = base;
    for (gpu::PreparedSweep& s : prepared.sweeps) s.spec.resident = std::min(s.spec.resident, resident);
    all.push_back({prepared, number, residency_text(prepared)});
  }
}

std::vector<Variant> variants_of(cli::Case const& c, int programs, bool only_fused, Machine const& machine) {
  std::vector<Variant> all;
  int number = 0;
  for (Candidate const& candidate :
       planner(*c.problem, machine, {.clusters = true, .l2_blocks = true, .max_candidates = programs}))
    if (!only_fused || is_fused(candidate.program))
      add_residencies(candidate.program, number++, machine, all);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::measure_list(argc, argv, "residencies", "fused", variants_of);
}
