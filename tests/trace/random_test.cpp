// Random problems of every kind, the plans of the H200: what is traced of their kernels gives in the interpreter what their text
// gives in the emulator. SKIPPER_SEED repeats a run.
#include <gtest/gtest.h>

#include <iostream>

#include "coverage/draw.h"
#include "plan/fused_inverse.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "trace/both.h"

namespace skipper::testing {
namespace {

/// All sweeps of a program; how many there are.
int expect_same(Program const& program, std::uint64_t seed) {
  Machine const h200 = machine("h200");
  int sweeps = 0;
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    SCOPED_TRACE(text(program) + ", sweep " + std::to_string(s + 1));
    ++sweeps;
    try {
      EXPECT_EQ(difference(lowered_sweep(program, s, h200), seed), "");
    } catch (std::exception const& error) {
      ADD_FAILURE() << error.what();
    }
  }
  return sweeps;
}

Program planned(Problem const& problem) { return planner(problem, machine("h200")).front().program; }

TEST(TracedPrograms, OfRandomProblemsGiveTheEmulatorsBits) {
  coverage::Sizes const sizes = coverage::sizes_for(machine("h200"), Index(1) << 22);
  int const problems = thorough() ? 2000 : quick() ? 24 : 300;
  int sweeps = 0;
  for (int i = 0; i < problems; ++i) {
    std::uint64_t const number = std::uint64_t(i);
    Problem const problem = coverage::drawn(seed_of_run(), number, sizes);
    SCOPED_TRACE(text(problem));
    try {
      sweeps += expect_same(planned(problem), number);
    } catch (Error const& refused) {
      continue;
    }
  }
  std::cout << sweeps << " sweeps of " << problems << " problems\n";
  EXPECT_GE(sweeps, problems);
}

TEST(TracedPrograms, WithExponentsOfConjugateRowsGiveTheEmulatorsBits) {
  expect_same(planned(parse_problem("c2r f64 inverse 320x2x14 batch 29")), 1);
}

TEST(TracedPrograms, OfRealLinesInClustersGiveTheEmulatorsBits) {
  for (char const* problem :
       {"r2c f32 forward 4608 batch 2 keep 100+1900", "c2r f32 inverse 4608 batch 2 in 2/4700 norm ortho",
        "r2r f32 forward 4608 kinds dct2 batch 2", "r2r f64 forward 4608 kinds dst3 batch 2 load 1100"})
    expect_same(parse_program(problem + std::string("\n{X(1,2304,1,2304,no-tw)} on cluster of 4 in -> out")),
                1);
}

TEST(TracedPrograms, OfSixteenBitStorageGiveTheEmulatorsBits) {
  for (char const* text :
       {"c2c f16 forward 256x256 batch 10", "r2c bf16 forward 1000 batch 10", "c2r f16 inverse 1000 batch 10",
        "c2r bf16 inverse 63 batch 3", "r2r f16 forward 45 kinds dst2 batch 108", "c2c bf16 inverse 1009"})
    expect_same(planned(parse_problem(text)), 1);
}

TEST(TracedPrograms, OfFusedInversesGiveTheEmulatorsBits) {
  Machine const h200 = machine("h200");
  for (Factors factors : {Factors::shared, Factors::symbol})
    for (char const* problem :
         {"c2c f32 forward 60", "r2c f32 forward 30 batch 8", "r2c f64 forward 20x24x30",
          "r2c f32 forward 8x6x10 kinds dct2,fourier,fourier", "r2c f32 forward 90x128"}) {
      Problem const there = parse_problem(problem);
      Problem back = there;
      back.direction = Direction::inverse;
      if (back.kind == Kind::r2c) back.kind = Kind::c2r;
      for (Axis& axis : back.axes)
        if (axis.kind == AxisKind::dct2) axis.kind = AxisKind::dct3;
      if (factors != Factors::symbol && there.axes[0].kind != AxisKind::fourier) continue;
      FusedInverse const fused_inverse = fused_inverses({there, dense_layout(back)}, factors, h200).front();
      SCOPED_TRACE(text(fused_inverse));
      int const last = int(fused_inverse.forward.sweeps.size()) - 1;
      LoweredSweep sweep = lowered_sweep(fused_inverse.forward, last, h200);
      sweep.factors_bytes = 4 * sweep.in_bytes;
      sweep.out_bytes = 4 * std::max(sweep.in_bytes, sweep.out_bytes);
      EXPECT_EQ(difference(sweep, 7), "");
    }
}

}  // namespace
}  // namespace skipper::testing
