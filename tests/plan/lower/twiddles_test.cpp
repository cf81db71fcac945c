// Where twiddles stand: neighbouring threads find theirs next to each other, on the way back of a convolution too.
#include "plan/lower/twiddles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/machine.h"
#include <skipper/problem.h>
#include "kernel/spec.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper {
namespace {

using kernel::Twiddling;

/// The most sectors of 32 bytes that the threads of one warp touch as each reads a factor of step i.
int sectors(kernel::SweepSpec const& spec, int i, Index element) {
  int most = 0;
  for (int first = 0; first < active(spec, i); first += 32) {
    std::set<Index> touched;
    for (int thread = first; thread < std::min(first + 32, active(spec, i)); ++thread) {
      Index column = 0;
      for (int p = 0, rest = thread; p < thread_digits(spec, i); ++p) {
        int const d = digit_at(spec, i, p);
        column += spec.step[i].twiddle.low.tile[d] * (rest % spec.extent[d]);
        rest /= spec.extent[d];
      }
      touched.insert(column * element / 32);
    }
    most = std::max(most, int(touched.size()));
  }
  return most;
}

TEST(Twiddles, OfConvolutionsStandAsTheyAreAssigned) {
  Machine const h200 = machine("h200");
  for (char const* problem : {"c2c f32 forward 2039 batch 65825", "c2c f32 forward 4093 batch 32792",
                              "c2c f32 forward 1747 batch 76827", "c2c f32 forward 65537 batch 2048",
                              "c2c f32 forward 1000003 batch 134", "c2c f64 forward 2039 batch 32912"}) {
    Program const program =
        planner(parse_problem(problem), h200, {.clusters = true, .l2_blocks = true, .max_candidates = 1})
            .front()
            .program;
    Index const element = element_bytes(program.problem);
    int seen = 0;
    for (int s = 0; s < int(program.sweeps.size()); ++s) {
      kernel::SweepSpec const spec = lower(program, s, h200).spec;
      for (int i = 0; i < spec.steps; ++i) {
        Twiddling const kind = spec.step[i].twiddle.kind;
        if (kind != Twiddling::full_table && kind != Twiddling::chain) continue;
        ++seen;
        // A warp that begins amid a sector touches one more.
        EXPECT_LE(sectors(spec, i, element), element + 1) << problem << ", step " << i;
      }
    }
    EXPECT_GT(seen, 0) << problem;
  }
}

}  // namespace
}  // namespace skipper
