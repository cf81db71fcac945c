// Runs: which entries of a program a single line does by vectors, and that nothing is done twice or left out.
#include "cpu/vector_runs.h"

#include <gtest/gtest.h>

namespace skipper::cpu {
namespace {

TrigProgram program(AxisKind kind, Index n) { return trig_program(kind, n, 0.5, false, true); }

TEST(VectorRuns, CoverTheSecondAndThirdKind) {
  for (AxisKind kind : {AxisKind::dct2, AxisKind::dct3, AxisKind::dst2, AxisKind::dst3})
    for (Index n : {64, 100, 130})
      for (Index lanes : {2, 4, 8})
        for (TrigOp const& op : program(kind, n).ops) {
          if (op.n > 0) continue;
          auto const found = find_vector_run(op, lanes);
          ASSERT_TRUE(found) << n << " " << int(op.kind);
          EXPECT_LE(op.count - (found->end - found->begin), lanes + 1) << "most of them";
          if (op.quad) {
            EXPECT_EQ(found->run.count % lanes, 0);
            EXPECT_EQ(found->run.real[0], op.quad(found->begin).real[0]);
            EXPECT_EQ(found->run.up, kind == AxisKind::dct2 || kind == AxisKind::dct3);
          }
        }
}

/// The reals of an even Hartley line are its points, and its outputs run on as those of sines do.
TEST(VectorRuns, CoverHartley) {
  for (Index n : {64, 100, 130}) {
    TrigProgram const p = program(AxisKind::dht, n);
    ASSERT_EQ(p.ops.size(), 3u);
    auto const pack = find_vector_run(p.ops[0], 4), split = find_vector_run(p.ops[2], 4);
    ASSERT_TRUE(pack && split);
    EXPECT_TRUE(pack->copies);
    EXPECT_EQ(pack->end, n / 2);
    EXPECT_FALSE(split->run.up);
    EXPECT_LE(p.ops[2].count - (split->end - split->begin), 5) << "most of them";
  }
  EXPECT_FALSE(find_vector_run(program(AxisKind::dct2, 64).ops[0], 4)->copies);
}

TEST(VectorRuns, KnowTheSignsOfSines) {
  auto const run_of = [](AxisKind kind, RowOp row_op) {
    for (TrigOp const& op : program(kind, 64).ops)
      if (op.kind == row_op && op.n == 0) return find_vector_run(op, 4)->run;
    return VectorRun<double>{};
  };
  EXPECT_EQ(run_of(AxisKind::dct2, RowOp::pack).factor[1], 1);
  EXPECT_EQ(run_of(AxisKind::dst2, RowOp::pack).factor[1], -1);
  EXPECT_EQ(run_of(AxisKind::dct3, RowOp::unpack).factor[1], 0.5);
  EXPECT_EQ(run_of(AxisKind::dst3, RowOp::unpack).factor[1], -0.5);
}

TEST(VectorRuns, ProcessingOfTheFirstKind) {
  TrigOp const op = program(AxisKind::dct1, 129).ops[0];
  auto const found = find_vector_run(op, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run.real[1] - found->run.real[0], 128 - 2 * Index(found->begin));
  EXPECT_EQ(found->run.factor[3], -1);
}

TEST(VectorRuns, TurnInTheFourthKind) {
  for (AxisKind kind : {AxisKind::dct4, AxisKind::dst4})
    for (Index n : {64, 100, 130, 2050})
      for (Index lanes : {2, 4, 8})
        for (TrigOp const& op : program(kind, n).ops) {
          if (op.n > 0) continue;
          auto const found = find_vector_run(op, lanes);
          ASSERT_TRUE(found && found->dct4) << n << " " << int(op.kind);
          EXPECT_EQ(found->begin, 0);
          EXPECT_EQ(found->end, n / 4 / lanes * lanes) << "and as many partners";
          EXPECT_EQ(found->run.up, kind == AxisKind::dct4 || op.kind == RowOp::unpack);
        }
  TrigOp broken = program(AxisKind::dct4, 64).ops[0];
  broken.pair = [pair = broken.pair](Index i) {
    auto m = pair(i);
    if (i == 7) m.s[0] = -m.s[0];
    return m;
  };
  EXPECT_FALSE(find_vector_run(broken, 4)) << "one turns by an angle of its own";
}

TEST(VectorRuns, AreNotSeenWhereThereAreNone) {
  TrigOp broken = program(AxisKind::dct2, 64).ops[0];
  ASSERT_TRUE(find_vector_run(broken, 4));
  broken.pair = [pair = broken.pair](Index i) {
    auto m = pair(i);
    if (i == 3) std::swap(m.from[0], m.from[1]);
    return m;
  };
  EXPECT_FALSE(find_vector_run(broken, 4));
  TrigOp split = program(AxisKind::dct2, 64).ops.back();
  split.quad = [quad = split.quad](Index i) {
    auto q = quad(i);
    if (i == 5) q.f[2] = 3;
    return q;
  };
  EXPECT_FALSE(find_vector_run(split, 4));
  EXPECT_FALSE(find_vector_run(program(AxisKind::dct4, 65).ops[0], 4))
      << "rows depend on remainders modulo 8";
  EXPECT_FALSE(find_vector_run(program(AxisKind::dct2, 16).ops[0], 4)) << "a product";
}

}  // namespace
}  // namespace skipper::cpu
