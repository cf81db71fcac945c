// The cost model against the measurements it stands for (bench/results/h200-choices.md): bounds of the tiers, strided
// sweeps, L2 blocks, and that longer segments never cost more.
#include "plan/cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/planner.h"

namespace skipper::testing {
namespace {

constexpr Index kb = 1024, mb = kb * kb;

Machine const& h200() {
  static Machine const m = machine("h200");
  return m;
}

// Tiers.

TEST(Cost, TiersHoldWhatTheirMemoryHolds) {
  EXPECT_EQ(block_capacity(h200()), 160 * kb) << "five eighths of the registers";
  EXPECT_LE(block_capacity(machine("a100")), machine("a100").shared_block);
  EXPECT_EQ(cluster_capacity(h200()), 2 * mb);
  EXPECT_EQ(cluster_capacity(machine("a100")), 0);
  EXPECT_EQ(cluster_capacity(machine("xeon-avx512")), 0);
  Machine small = h200();
  small.shared_block = 48 * kb;
  EXPECT_LE(block_capacity(small), 48 * kb);
}

TEST(Cost, ATileGoesToTheLeastTierThatHoldsIt) {
  EXPECT_EQ(tier_for(16 * kb, h200()).tier, Tier::block);
  EXPECT_EQ(tier_for(block_capacity(h200()), h200()).tier, Tier::block);
  EXPECT_EQ(tier_for(block_capacity(h200()) + 8, h200()).tier, Tier::cluster);
  EXPECT_EQ(tier_for(cluster_capacity(h200()) + 8, h200()).bound, 0);
  EXPECT_EQ(tier_for(block_capacity(machine("a100")) + 8, machine("a100")).bound, 0);
}

TEST(Cost, BoundsAreThoseMeasured) {
  for (Index bytes : {8 * kb, 16 * kb, 64 * kb})
    EXPECT_NEAR(tier_for(bytes, h200()).bound, 1.04, 0.011) << bytes;
  EXPECT_NEAR(tier_for(128 * kb, h200()).bound, 1.06, 0.031);
  struct Row {
    Index bytes;
    int cluster_ranks;
    double bound;
  };
  for (Row const& row :
       {Row{256 * kb, 4, 1.09}, {512 * kb, 8, 1.16}, {1 * mb, 16, 1.34}, {2 * mb, 16, 2.05}}) {
    TierChoice const choice = tier_for(row.bytes, h200());
    EXPECT_EQ(choice.cluster_ranks, row.cluster_ranks) << row.bytes;
    EXPECT_DOUBLE_EQ(choice.bound, row.bound) << row.bytes;
  }
}

TEST(Cost, LargerTilesNeverCostLessWithinATier) {
  for (Machine const& m : {h200(), machine("a100"), machine("xeon-avx512")}) {
    double last = 0;
    for (Index bytes = 64; bytes <= block_capacity(m); bytes += 4096 - 64) {
      EXPECT_GE(tier_for(bytes, m).bound, last) << m.name << " " << bytes;
      last = tier_for(bytes, m).bound;
    }
    EXPECT_GE(tier_for(64, m).bound, 1.0);
  }
}

// Segments.

TEST(Cost, LongerSegmentsNeverCostMore) {
  for (Machine const& m : {h200(), machine("a100"), machine("xeon-avx512")})
    for (Access const access : {Access::read, Access::write}) {
      double last = INFINITY;
      for (Index bytes = 8; bytes <= 8192; bytes += 8) {
        double const factor = segment_factor(bytes, access, m);
        EXPECT_LE(factor, last) << m.name << " " << bytes;
        EXPECT_GE(factor, 1.0);
        last = factor;
      }
      EXPECT_DOUBLE_EQ(segment_factor(1 * mb, access, m), 1.0) << m.name;
    }
}

TEST(Cost, SegmentsBelowASectorWasteTheRestOfIt) {
  double const whole = segment_factor(32, Access::read, h200());
  EXPECT_DOUBLE_EQ(segment_factor(16, Access::read, h200()), 2 * whole);
  EXPECT_DOUBLE_EQ(segment_factor(8, Access::read, h200()), 4 * whole);
}

/// Lines along the slowest axis of a cube, in tiles of `seg` elements of the fastest one.
double column_cost(Index n, Index seg) {
  std::string const rest = std::to_string(n * n), size = std::to_string(n);
  Program const program = parse_program("c2c f32 forward " + size + " batch " + rest + " in " + rest +
                                        "/1 out " + rest + "/1\n{Y(1," + size + ",1," + size +
                                        ",no-tw)} with X%" + std::to_string(seg) + " on block in -> out");
  return sweep_cost(program, 0, h200());
}

/// Lines along Z together with `rows` of Y, the second sweep of a two-sweep cube.
double rows_cost(Index n, Index rows, Index seg, int cluster_ranks) {
  std::string const plane = std::to_string(n * n), part = std::to_string(n * n / rows),
                    size = std::to_string(n), y = std::to_string(rows);
  Program const program =
      parse_program("c2c f32 forward " + size + "x" + y + " batch " + part + " in " + plane + "," + part +
                    "/1 out " + plane + "," + part + "/1\n{Y(1," + y + ",1," + y + ",no-tw), Z(1," + size +
                    ",1," + size + ",no-tw)} with X%" + std::to_string(seg) + " on cluster of " +
                    std::to_string(cluster_ranks) + " in -> out");
  return sweep_cost(program, 0, h200());
}

/// Near what moving the data alone took.
void expect_close(double modelled, double measured) {
  EXPECT_LE(modelled, measured * 1.05);
  EXPECT_GE(modelled, measured * 0.84);
}

TEST(Cost, StridedSweepsCostAboutWhatWasMeasured) {
  expect_close(column_cost(512, 16), 1.17);
  expect_close(column_cost(512, 32), 1.20);
  expect_close(column_cost(512, 8), 1.36);
  expect_close(column_cost(256, 32), 1.15);
  expect_close(column_cost(256, 16), 1.21);
  expect_close(column_cost(1024, 16), 1.24);
  expect_close(column_cost(1024, 8), 1.48);
}

/// Bounds are data movement alone; with its butterflies a sweep in a cluster costs more.
TEST(Cost, SecondSweepsOfCubesCostNoLessThanTheirBounds) {
  for (auto const& [cost, bound] : {std::pair{rows_cost(512, 4, 16, 4), 1.30},
                                    {rows_cost(512, 8, 8, 4), 1.48},
                                    {rows_cost(512, 8, 16, 8), 1.49},
                                    {rows_cost(256, 8, 16, 4), 1.45},
                                    {rows_cost(1024, 4, 8, 4), 1.46},
                                    {rows_cost(1024, 8, 8, 8), 1.61}}) {
    EXPECT_GE(cost, 0.84 * bound);
    EXPECT_LE(cost, 1.6 * bound);
  }
}

// Programs, against what was measured on an H200, clusters off. Time over a copy of the same bytes.

struct Measured {
  char const* problem;
  double time;
};

TEST(Cost, EstimatesAreNearWhatWasMeasured) {
  for (Measured const& m : {Measured{"16 batch 8388608", 1.07},
                            {"64 batch 2097152", 1.06},
                            {"1024 batch 131072", 1.01},
                            {"8192 batch 16384", 1.02},
                            {"16384 batch 8192", 1.24},
                            {"1048576 batch 128", 2.16},
                            {"4194304 batch 32", 2.82},
                            {"5000 batch 26844", 1.14},
                            {"6561 batch 20457", 1.12},
                            {"100x100 batch 13422", 1.09},
                            {"128x128 batch 8192", 1.26},
                            {"512x512 batch 512", 2.04},
                            {"1000x1000 batch 134", 2.29},
                            {"16x16x16 batch 32768", 1.02},
                            {"64x64x64 batch 512", 2.03},
                            {"100x100x100 batch 134", 2.18},
                            {"128x128x128 batch 64", 2.23},
                            {"256x256x256 batch 8", 2.35},
                            {"512x512x512", 3.36}}) {
    double const estimate = planner(parse_problem("c2c f32 forward " + std::string(m.problem)), h200(),
                                    {.clusters = false, .l2_blocks = false, .max_candidates = 1})
                                .front()
                                .cost;
    EXPECT_NEAR(estimate, m.time, 0.15 * m.time) << m.problem;
  }
  for (Measured const& m : {Measured{"4096 batch 16384", 1.02},
                            {"8192 batch 8192", 1.23},
                            {"1048576 batch 64", 2.32},
                            {"128x128x128 batch 32", 2.11}}) {
    double const estimate = planner(parse_problem("c2c f64 forward " + std::string(m.problem)), h200(),
                                    {.clusters = false, .l2_blocks = false, .max_candidates = 1})
                                .front()
                                .cost;
    EXPECT_NEAR(estimate, m.time, 0.15 * m.time) << m.problem;
  }
}

/// Clusters as measured on noise, cubes of 40^3 and 48^3 by whole lines.
TEST(Cost, EstimatesOfClustersAreNearWhatWasMeasured) {
  for (Measured const& m : {Measured{"32768 batch 4096", 1.35},
                            {"65536 batch 2048", 1.50},
                            {"256x256 batch 2048", 1.45},
                            {"32x32x32 batch 4096", 1.26},
                            {"40x40x40 batch 2097", 1.55},
                            {"48x48x48 batch 1213", 1.66}}) {
    Candidate const best = planner(parse_problem("c2c f32 forward " + std::string(m.problem)), h200(),
                                   {.l2_blocks = false, .max_candidates = 1})
                               .front();
    EXPECT_NEAR(best.cost, m.time, 0.15 * m.time) << text(best.program);
  }
}

TEST(Cost, OfAProgramIsTheSumOfItsSweeps) {
  for (std::vector<Index> const& shape : {std::vector<Index>{4096}, {1 << 20}, {256, 256, 256}, {1 << 27}})
    for (Candidate const& c : planner(c2c(shape), h200(), {.l2_blocks = false})) {
      double sum = 0;
      for (int s = 0; s < int(c.program.sweeps.size()); ++s) {
        EXPECT_GE(sweep_cost(c.program, s, h200()), 0.9)
            << "as a dependent launch it waits for less than a copy does";
        sum += sweep_cost(c.program, s, h200());
      }
      EXPECT_NEAR(program_cost(c.program, h200()), sum, 1e-12);
    }
}

// Two sweeps through L2 blocks of L2.

char const* const l2_blocked =
    "c2c f32 forward 128x128x128 batch 64\n"
    "{X(32,4,32,128,tw), Z(1,128,1,128,no-tw)} with X2 on block in -> out [B Z Y X1 X2]\n"
    "{X(4,32,1,32,no-tw), Y(1,128,1,128,no-tw)} with X1 on block out -> out";

TEST(Cost, L2BlocksAreWholeTransformsAndFitL2) {
  Program const program = parse_program(l2_blocked);
  L2Blocking const c = l2_blocking(program, 0, h200());
  EXPECT_EQ(c.bytes, 128 * 128 * 128 * 8) << "a whole cube of 16 MB";
  EXPECT_EQ(c.streams, 2);
  EXPECT_EQ(l2_blocking(program, 1, h200()).bytes, 0) << "the last sweep has no partner";
  Program const small =
      planner(c2c({64, 64, 64}, 512), h200(), {.l2_blocks = true, .max_candidates = 1}).front().program;
  EXPECT_EQ(small.sweeps[0].l2_block, 2 * mb) << "fused: a cube";
  EXPECT_EQ(small.sweeps[0].streams, 12);
}

TEST(Cost, NoL2BlocksWhereTheyCannotHelp) {
  Program program = parse_program(l2_blocked);
  Machine without = h200();
  without.l2_block = false;
  EXPECT_EQ(l2_blocking(program, 0, without).bytes, 0);
  EXPECT_EQ(l2_blocking(program, 0, machine("a100")).bytes, 0) << "no dependent launches there";
  program.sweeps[1].tier = Tier::cluster;
  EXPECT_EQ(l2_blocking(program, 0, h200()).bytes, 0) << "clusters";
  Program const few = parse_program(
      "c2c f32 forward 64x64x64 batch 60\n{X(1,64,1,64,no-tw), Y(1,64,1,64,no-tw)} on block in -> out [B Z Y "
      "X]\n"
      "{Z(1,64,1,64,no-tw)} with X%16 on block out -> out");
  EXPECT_EQ(l2_blocking(few, 0, h200()).bytes, 0) << "120 MB are too few L2 blocks";
  Program const large = parse_program(
      "c2c f32 forward 2048x2048 batch 32\n{X(1,2048,1,2048,no-tw)} on block in -> out [B Y X]\n"
      "{Y(1,2048,1,2048,no-tw)} with X%4 on block out -> out");
  EXPECT_EQ(l2_blocking(large, 0, h200()).bytes, 0) << "32 MB are too much for L2";
}

TEST(Cost, StreamsAreThoseThatWereBest) {
  auto const first = [](char const* problem) {
    return planner(parse_problem(problem), h200(), {.l2_blocks = true, .max_candidates = 1})
        .front()
        .program.sweeps[0];
  };
  EXPECT_EQ(first("c2c f32 forward 2097152 batch 64").streams, 2) << "blocks that fill an SM each";
  EXPECT_EQ(first("c2c f64 forward 131072 batch 512").streams, 12) << "fused";
}

// Three sweeps.

/// 1024^3, one axis after the other, with Y before Z or after it.
Program cube(bool y_first) {
  std::string const y = "{Y(1,1024,1,1024,no-tw)} with X%16 on block ",
                    z = "{Z(1,1024,1,1024,no-tw)} with X%16 on block ";
  return parse_program(
      "c2c f32 forward 1024x1024x1024\n{X(1,1024,1,1024,no-tw)} with Y%2 on block in -> out " +
      (y_first ? "[Z X/16 Y X%16]\n" + y + "out -> work [Y X/16 Z X%16]\n" + z
               : "[Y X/16 Z X%16]\n" + z + "out -> work [Z X/16 Y X%16]\n" + y) +
      "work -> out");
}

TEST(Cost, SegmentsInManyPagesCostMore) {
  // Writing Z each segment is 8 MB from the next, writing Y 8 KB; the kernel is the same.
  Program const program = cube(false);
  double const far = sweep_cost(program, 1, h200()), near = sweep_cost(program, 2, h200());
  EXPECT_NEAR(far / near, 1.155 / 1.042, 0.03);
  EXPECT_NEAR(near, 1.042, 0.04);
}

TEST(Cost, PlanesOfACubeAreL2Blocks) {
  L2Blocking const c = l2_blocking(cube(true), 0, h200());
  EXPECT_EQ(c.bytes, 8 * mb) << "one plane";
  EXPECT_EQ(c.streams, 4);
  EXPECT_EQ(l2_blocking(cube(true), 1, h200()).bytes, 0)
      << "no digit that Y and Z both leave alone is slow enough";
  Program const real = parse_program(
      "r2c f32 forward 512x512x512\n{X(1,256,1,256,no-tw)} with Y%8 on block in -> work [Z Y X*]\n"
      "{Y(1,512,1,512,no-tw)} with X*%32 on block work -> work2 [Z Y X*]\n"
      "{Z(1,512,1,512,no-tw)} with X*%32 on block work2 -> out");
  EXPECT_EQ(l2_blocking(real, 0, h200()).bytes, 0) << "of real kinds it was slower";
}

TEST(Cost, SegmentsThatPartSectorsCostMore) {
  auto const moves = [](char const* text) {
    Program const program = parse_program(text);
    return movement(program, 0, tile_of(program, 0), h200());
  };
  double const parted = moves(
      "c2c f32 forward 100000000\n{X(250000,400,250000,100000000,tw)} with X3%25 on block in -> out [X1 X2 "
      "X3]\n"
      "{X(250000,400,625,250000,tw)} with X3%25 on block out -> work [X1 X2 X3]\n"
      "{X(160000,625,1,625,no-tw)} with X1%16 on block work -> out");
  double const whole = moves(
      "c2c f32 forward 100000000\n{X(250000,400,250000,100000000,tw)} with X3%20 on block in -> out [X1 X2 "
      "X3]\n"
      "{X(200000,500,500,250000,tw)} with X3%20 on block out -> work [X1 X2 X3]\n"
      "{X(200000,500,1,500,no-tw)} with X1%16 on block work -> out");
  EXPECT_GT(parted, 1.4 * whole) << "rows of 625 numbers begin amid sectors, rows of 500 do not";
}

TEST(Cost, APairInL2BlocksCostsWhatWasMeasured) {
  Program program = parse_program(l2_blocked);
  double const apart = program_cost(program, h200());
  program.sweeps[0].l2_block = l2_blocking(program, 0, h200()).bytes;
  EXPECT_NEAR(program_cost(program, h200()), 0.945 * apart, 1e-9);
}

}  // namespace
}  // namespace skipper::testing
