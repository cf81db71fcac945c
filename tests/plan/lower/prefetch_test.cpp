// L2 prefetch: what is prefetched is what a later tile loads, line for line, and nothing where it cannot help.
#include "plan/lower/prefetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/machine.h"
#include <skipper/problem.h>
#include "kernel/queries.h"
#include "plan/fused_inverse.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper {
namespace {

Lowered lowered(std::string const& problem, int sweep = 0) {
  auto const h200 = machine("h200");
  auto const best =
      planner(parse_problem(problem), h200, {.clusters = true, .l2_blocks = false, .max_candidates = 1});
  return lower(best.front().program, sweep, h200);
}

/// Calls f(place) for each element of a tile, from its first.
template <class F>
void each_element(kernel::SweepSpec const& s, F f, int digit = 0, Index place = 0) {
  if (digit == s.digits) return f(place);
  for (int i = 0; i < s.extent[digit]; ++i) each_element(s, f, digit + 1, place + i * s.read.tile[digit]);
}

std::set<Index> lines_loaded(kernel::SweepSpec const& s) {
  std::set<Index> lines;
  each_element(s, [&](Index place) { lines.insert(place / s.prefetch.piece); });
  return lines;
}
std::set<Index> lines_prefetched(kernel::SweepSpec const& s) {
  std::set<Index> lines;
  auto const pieces = kernel::prefetch_terms(s);
  for (unsigned i = 0; i < unsigned(kernel::prefetch_count(s)); ++i) {
    Index place = 0;
    for (int p = 0; p < pieces.count; ++p) place += i / pieces.span[p] % pieces.extent[p] * pieces.weight[p];
    lines.insert(place / s.prefetch.piece);
  }
  return lines;
}

TEST(Prefetch, PrefetchesWhatTheTileLoads) {
  for (char const* problem : {"c2c f32 forward 16384 batch 8192", "c2c f32 forward 24x24x24 batch 9709",
                              "c2c f64 forward 8192 batch 8192", "c2c f32 forward 65536 batch 2048",
                              "c2c f32 forward 256x256x256 batch 8", "c2c f32 forward 5000 batch 26844",
                              "r2c f32 forward 16384 batch 8192", "c2c f16 forward 8192 batch 32768",
                              "c2c bf16 forward 8192 batch 32768"}) {
    auto const spec = lowered(problem).spec;
    ASSERT_GT(spec.prefetch.distance, 0) << problem;
    EXPECT_EQ(spec.prefetch.piece * (!in_full(spec, kernel::MapName::pre)    ? 4
                                     : std::string(problem).find("f64") == 4 ? 16
                                                                             : 8),
              128)
        << problem;
    EXPECT_EQ(lines_prefetched(spec), lines_loaded(spec)) << problem;
    EXPECT_LE(kernel::prefetch_rounds(spec), kernel::elements_per_thread(spec, 0)) << problem;
  }
}

/// Gather indices read all of their axis, so all of it is prefetched, in lines of reals; and of rows with conjugate
/// rows the rows, to which the kernel adds the conjugate rows.
TEST(Prefetch, PrefetchesRealAxesAndRowsOfConjugateRows) {
  auto const rows = lowered("r2r f32 forward 8192 kinds dct3 batch 16384").spec;
  EXPECT_EQ(rows.prefetch.piece, 32);
  EXPECT_EQ(kernel::prefetch_count(rows), 8192 / 32);
  auto const columns = lowered("r2r f32 forward 128x128x128 kinds dct2,dct2,dct2 batch 64").spec;
  EXPECT_EQ(kernel::prefetch_count(columns), 128 * 64 / 32);
  EXPECT_EQ(lowered("r2r f32 forward 1024 kinds dct3 batch 131072").spec.prefetch.distance, 0);
  auto const conjugate_rows = lowered("r2c f32 forward 256x256x256 batch 8", 1).spec;
  ASSERT_TRUE(conjugate_rows.hermitian.conjugate_rows.used && conjugate_rows.prefetch.distance > 0);
  Index points = 1;
  for (int d = 0; d < conjugate_rows.digits; ++d) points *= conjugate_rows.extent[d];
  EXPECT_EQ(kernel::prefetch_count(conjugate_rows) * 16 * 2, points);
}

TEST(Prefetch, IsMegabytesAway) {
  for (char const* problem : {"c2c f32 forward 16384 batch 8192", "c2c f32 forward 24x24x24 batch 9709",
                              "c2c f32 forward 12x12x12 batch 77672", "c2c f32 forward 65536 batch 2048"}) {
    auto const spec = lowered(problem).spec;
    Index points = 1;
    for (int d = 0; d < spec.digits; ++d) points *= spec.extent[d];
    double const megabytes = double(spec.prefetch.distance * points * 8) / 1e6;
    EXPECT_GT(megabytes, 1.5) << problem;
    EXPECT_LT(megabytes, 6.5) << problem;
  }
}

TEST(Prefetch, ComesFirstWhereABlockIsAlone) {
  EXPECT_TRUE(lowered("c2c f32 forward 16384 batch 8192").spec.prefetch.before_loads);
  EXPECT_TRUE(lowered("c2c f64 forward 8192 batch 8192").spec.prefetch.before_loads);
  EXPECT_FALSE(lowered("c2c f32 forward 65536 batch 2048").spec.prefetch.before_loads);
  EXPECT_FALSE(lowered("c2c f32 forward 128x128x128 batch 64", 1).spec.prefetch.before_loads);
}

TEST(Prefetch, LeavesL2ToTables) {
  for (int sweep : {0, 1, 2})
    EXPECT_EQ(lowered("c2c f32 forward 65539 batch 2048", sweep).spec.prefetch.distance, 0) << sweep;
}

TEST(Prefetch, StaysBesideFactorsThatStayInL2) {
  Problem const there = parse_problem("c2c f32 forward 256x256 batch 2048");
  Problem back = there;
  back.direction = Direction::inverse;
  auto const tiles = [&](Factors factors) {
    return lower(fused_inverses({there, back}, factors, machine("h200")).front().forward, 0, machine("h200"))
        .spec.prefetch.distance;
  };
  EXPECT_GT(tiles(Factors::shared), 0);
  EXPECT_GT(tiles(Factors::symbol), 0);
  EXPECT_EQ(tiles(Factors::each), 0) << "as many as data";
}

TEST(Prefetch, IsOffWhereAllBlocksRunAtOnce) {
  EXPECT_EQ(lowered("c2c f32 forward 16384 batch 132").spec.prefetch.distance, 0);
  EXPECT_EQ(lowered("c2c f32 forward 64x64x64").spec.prefetch.distance, 0);
}

TEST(Prefetch, IsNearerWhereAnSmHoldsManyBlocksOfClusters) {
  Index const three = lowered("c2c f32 forward 256x256 batch 2048").spec.prefetch.distance,
              five = lowered("c2c f32 forward 192x192 batch 3640").spec.prefetch.distance;
  EXPECT_GT(five, 0);
  EXPECT_LT(five, three);
  EXPECT_GT(lowered("r2c f32 forward 256x256 batch 2048").spec.prefetch.distance, 2 * five)
      << "five, Hermitian";
  EXPECT_EQ(lowered("c2c f32 forward 32x32x32 batch 4096").spec.prefetch.distance, 0)
      << "five, in three steps";
}

TEST(Prefetch, IsOffInLargeClustersThatExchangeFirst) {
  EXPECT_EQ(lowered("c2c f32 forward 48x48x48 batch 1213").spec.prefetch.distance, 0);
  EXPECT_GT(lowered("c2c f32 forward 131072 batch 1024").spec.prefetch.distance, 0) << "within blocks first";
  EXPECT_GT(lowered("c2c f32 forward 40x40x40 batch 2097").spec.prefetch.distance, 0) << "ten blocks";
  EXPECT_EQ(lowered("r2c f32 forward 48x48x48 batch 1213").spec.prefetch.distance, 0) << "Hermitian last";
  EXPECT_GT(lowered("c2r f32 inverse 48x48x48 batch 1213").spec.prefetch.distance, 0);
  EXPECT_GT(lowered("r2c f32 forward 65536 batch 2048").spec.prefetch.distance, 0) << "a line";
}

TEST(Prefetch, IsOffForTilesInManyPages) {
  auto const first = [](char const* text) {
    return lower(parse_program(text), 0, machine("h200")).spec.prefetch.distance;
  };
  EXPECT_EQ(first("c2c f32 forward 134217728\n{X(262144,512,262144,134217728,tw)} with X3%32 on block in -> "
                  "out [X1 X2 X3]\n"
                  "{X(262144,512,512,262144,tw)} with X3%16 on block out -> work [X1 X2 X3]\n"
                  "{X(262144,512,1,512,no-tw)} with X1%16 on block work -> out"),
            0)
      << "512 pages of 2 MB";
  EXPECT_GT(first("c2c f32 forward 4096x4096 batch 8\n{Y(4,1024,4,4096,tw)} with X%16 on block in -> work [B "
                  "Y1 Y2 X]\n"
                  "{X(1,4096,1,4096,no-tw), Y(1024,4,1,4,no-tw)} on block work -> out"),
            0)
      << "64 pages";
  EXPECT_EQ(lowered("c2c f32 forward 16777216 batch 8").spec.prefetch.distance, 0)
      << "64 bytes in each of 64 pages";
  EXPECT_GT(lowered("c2c f32 forward 512x512x512").spec.prefetch.distance, 0) << "64 bytes in 16 pages";
  EXPECT_EQ(lowered("c2c f32 forward 33554432 batch 4").spec.prefetch.distance, 0);
}

TEST(Prefetch, IsOffForShortTiles) {
  EXPECT_EQ(lowered("c2c f32 forward 64 batch 2097152").spec.prefetch.distance, 0);
}

}  // namespace
}  // namespace skipper
