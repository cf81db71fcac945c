// Programs of drawn problems: whatever the kinds and the layout, each candidate is valid and reads back from its text, also on
// a GPU so small that axes are cut which a larger one holds. SKIPPER_SEED gives other problems.
#include <gtest/gtest.h>

#include <skipper/error.h>

#include "base/kinds.h"
#include "coverage/draw.h"
#include "plan/planner.h"
#include "support/quick.h"

namespace skipper::coverage {
namespace {

Machine small_gpu() {
  Machine m = machine("h200");
  m.name = "small";
  m.shared_block = m.shared_sm = 8192;
  m.shared_reserved = 0;
  m.copy_bandwidth /= 400;
  m.l2_bytes = 131072;
  check(m);
  return m;
}

void expect_read_back(std::vector<Candidate> const& found) {
  for (Candidate const& c : found) {
    SCOPED_TRACE(text(c.program));
    EXPECT_NO_THROW(check(c.program));
    EXPECT_NO_THROW(EXPECT_EQ(parse_program(text(c.program)), c.program));
  }
}

void expect_programs(Machine const& machine, std::uint64_t problems) {
  Sizes const sizes = sizes_for(machine, Index(1) << 22);
  PlanOptions options;
  options.max_candidates = 4;
  std::uint64_t refused = 0;
  for (std::uint64_t i = 0; i < problems; ++i) {
    Problem const problem = drawn(testing::seed_of_run(), i, sizes);
    try {
      expect_read_back(planner(problem, machine, options));
    } catch (Error const&) {
      ++refused;
    }
  }
  EXPECT_LE(refused, problems / 20) << "cosines of complex data beside Fourier axes alone";
}

TEST(Programs, OfDrawnProblemsReadBack) { expect_programs(machine("h200"), testing::quick() ? 80 : 400); }

TEST(Programs, OfDrawnProblemsReadBackOnASmallGpu) {
  expect_programs(small_gpu(), testing::quick() ? 160 : 800);
}

/// Before the sweep that begins a cosine axis there is its stored index, though sweeps after it read parts of its digits.
TEST(Programs, OfCosineAxesThatBeginLaterReadBack) {
  for (char const* problem :
       {"r2r f16 forward 28x4292x9 kinds dst2,dct1,dst4", "r2r f32 forward 4292x9 kinds dct1,dst4"})
    expect_read_back(planner(parse_problem(problem), machine("h200")));
}

/// Such an axis is multiplied by a number, which is part of the scale.
TEST(Programs, OfCosineAxesOfOnePointHaveNoSweepForThem) {
  for (AxisKind kind : real_axis_kinds) {
    if (smallest_size(kind) > 1) continue;
    Problem p = parse_problem("r2r f32 forward 24x1 kinds dct2,dct2 batch 5");
    p.axes[1].kind = kind;
    for (Norm norm : {Norm::none, Norm::ortho}) {
      p.norm = norm;
      Program const program = planner(p, machine("h200")).front().program;
      EXPECT_EQ(program.sweeps.size(), 1u) << text(program);
      EXPECT_EQ(program.sweeps[0].transforms.size(), 1u) << text(program);
    }
  }
}

}  // namespace
}  // namespace skipper::coverage
