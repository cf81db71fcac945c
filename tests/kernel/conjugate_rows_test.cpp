// r2c with its halved axis last and c2r with it first: rows of the grid are Hermitian with their conjugate rows (kernel/conjugate_rows.h). Run
// under the emulator with every check, held to the definitions.
#include <gtest/gtest.h>

#include "base/machine.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"
#include "support/quick.h"
#include "support/verify_real.h"

namespace skipper::testing {
namespace {

Program verify_text(char const* sweeps, Problem const& problem) {
  SCOPED_TRACE(text(problem) + "\n" + sweeps);
  Machine const m = machine("h200");
  Program program;
  try {
    program = parse_program(sweeps, problem);
    check(program);
    EXPECT_TRUE(is_packed_real(program)) << text(program);
    EXPECT_EQ(parse_program(text(program)), program) << text(program);
    verify_real(program, m, 7);
  } catch (Error const& e) {
    ADD_FAILURE() << e.what();
  }
  return program;
}

TEST(ConjugateRows, RowsAreTransformedBefore) {
  char const* const there = "{Y(1,6,1,6,no-tw)}\n{X(1,8,1,8,no-tw)}";
  char const* const back = "{X(1,8,1,8,no-tw)}\n{Y(1,6,1,6,no-tw)}";
  for (Precision precision : {Precision::f32, Precision::f64}) {
    verify_text(there, r2c({6, 16}, 1, precision));
    verify_text(there, r2c({6, 16}, 5, precision));
    verify_text(back, c2r({6, 16}, 1, precision));
    verify_text(back, c2r({6, 16}, 5, precision));
  }
  verify_text(there, in_place(r2c({6, 16}, 3)));
  verify_text(back, in_place(c2r({6, 16}, 3)));
  verify_text("{Y(1,5,1,5,no-tw)}\n{X(1,9,1,9,no-tw)}", r2c({5, 18}, 3));  // an odd number of rows
  verify_text("{X(1,9,1,9,no-tw)}\n{Y(1,5,1,5,no-tw)}", c2r({5, 18}, 3));
}

/// The sweep of the halved axis has the highest digit of another one too, whose lower digits the grid counts.
TEST(ConjugateRows, RowsAreTransformedInPart) {
  verify_text("{Y(4,6,4,24,tw)}\n{X(1,8,1,8,no-tw), Y(6,4,1,4,no-tw)}", r2c({24, 16}, 2));
  verify_text("{X(1,8,1,8,no-tw), Y(6,4,6,24,tw)}\n{Y(4,6,1,6,no-tw)}", c2r({24, 16}, 2));
  verify_text("{Y(5,3,5,15,tw)}\n{X(1,4,1,4,no-tw), Y(3,5,1,5,no-tw)}", r2c({15, 8}, 2));
  verify_text("{X(1,4,1,4,no-tw), Y(3,5,3,15,tw)}\n{Y(5,3,1,3,no-tw)}", c2r({15, 8}, 2));
  verify_text("{Y(6,4,6,24,tw)}\n{Y(12,2,3,6,tw)}\n{X(1,8,1,8,no-tw), Y(8,3,1,3,no-tw)}", r2c({24, 16}, 2));
  verify_text("{X(1,8,1,8,no-tw), Y(8,3,8,24,tw)}\n{Y(12,2,4,8,tw)}\n{Y(6,4,1,4,no-tw)}", c2r({24, 16}, 2));
}

TEST(ConjugateRows, OfThreeAxes) {
  verify_text("{Y(1,4,1,4,no-tw), Z(2,3,2,6,tw)}\n{X(1,6,1,6,no-tw), Z(3,2,1,2,no-tw)}", r2c({6, 4, 12}, 2));
  verify_text("{X(1,6,1,6,no-tw), Z(3,2,3,6,tw)}\n{Y(1,4,1,4,no-tw), Z(2,3,1,3,no-tw)}", c2r({6, 4, 12}, 2));
  verify_text("{Z(1,5,1,5,no-tw)}\n{Y(1,6,1,6,no-tw)}\n{X(1,8,1,8,no-tw)}", r2c({5, 6, 16}, 2));
  verify_text("{X(1,8,1,8,no-tw)}\n{Y(1,6,1,6,no-tw)}\n{Z(1,5,1,5,no-tw)}", c2r({5, 6, 16}, 2));
}

/// Whatever a machine that is short of room plans: other tiles, layouts and factorisations.
TEST(ConjugateRows, AsPlannedForASmallMachine) {
  Machine const large = machine("h200");  // where a Hermitian split's extra elements have room too
  Machine m = large;
  m.shared_block = 1024;
  int found = 0;
  for (Problem const& p : {r2c({12, 40}, 3), c2r({12, 40}, 3), r2c({6, 10, 16}, 2), c2r({6, 10, 16}, 2),
                           r2c({20, 9, 24}), c2r({20, 9, 24}), r2c({48, 64}), c2r({48, 64})})
    for (Candidate const& c : planner(p, m, {.max_candidates = quick() ? 4 : 16})) {
      if (!is_packed_real(c.program)) continue;
      ++found;
      SCOPED_TRACE(text(c.program));
      EXPECT_EQ(parse_program(text(c.program)), c.program);
      verify_real(c.program, large, 3);
    }
  EXPECT_GT(found, 8);
}

TEST(ConjugateRows, WhatPairsCannotBe) {
  Problem odd = r2c({6, 16}, 3);  // rows of an odd number of reals
  odd.axes[0].in_stride = 17, odd.batch[0].in_stride = 6 * 17;
  EXPECT_THROW(parse_program("{Y(1,6,1,6,no-tw)}\n{X(1,8,1,8,no-tw)}", odd), Error);
  EXPECT_THROW(parse_program("{Y(1,6,1,6,no-tw)}\n{X(1,8,1,8,no-tw)} with Y%2", r2c({6, 16})), Error);
}

/// In a cluster a block has rows and their conjugate rows, by the lowest part of an index.
TEST(ConjugateRows, MeetInABlockOfACluster) {
  Machine const m = machine("h200");
  auto const verify_cluster = [&](char const* sweeps, Problem const& problem, int cluster_ranks) {
    SCOPED_TRACE(text(problem) + " in a cluster of " + std::to_string(cluster_ranks));
    try {
      Program program = parse_program(sweeps, problem);
      program.sweeps[0].tier = Tier::cluster;
      program.sweeps[0].cluster_ranks = cluster_ranks;
      EXPECT_EQ(lower(program, 0, m).spec.hermitian.conjugate_rows.cluster_ranks, cluster_ranks);
      verify_real(program, m, 5);
    } catch (Error const& e) {
      ADD_FAILURE() << e.what();
    }
  };
  for (int cluster_ranks : {2, 4}) {
    char const* const plane = "{X(1,16,1,16,no-tw), Y(1,16,1,16,no-tw)}";
    for (Precision precision : {Precision::f32, Precision::f64}) {
      verify_cluster(plane, r2c({16, 32}, 3, precision), cluster_ranks);
      verify_cluster(plane, c2r({16, 32}, 3, precision), cluster_ranks);
    }
    verify_cluster(plane, in_place(r2c({16, 32}, 2)), cluster_ranks);
    verify_cluster(plane, in_place(c2r({16, 32}, 2)), cluster_ranks);
    char const* const uneven = "{X(1,10,1,10,no-tw), Y(1,24,1,24,no-tw)}";
    if (cluster_ranks == 2) verify_cluster(uneven, r2c({24, 20}, 2), cluster_ranks);
    if (cluster_ranks == 2) verify_cluster(uneven, c2r({24, 20}, 2), cluster_ranks);
    char const* const cube = "{X(1,6,1,6,no-tw), Y(1,6,1,6,no-tw), Z(1,8,1,8,no-tw)}";
    verify_cluster(cube, r2c({8, 6, 12}, 2), cluster_ranks);
    verify_cluster(cube, c2r({8, 6, 12}, 2), cluster_ranks);
  }
  // Of a whole line in a thread the lowest part is any that divides it.
  char const* const thirds = "{X(1,6,1,6,no-tw), Y(1,6,1,6,no-tw), Z(1,12,1,12,no-tw)}";
  char const* const fifths = "{X(1,10,1,10,no-tw), Y(1,10,1,10,no-tw), Z(1,20,1,20,no-tw)}";
  verify_cluster(thirds, r2c({12, 6, 12}, 2), 3);
  verify_cluster(thirds, c2r({12, 6, 12}, 2), 3);
  verify_cluster(fifths, r2c({20, 10, 20}), 5);
  verify_cluster(fifths, c2r({20, 10, 20}), 5);
}

/// As they are planned, where radix stages of both axes go before and after the exchange between blocks.
TEST(ConjugateRows, OfPlanesAsPlanned) {
  Machine const m = machine("h200");
  for (Problem p : {c2r({256, 256}, 2048), r2c({256, 256}, 2048),
                    parse_problem("c2r f32 inverse 432x108 batch 671 load 8x40")}) {
    Program program = planner(p, m).front().program;
    EXPECT_EQ(program.sweeps.size(), 1u);
    EXPECT_EQ(program.sweeps[0].tier, Tier::cluster);
    p.batch[0].size = 1;
    std::string const sweeps = text(program);
    verify_real(parse_program(text(p) + sweeps.substr(sweeps.find('\n'))), m, 5);
  }
}

/// Of rows that are padded or cropped, a row may be in memory where its conjugate is not.
TEST(ConjugateRows, ExistApartFromTheirConjugates) {
  Machine const m = machine("h200");
  auto const verify_cluster = [&](std::string const& problem, char const* sweeps, int cluster_ranks) {
    SCOPED_TRACE(problem);
    Program program = parse_program(sweeps, parse_problem(problem));
    program.sweeps[0].tier = Tier::cluster;
    program.sweeps[0].cluster_ranks = cluster_ranks;
    EXPECT_EQ(lower(program, 0, m).spec.hermitian.conjugate_rows.cluster_ranks, cluster_ranks);
    verify_real(program, m, 5);
  };
  for (int cluster_ranks : {2, 4}) {
    char const* const plane = "{X(1,16,1,16,no-tw), Y(1,16,1,16,no-tw)}";
    for (char const* size : {"1x0", "8x10", "11x17"})
      verify_cluster(std::string("c2r f32 inverse 16x32 batch 3 load ") + size, plane, cluster_ranks);
    for (char const* kept : {"0+5x0+0", "3+9x2+7", "15+1x0+17"})
      verify_cluster(std::string("r2c f32 forward 16x32 batch 3 keep ") + kept, plane, cluster_ranks);
  }
  verify_cluster("c2r f32 inverse 12x6x12 load 5x3x4",
                 "{X(1,6,1,6,no-tw), Y(1,6,1,6,no-tw), Z(1,12,1,12,no-tw)}", 3);
  verify_cluster("r2c f32 forward 12x6x12 keep 5+4x1+3x2+4",
                 "{X(1,6,1,6,no-tw), Y(1,6,1,6,no-tw), Z(1,12,1,12,no-tw)}", 3);
}

/// A line that no block holds is Hermitian in a cluster; only where the run of a block begins the partner is in another one.
TEST(ConjugateRows, OfOneLineInACluster) {
  Machine const m = machine("h200");
  auto const verify_line = [&](Problem const& problem, int cluster_ranks) {
    SCOPED_TRACE(text(problem) + " in a cluster of " + std::to_string(cluster_ranks));
    Index const n = problem.axes[0].size / 2;
    std::string const x = "X(1," + std::to_string(n) + ",1," + std::to_string(n) + ",no-tw)";
    try {
      Program program = parse_program("{" + x + "}", problem);
      program.sweeps[0].tier = Tier::cluster;
      program.sweeps[0].cluster_ranks = cluster_ranks;
      auto const conjugate_rows = lower(program, 0, m).spec.hermitian.conjugate_rows;
      EXPECT_EQ(conjugate_rows.cluster_ranks, cluster_ranks);
      EXPECT_GT(conjugate_rows.unit, 1);
      verify_real(program, m, 5);
    } catch (Error const& e) {
      ADD_FAILURE() << e.what();
    }
  };
  for (int cluster_ranks : {2, 4})
    for (Precision precision : {Precision::f32, Precision::f64}) {
      verify_line(r2c({1024}, 3, precision), cluster_ranks);
      verify_line(c2r({1024}, 3, precision), cluster_ranks);
    }
  verify_line(r2c({8192}), 8);
  verify_line(c2r({8192}), 8);
  verify_line(in_place(r2c({4096}, 2)), 4);
  verify_line(in_place(c2r({4096}, 2)), 4);
  verify_line(r2c({2880}), 2);
  verify_line(c2r({2880}), 2);
  Program const large = planner(r2c({65536}, 2048), m).front().program;
  EXPECT_EQ(large.sweeps.size(), 1u);
  EXPECT_EQ(large.sweeps[0].cluster_ranks, 4);
  if (quick()) return;
  for (char const* problem : {"r2c f32 forward 65536 batch 2", "c2r f32 inverse 65536 batch 2"})
    verify_real(parse_program(problem + std::string("\n{X(1,32768,1,32768,no-tw)} on cluster of 4 tile 256KB "
                                                    "in -> out")),
                m, 5);
}

/// Large planes and cubes are taken so, since no other sweep has rows of n/2+1 numbers then.
TEST(ConjugateRows, ArePlannedForLargeProblems) {
  Machine const m = machine("h200");
  for (Problem const& p : {r2c({4096, 4096}, 8), r2c({256, 256, 256}, 8), r2c({1024, 1024, 1024})}) {
    Program const program = planner(p, m).front().program;
    EXPECT_TRUE(is_packed_real(program)) << text(program);
    auto const spec = lower(program, int(program.sweeps.size()) - 1, m).spec;
    EXPECT_TRUE(spec.hermitian.conjugate_rows.used);
  }
  EXPECT_FALSE(is_packed_real(planner(r2c({256, 256}, 8), machine("xeon-avx512")).front().program));
}

}  // namespace
}  // namespace skipper::testing
