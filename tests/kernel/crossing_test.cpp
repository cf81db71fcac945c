// Two cosine axes in one sweep (kernel::CrossedAxis): planned, and by hand, under the emulator with every check.
#include <gtest/gtest.h>

#include "base/machine.h"
#include "plan/planner.h"
#include "support/verify_real.h"

namespace skipper::testing {
namespace {

bool crosses(Program const& program) {
  for (int s = 0; s < int(program.sweeps.size()); ++s)
    if (crossed_axis(program, s)) return true;
  return false;
}

Problem cosines(std::vector<Index> const& shape, Index batch = 1, Precision precision = Precision::f32) {
  return r2r(shape, std::vector<AxisKind>(shape.size(), AxisKind::dct2), batch, precision);
}

Program verified(Problem const& problem, std::uint64_t seed = 3) {
  SCOPED_TRACE(text(problem));
  Machine const m = machine("h200");
  Program const program = planner(problem, m).front().program;
  check(program);
  EXPECT_EQ(parse_program(text(program)), program) << text(program);
  verify_real(program, m, seed);
  return program;
}

TEST(CrossedAxis, PlanesTakeOneSweep) {
  for (auto const& shape : std::vector<std::vector<Index>>{{16, 16}, {15, 8}, {8, 24}, {40, 12}, {32, 32}})
    for (Precision precision : {Precision::f32, Precision::f64}) {
      Program const program = verified(cosines(shape, 5, precision));
      EXPECT_EQ(program.sweeps.size(), 1u) << text(program);
      EXPECT_TRUE(crosses(program)) << text(program);
    }
}

TEST(CrossedAxis, PlanesOfCubes) {
  Program const program = verified(cosines({6, 32, 16}, 2));
  EXPECT_EQ(program.sweeps.size(), 2u) << text(program);
  EXPECT_TRUE(crosses(program)) << text(program);
}

Problem back_from(Problem problem) {
  for (Axis& axis : problem.axes) axis.kind = AxisKind::dct3;
  return problem;
}

TEST(CrossedAxis, BackFromCosines) {
  for (auto const& shape : std::vector<std::vector<Index>>{{16, 16}, {15, 8}, {8, 24}, {40, 12}, {32, 32}})
    for (Precision precision : {Precision::f32, Precision::f64}) {
      Program const program = verified(back_from(cosines(shape, 5, precision)));
      EXPECT_EQ(program.sweeps.size(), 1u) << text(program);
      EXPECT_TRUE(crosses(program)) << text(program);
    }
  EXPECT_TRUE(crosses(verified(back_from(cosines({6, 32, 16}, 2)))));
  EXPECT_TRUE(crosses(verified(in_place(back_from(cosines({16, 12}, 3))))));
  EXPECT_TRUE(crosses(verified(r2r({16, 12}, {AxisKind::dct3, AxisKind::dst3}, 3))));
  EXPECT_FALSE(crosses(verified(r2r({16, 12}, {AxisKind::dct2, AxisKind::dct3}, 3))));
}

TEST(CrossedAxis, WithSinesAlongTheOther) {
  EXPECT_TRUE(crosses(verified(r2r({16, 12}, {AxisKind::dct2, AxisKind::dst2}, 3))));
  EXPECT_FALSE(crosses(verified(r2r({16, 12}, {AxisKind::dst2, AxisKind::dct2}, 3))));
}

TEST(CrossedAxis, InPlaceAndStrided) {
  EXPECT_TRUE(crosses(verified(in_place(cosines({16, 12}, 3)))));
  Problem rows = cosines({16, 12}, 3);  // rows with places between them
  rows.axes[0].in_stride = 14, rows.axes[0].out_stride = 15;
  rows.batch[0].in_stride = 16 * 14, rows.batch[0].out_stride = 16 * 15;
  EXPECT_TRUE(crosses(verified(rows)));
  rows.axes[0].in_stride = 13;  // rows of an odd number of reals are read by gather indices
  EXPECT_TRUE(crosses(verified(rows)));
  Problem back = back_from(cosines({16, 12}, 3));
  back.axes[0].in_stride = 13, back.axes[0].out_stride = 15;
  back.batch[0].in_stride = 16 * 13, back.batch[0].out_stride = 16 * 15;
  EXPECT_TRUE(crosses(verified(back)));
}

TEST(CrossedAxis, TakesOnlyWhatItCan) {
  Problem ortho = cosines({16, 16}, 3);
  ortho.norm = Norm::ortho;
  EXPECT_FALSE(crosses(verified(ortho)));
  EXPECT_FALSE(crosses(planner(cosines({256, 256}, 64), machine("h200")).front().program));  // fits no block
  EXPECT_THROW(parse_program("r2r f32 forward 16x16 kinds dct2,dct2\n  {X(1,8,1,8,no-tw), Y(1,8,1,8,no-tw)} "
                             "on block in -> out\n"),
               Error);
}

/// The 128 x 128 planes of the cubes of issue 5: two sweeps instead of three.
TEST(CrossedAxis, CubesOf128) {
  Program const program = planner(cosines({128, 128, 128}, 64), machine("h200")).front().program;
  EXPECT_EQ(program.sweeps.size(), 2u) << text(program);
  EXPECT_TRUE(crosses(program)) << text(program);
}

}  // namespace
}  // namespace skipper::testing
