// What the planner must reach: the number of sweeps for each family of shapes, and that its answer is a valid,
// ranked and repeatable list for every sort of layout, machine and tier.
#include "plan/planner.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <algorithm>
#include <set>

#include "base/numbers.h"
#include "plan/cost.h"
#include "plan/tile.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

constexpr PlanOptions block_tier{.clusters = false, .l2_blocks = false};

int sweeps(std::vector<Index> const& shape, Index batch, Precision precision, PlanOptions options = {}) {
  static Machine const h200 = machine("h200");
  return int(planner(c2c(shape, batch, precision), h200, options).front().program.sweeps.size());
}

class SweepCounts : public ::testing::TestWithParam<Precision> {
 protected:
  Index upto(Index f32, Index f64) const { return GetParam() == Precision::f32 ? f32 : f64; }
};

// H200, natural order, out of place.

TEST_P(SweepCounts, OneForPowersOfTwoThatFitABlock) {
  for (Index n = 2; n <= upto(1 << 14, 1 << 13); n *= quick() ? 8 : 2)
    for (Index batch : {1, 7, 1024}) {
      bool const spread = batch < 132 && n >= upto(4096, 2048);  // alone, on more SMs than one
      EXPECT_LE(sweeps({n}, batch, GetParam()), spread ? 2 : 1) << n << " batch " << batch;
    }
}

/// Of the squares with factors 7, 11 and 13 some fit a block but cannot yet be shared out among its threads (110^2
/// and 121^2; in f64 also 84^2 and 88^2): those may take two. So may 100^2 in f64, which 128 registers a thread just
/// do not hold.
TEST_P(SweepCounts, OneForSquaresThatFitABlock) {
  int awkward = 0, one = 0;
  for (Index n = 2; n <= upto(128, 98); ++n) {
    if (!is_smooth(n, 13) || (quick() && n % 12)) continue;
    for (Index batch : {1, 333}) {
      if (quick() && batch > 1) continue;
      int const count = sweeps({n, n}, batch, GetParam());
      bool const spread = batch == 1 && n >= 40;  // alone, on more SMs than one
      EXPECT_LE(count, is_smooth(n, 5) && !spread ? 1 : 2) << n << "^2 batch " << batch;
      awkward += !is_smooth(n, 5) && !spread;
      one += !is_smooth(n, 5) && !spread && count == 1;
    }
  }
  EXPECT_TRUE(quick() || 3 * one >= 2 * awkward) << "most of the awkward ones reach one sweep too";
}

TEST_P(SweepCounts, OneForCubesThatFitABlock) {
  for (Index n = 4; n <= upto(24, 18); ++n) {
    if (!is_smooth(n, 13) || (quick() && n % 6)) continue;
    for (Index batch : {1, 27, 1000}) {
      if (quick() && batch > 1) continue;
      bool const spread = batch < 132 && n >= 14;  // few, on more SMs than they are
      EXPECT_LE(sweeps({n, n, n}, batch, GetParam()), spread ? 2 : 1) << n << "^3 batch " << batch;
    }
  }
}

