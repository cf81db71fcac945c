// Measures whole programs whose clusters go on from tile to tile, as many as run at once, against one tile a cluster
// (decision 0040); and that all give the same bits.
//   onward LIST [programs=N] [asking=1] [compile=1]
// where `asking` also has each ask for its own next tile, and `compile` leaves it at filling the cache of kernels.
#include <string>
#include <vector>

#include "bench/gpu/variants.h"
#include "plan/planner.h"

using namespace skipper;
using bench::lowered, bench::Variant;

namespace {

std::vector<Variant> variants_of(cli::Case const& c, int programs, bool asking, Machine const& machine) {
  std::vector<Variant> all;
  int number = 0;
  for (Candidate const& candidate :
       planner(*c.problem, machine, {.clusters = true, .chunks = false, .most = 8})) {
    if (number == programs) break;
    gpu::Prepared const own = lowered(candidate.program, machine);
    all.push_back({own, number, "a tile each"});
    for (bool asks : {false, true}) {
      if (asks && !asking) continue;
      gpu::Prepared other = own;
      bool changed = false;
      for (gpu::PreparedSweep& s : other.sweeps)
        if (s.spec.ranks > 1) {
          changed = s.spec.flow.goes_on = true;
          if (!asks) s.spec.ahead = {};
        }
      if (changed) all.push_back({other, number, asks ? "goes on, asking" : "goes on"});
    }
    ++number;
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) { return bench::measure_list(argc, argv, "onward", "asking", variants_of); }
