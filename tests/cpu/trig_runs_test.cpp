// Runs: which entries of a program a single line does by vectors, and that nothing is done twice or left out.
#include "cpu/trig_runs.h"

#include <gtest/gtest.h>

namespace skipper::cpu {
namespace {

TrigProgram program(AxisKind kind, Index n) { return trig_program(kind, n, 0.5, false, true); }

TEST(Runs, CoverTheSecondAndThirdKind) {
  for (AxisKind kind : {AxisKind::dct2, AxisKind::dct3, AxisKind::dst2, AxisKind::dst3})
    for (Index n : {64, 100, 130})
      for (Index lanes : {2, 4, 8})
        for (TrigAction const& action : program(kind, n).actions) {
          if (action.n > 0) continue;
          auto const found = find_run(action, lanes);
          ASSERT_TRUE(found) << n << " " << int(action.op);
          EXPECT_LE(action.count - (found->end - found->begin), lanes + 1) << "most of them";
          if (action.quad) {
            EXPECT_EQ(found->run.count % lanes, 0);
            EXPECT_EQ(found->run.real[0], action.quad(found->begin).real[0]);
            EXPECT_EQ(found->run.up, kind == AxisKind::dct2 || kind == AxisKind::dct3);
          }
        }
}

/// The reals of an even Hartley line are its points, and its outputs run on as those of sines do.
TEST(Runs, CoverHartley) {
  for (Index n : {64, 100, 130}) {
    TrigProgram const p = program(AxisKind::dht, n);
    ASSERT_EQ(p.actions.size(), 3u);
    auto const zip = find_run(p.actions[0], 4), split = find_run(p.actions[2], 4);
    ASSERT_TRUE(zip && split);
    EXPECT_TRUE(zip->copies);
    EXPECT_EQ(zip->end, n / 2);
    EXPECT_FALSE(split->run.up);
    EXPECT_LE(p.actions[2].count - (split->end - split->begin), 5) << "most of them";
  }
  EXPECT_FALSE(find_run(program(AxisKind::dct2, 64).actions[0], 4)->copies);
}

TEST(Runs, KnowTheSignsOfSines) {
  auto const moves = [](AxisKind kind, RowOp op) {
    for (TrigAction const& action : program(kind, 64).actions)
      if (action.op == op && action.n == 0) return find_run(action, 4)->run;
    return RowRun<double>{};
  };
  EXPECT_EQ(moves(AxisKind::dct2, RowOp::zip).factor[1], 1);
  EXPECT_EQ(moves(AxisKind::dst2, RowOp::zip).factor[1], -1);
  EXPECT_EQ(moves(AxisKind::dct3, RowOp::unzip).factor[1], 0.5);
  EXPECT_EQ(moves(AxisKind::dst3, RowOp::unzip).factor[1], -0.5);
}

TEST(Runs, ProcessingOfTheFirstKind) {
  TrigAction const action = program(AxisKind::dct1, 129).actions[0];
  auto const found = find_run(action, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->run.real[1] - found->run.real[0], 128 - 2 * Index(found->begin));
  EXPECT_EQ(found->run.factor[3], -1);
}

TEST(Runs, TurnInTheFourthKind) {
  for (AxisKind kind : {AxisKind::dct4, AxisKind::dst4})
    for (Index n : {64, 100, 130, 2050})
      for (Index lanes : {2, 4, 8})
        for (TrigAction const& action : program(kind, n).actions) {
          if (action.n > 0) continue;
          auto const found = find_run(action, lanes);
          ASSERT_TRUE(found && found->fourth) << n << " " << int(action.op);
          EXPECT_EQ(found->begin, 0);
          EXPECT_EQ(found->end, n / 4 / lanes * lanes) << "and as many partners";
          EXPECT_EQ(found->run.up, kind == AxisKind::dct4 || action.op == RowOp::unzip);
        }
  TrigAction broken = program(AxisKind::dct4, 64).actions[0];
  broken.move = [move = broken.move](Index i) {
    auto m = move(i);
    if (i == 7) m.s[0] = -m.s[0];
    return m;
  };
  EXPECT_FALSE(find_run(broken, 4)) << "one turns by an angle of its own";
}

TEST(Runs, AreNotSeenWhereThereAreNone) {
  TrigAction broken = program(AxisKind::dct2, 64).actions[0];
  ASSERT_TRUE(find_run(broken, 4));
  broken.move = [move = broken.move](Index i) {
    auto m = move(i);
    if (i == 3) std::swap(m.from[0], m.from[1]);
    return m;
  };
  EXPECT_FALSE(find_run(broken, 4));
  TrigAction split = program(AxisKind::dct2, 64).actions.back();
  split.quad = [quad = split.quad](Index i) {
    auto q = quad(i);
    if (i == 5) q.f[2] = 3;
    return q;
  };
  EXPECT_FALSE(find_run(split, 4));
  EXPECT_FALSE(find_run(program(AxisKind::dct4, 65).actions[0], 4)) << "rows depend on remainders modulo 8";
  EXPECT_FALSE(find_run(program(AxisKind::dct2, 16).actions[0], 4)) << "a product";
}

}  // namespace
}  // namespace skipper::cpu