TEST_P(SweepCounts, TwoForLongLines) {
  for (Index n = upto(1 << 15, 1 << 14); n <= upto(1 << 20, 1 << 19); n *= quick() ? 32 : 2)
    for (Index batch : {1, 64}) {
      if (quick() && batch > 1) continue;
      EXPECT_EQ(sweeps({n}, batch, GetParam(), block_tier), 2) << n << " batch " << batch;
      EXPECT_LE(sweeps({n}, batch, GetParam()), 2) << n << " batch " << batch;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, SweepCounts, ::testing::Values(Precision::f32, Precision::f64),
                         [](auto const& made) { return std::string(name(made.param)); });

TEST(SweepCount, TwoForCubesWithinTheBlockTier) {
  for (Index batch : {1, 8}) {
    EXPECT_EQ(sweeps({128, 128, 128}, batch, Precision::f32, block_tier), 2);
    if (quick()) return;
    EXPECT_EQ(sweeps({256, 256, 256}, batch, Precision::f32, block_tier), 2);
  }
}

TEST(SweepCount, TwoForTheLargeCubeWithClustersAndThreeWithout) {
  EXPECT_EQ(sweeps({512, 512, 512}, 1, Precision::f32, {.clusters = true, .l2_blocks = false}), 2);
  if (quick()) return;
  EXPECT_EQ(sweeps({512, 512, 512}, 1, Precision::f32), 2);
  EXPECT_EQ(sweeps({512, 512, 512}, 1, Precision::f32, block_tier), 3);
}

/// Natural order in place, digit-reversed, batches, four axes, real and cosine kinds, sizes that are no powers of two.
TEST(SweepCount, TwoForCubesOfEverySort) {
  Machine const h200 = machine("h200");
  auto const count = [&](std::string const& problem) {
    auto const found =
        planner(parse_problem(problem), h200, {.clusters = true, .l2_blocks = false, .max_candidates = 1});
    return int(found.front().program.sweeps.size());
  };
  for (char const* problem :
       {"c2c f32 forward 128x128x128 in-place", "c2c f32 forward 128x128x128 batch 16 in-place reversed",
        "r2r f32 forward 128x128x128 kinds dct2,dct2,dct2", "c2c f32 forward 32x32x32x32",
        "c2c f32 forward 256x256x256 in-place", "c2c f32 inverse 256x256x256 in-place from-reversed",
        "c2c f32 forward 256x256x256 batch 8", "c2c f32 forward 100x100x100 batch 128",
        "c2c f32 forward 120x96x150 in-place", "c2c f32 forward 384x384x384", "c2c f64 forward 128x128x128",
        "r2c f32 forward 256x256x256", "c2r f32 inverse 128x128x128 batch 16", "r2c f32 forward 96x100x120",
        "c2c f32 forward 40x40x40x40 batch 4", "c2c f32 forward 16x24x32x48 in-place",
        "r2r f32 forward 96x100x120 kinds dct3,dct3,dct3"}) {
    EXPECT_EQ(count(problem), 2) << problem;
    if (quick()) break;
  }
}

TEST(SweepCount, OneWithClustersAndTwoAbove) {
  PlanOptions const clusters{.clusters = true, .l2_blocks = false, .max_candidates = 1};
  for (Index n = 1 << 15; n <= 1 << 17; n *= 2)
    EXPECT_EQ(sweeps({n}, (1 << 27) / n, Precision::f32, clusters), 1) << n;
  for (Index n : {160, 192, 256})
    EXPECT_EQ(sweeps({n, n}, (1 << 27) / n / n, Precision::f32, clusters), 1) << n;
  for (Index n : {512, 1024, 2048, 4096})
    EXPECT_EQ(sweeps({n, n}, (1 << 27) / n / n, Precision::f32, clusters), 2) << n;
  if (quick()) return;
  for (Index n = 1 << 18; n <= 1 << 26; n *= 4)
    EXPECT_EQ(sweeps({n}, (1 << 27) / n, Precision::f32, clusters), 2) << n;
}

TEST(SweepCount, AtMostThreeForTheLongestLine) {
  EXPECT_LE(sweeps({1 << 27}, 1, Precision::f32), 3);
  EXPECT_EQ(sweeps({1 << 27}, 1, Precision::f32, block_tier), 3);
}

// The list of candidates.

std::vector<std::string> const varied = {
    "c2c f32 forward 1",
    "c2c f32 forward 1x1 batch 5",
    "c2c f32 forward 2",
    "c2c f32 forward 13 batch 1000003",
    "c2c f32 forward 65536 batch 3",
    "c2c f64 inverse 1000000 scale 1e-06",
    "c2c f32 forward 65536 in-place",
    "c2c f32 forward 65536 reversed",
    "c2c f32 forward 65536 in-place reversed",
    "c2c f32 inverse 65536 in-place from-reversed",
    "c2c f32 forward 200x300x100 in-place",
    "c2c f32 forward 128x128x128 in-place reversed",
    "c2c f32 inverse 512x512 in-place from-reversed",
    "c2c f32 forward 1000x1000 in 1008,1 out 1000,1",
    "c2c f32 forward 300x512 in 514,1 out 514,1 in-place",
    "c2c f32 forward 4096 batch 100 in 100/1 out 100/1",
    "c2c f32 forward 65536 batch 16 in 16/1 out 1/65536",
    "c2c f32 forward 64x32 batch 5x3 in 1,64/6144,2048 out 32,1/6144,2048",
    "c2c f32 forward 360 batch 11x13 in 143/13,1 out 1/360,3960",
    "c2c f32 forward 512x512 batch 4x6 in 4096,6/2097152,1 out 512,1/1572864,262144",
    "c2c f32 forward 1024 batch 8 in 1/0 out 1/1024",
    "c2c f32 forward 65536 in 3 out 2",
    "c2c f64 forward 2x3x4x5x6x7 batch 10",
};

class Candidates : public ::testing::TestWithParam<std::string> {};

TEST_P(Candidates, AreValidRankedAndReadBack) {
  for (std::string const name : {"h200", "a100", "xeon-avx512"}) {
    if (quick() && (name == "xeon-avx512") != takes(GetParam().size(), 2)) continue;
    if (quick() && name == "a100") continue;
    Machine const m = machine(name);
    Problem const problem = parse_problem(GetParam());
    std::vector<Candidate> const found = planner(problem, m);
    ASSERT_FALSE(found.empty());
    EXPECT_LE(found.size(), 8u);
    for (std::size_t i = 0; i < found.size(); ++i) {
      Program const& program = found[i].program;
      EXPECT_NO_THROW(check(program)) << text(program);
      EXPECT_EQ(program.problem, problem);
      EXPECT_EQ(parse_program(text(program)), program) << text(program);
      EXPECT_DOUBLE_EQ(found[i].cost, program_cost(program, m));
      EXPECT_GE(found[i].cost, 0.9 * double(program.sweeps.size()));
      EXPECT_LE(found[i ? i - 1 : 0].cost, found[i].cost + 1e-9) << "not ranked: " << text(program);
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(text(found[j].program), text(program)) << "there twice";
    }
  }
}

TEST_P(Candidates, AreTheSameEveryTime) {
  Problem const problem = parse_problem(GetParam());
  for (std::string const name : {"h200", "xeon-avx512"}) {
    if (quick() && (name != "h200" || problem.axes.size() > 1)) continue;
    if (!takes(std::hash<std::string>()(GetParam()), 3)) continue;
    auto const once = planner(problem, machine(name)), again = planner(problem, machine(name));
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
      EXPECT_EQ(once[i].program, again[i].program);
      EXPECT_EQ(once[i].cost, again[i].cost);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Candidates, ::testing::ValuesIn(varied));

TEST(Planner, ReturnsAsManyCandidatesAsWanted) {
  Problem const problem = c2c({1 << 20});
  auto const eight = planner(problem, machine("h200"));
  EXPECT_EQ(eight.size(), 8u);
  auto const one = planner(problem, machine("h200"), {.max_candidates = 1});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one.front().program, eight.front().program);
}

bool in_place_throughout(Candidate const& c) {
  return std::all_of(c.program.sweeps.begin(), c.program.sweeps.end(),
                     [](Sweep const& s) { return s.to == Buffer::out; });
}

TEST(Planner, CanKeepDigitReversedProblemsInTheirBuffer) {
  for (std::string const shape : {"1048576", "1000000", "512x512x512", "128x128x128", "65536x16"}) {
    if (quick() && shape.find('x') == shape.npos) continue;
    for (std::string const& line : {"c2c f32 forward " + shape + " in-place reversed",
                                    "c2c f32 inverse " + shape + " in-place from-reversed"}) {
      auto const found = planner(parse_problem(line), machine("h200"),
                                 {.clusters = false, .l2_blocks = false, .max_candidates = 64});
      EXPECT_TRUE(std::any_of(found.begin(), found.end(), in_place_throughout)) << line;
    }
  }
}

/// The way back has the radices of the way there, from the last to the first.
void expect_same_digits(std::string const& shape, Machine const& m) {
  Program const there = planner(parse_problem("c2c f32 forward " + shape + " reversed"), m).front().program;
  for (Candidate const& back : planner(parse_problem("c2c f32 inverse " + shape + " from-reversed"), m)) {
    auto radices = back.program.radices;
    for (auto& r : radices) std::reverse(r.begin(), r.end());
    EXPECT_EQ(radices, there.radices) << text(there) << text(back.program);
  }
}

TEST(Planner, ComesBackFromTheDigitsThatItLeft) {
  std::size_t number = 0;
  for (char const* name : {"h200", "a100", "xeon-avx512"}) {
    Machine const m = machine(name);
    for (char const* shape : {"65536", "1000000", "16777216", "360x360 batch 4", "128x128x128", "512x512x512",
                              "100x100x100 batch 4", "16x16x16x16", "243x128"})
      for (char const* placement : {"", " in-place"})
        if ((!*placement || m.cluster > 1) && takes(number++, 7))
          expect_same_digits(std::string(shape) + placement, m);
  }
}

/// Where a batch is nearer than the axes on one side only, dimensions stand in other orders there and back.
TEST(Planner, ComesBackWhereverTheBatchStands) {
  for (char const* text : {"c2c f64 inverse 18x3x1 batch 1x2 in 4,74,222/1,1 out 9,2,6/2,162 from-reversed",
                           "c2c f32 forward 32x64 batch 2 in 128,2/1 out 64,1/2048 from-reversed",
                           "c2c f32 forward 32x64 batch 2 in 64,1/2048 out 128,2/1 from-reversed"})
    for (char const* name : {"h200", "rtx4090", "xeon-avx512"})
      EXPECT_FALSE(planner(parse_problem(text), machine(name)).empty()) << text << " on " << name;
}

// Machines.

TEST(Planner, GivesNoClusterToAMachineWithoutThem) {
  Machine const a100 = machine("a100");
  ASSERT_EQ(a100.cluster, 1);
  for (std::vector<Index> const& shape :
       {std::vector<Index>{1 << 15}, {1 << 20}, {256, 256}, {32, 32, 32}, {512, 512, 512}})
    for (Candidate const& c : planner(c2c(shape), a100))
      for (Sweep const& s : c.program.sweeps) {
        EXPECT_NE(s.tier, Tier::cluster) << text(c.program);
        EXPECT_EQ(s.cluster_ranks, 1) << text(c.program);
      }
}

TEST(Planner, UsesNoTierThatIsSwitchedOff) {
  for (std::vector<Index> const& shape : {std::vector<Index>{1 << 15}, {1 << 24}, {512, 512, 512}})
    for (Candidate const& c : planner(c2c(shape), machine("h200"), block_tier))
      for (Sweep const& s : c.program.sweeps) {
        EXPECT_NE(s.tier, Tier::cluster) << text(c.program);
        EXPECT_EQ(s.l2_block, 0) << text(c.program);
      }
}

TEST(Planner, GivesSmallerTilesToAMachineWithLessSharedMemory) {
  Machine large = machine("a100"), small = large;
  small.name = "small";
  small.shared_block = 48 * 1024;
  for (std::vector<Index> const& shape :
       {std::vector<Index>{1 << 13}, {1 << 20}, {100, 100}, {256, 256, 256}}) {
    auto const most = [&](Machine const& m) {
      Program const program = planner(c2c(shape, 100), m).front().program;  // so many that no tile is spared
      Index bytes = 0;
      for (int s = 0; s < int(program.sweeps.size()); ++s)
        bytes = std::max(bytes, tile_points(tile_of(program, s)) * 8);
      EXPECT_LE(bytes, block_capacity(m)) << text(program);
      return bytes;
    };
    EXPECT_LE(most(small), 48 * 1024);
    EXPECT_GT(most(large), 48 * 1024);
  }
}

TEST(Planner, TakesEveryLength) {
  for (char const* name : {"h200", "a100", "xeon-avx512"})
    for (auto const& [shape, least] : std::vector<std::pair<std::vector<Index>, int>>{{{17}, 1},
                                                                                      {{31 * 29}, 1},
                                                                                      {{37}, 1},
                                                                                      {{64, 1009}, 1},
                                                                                      {{127, 127}, 1},
                                                                                      {{10007}, 1},
                                                                                      {{2 * 4643}, 1},
                                                                                      {{1000003}, 3},
                                                                                      {{16, 1000003}, 3},
                                                                                      {{4, 524287}, 3}}) {
      bool const other = std::string(name) != "h200";
      if (quick() ? other || shape.size() > 1 : other && shape.size() > 1) continue;
      Program const program = planner(c2c(shape, 2), machine(name)).front().program;
      SCOPED_TRACE(text(program));
      EXPECT_NO_THROW(check(program));
      EXPECT_GE(int(program.sweeps.size()), least);
      EXPECT_LE(int(program.sweeps.size()), least + 2);
      EXPECT_EQ(parse_program(text(program)), program);
    }
}

/// Work arrays of a convolution over sweeps are of the padded length, all others as long as the data.
TEST(Planner, SaysHowLongWorkArraysAre) {
  if (!quick()) {
    Program const spread = planner(c2c({1000003}), machine("h200")).front().program;
    EXPECT_GE(work_points(spread), 2 * 1000003 - 1);
    EXPECT_LE(work_points(spread), 2 * 1000003 * 1.1);
  }
  Index const rows = quick() ? 8 : 64;
  EXPECT_EQ(work_points(planner(c2c({1009, rows}), machine("h200")).front().program), 1009 * rows);
}

TEST(Planner, RefusesWhatTheProblemItselfForbids) {
  Problem problem = c2c({64, 64});
  problem.axes[0].out_stride = 1;
  EXPECT_THROW(planner(problem, machine("h200")), Error);
}

TEST(Planner, PrimesTakeTheWayThatCostsLeast) {
  auto const length = [](Index n, Precision precision = Precision::f32, char const* name = "h200") {
    Problem p;
    p.precision = precision;
    p.axes = {{n}};
    p.batch = {{134217728 / n}};
    auto const padded = planner(dense_layout(p), machine(name)).front().program.transformed_by;
    return padded.empty() ? 0 : padded.begin()->second;
  };
  EXPECT_EQ(length(37), 0) << "a codelet";
  EXPECT_EQ(length(151), 150) << "by Rader";
  EXPECT_EQ(length(1009), 1008);
  EXPECT_EQ(length(47), 0) << "46 = 2 x 23, and a codelet takes less than chirps";
  EXPECT_EQ(length(67), 67) << "by halves";
  EXPECT_EQ(length(2 * 47), 47) << "by halves, then 2";
  EXPECT_EQ(length(127), 126);
  EXPECT_EQ(length(59, Precision::f64), 59) << "by its matrix";
  EXPECT_NE(length(59, Precision::f64, "rtx4090"), 59) << "its tensor cores have no double precision";
  EXPECT_EQ(length(509), 1024);
  EXPECT_EQ(length(16381), 16380) << "one block an SM, short of registers, and still less than three sweeps";
  EXPECT_GE(length(10007), 20013);
}

TEST(Planner, SingleCubesThatFillL2GoThroughTheOutput) {
  auto const best = [](char const* problem) {
    return planner(parse_problem(problem), machine("h200")).front().program;
  };
  Program const cube = best("c2c f32 forward 128x128x128");
  ASSERT_EQ(cube.sweeps.size(), 2u);
  EXPECT_TRUE(cube.sweeps[0].to == Buffer::out && cube.sweeps[1].from == Buffer::out);
  EXPECT_EQ(best("c2c f32 forward 64x64x64").sweeps[0].to, Buffer::work) << "L2 holds three arrays";
}

TEST(Planner, CubesTakeAsManyBlocksAsRunFastest) {
  auto const cluster_ranks = [](char const* problem) {
    return planner(parse_problem(problem), machine("h200")).front().program.sweeps[0].cluster_ranks;
  };
  EXPECT_EQ(cluster_ranks("c2c f32 forward 32x32x32 batch 4096"), 8);
  EXPECT_EQ(cluster_ranks("c2c f32 forward 40x40x40 batch 2097"), 10);
  EXPECT_EQ(cluster_ranks("c2c f32 forward 48x48x48 batch 1213"), 16);
}

TEST(Planner, BlocksOfRealPlanesAndCubesLeaveRoomForOthers) {
  auto const cluster_ranks = [](char const* problem) {
    return planner(parse_problem(problem), machine("h200")).front().program.sweeps[0].cluster_ranks;
  };
  EXPECT_EQ(cluster_ranks("r2c f32 forward 256x256 batch 2048"), 8);
  EXPECT_EQ(cluster_ranks("c2r f32 inverse 256x256 batch 2048"), 8);
  EXPECT_EQ(cluster_ranks("r2c f32 forward 40x40x40 batch 2097"), 10) << "lines of 40 points in a thread";
  EXPECT_EQ(cluster_ranks("c2r f32 inverse 40x40x40 batch 2097"), 5);
  EXPECT_EQ(cluster_ranks("r2c f32 forward 48x48x48 batch 1213"), 8) << "ten would be too large";
  EXPECT_EQ(cluster_ranks("c2r f32 inverse 48x48x48 batch 1213"), 8);
  EXPECT_EQ(cluster_ranks("r2c f32 forward 512x256 batch 1024"), 8);
}

}  // namespace
}  // namespace skipper::testing
