// Which programs have their two sweeps in one kernel, and in which tiles.
#include "plan/fused_passes.h"

#include <gtest/gtest.h>

#include "plan/lower/fused_passes.h"
#include "plan/planner.h"
#include "plan/tile.h"

namespace skipper {
namespace {

constexpr Index kb = 1024, mb = 1024 * kb;
Machine const& h200() {
  static Machine const m = machine("h200");
  return m;
}
Program best(char const* problem, char const* on = "h200") {
  return planner(parse_problem(problem), machine(on), {.max_candidates = 1}).front().program;
}
Index tile_bytes(Program const& program, int s) {
  return tile_points(tile_of(program, s)) * element_bytes(program.problem);
}

TEST(FusedPasses, TilesOfBothSweepsAreAlike) {
  Program const line = best("c2c f32 forward 262144 batch 512");
  EXPECT_TRUE(line.sweeps[0].fused);
  EXPECT_EQ(line.sweeps[0].l2_block, 2 * mb);
  EXPECT_EQ(line.sweeps[0].streams, 12);
  for (int s : {0, 1}) EXPECT_EQ(tile_bytes(line, s), 64 * kb);
  Program const long_line = best("c2c f32 forward 1048576 batch 128"),
                plane = best("c2c f32 forward 512x512 batch 512");
  EXPECT_TRUE(long_line.sweeps[0].fused && plane.sweeps[0].fused);
  EXPECT_EQ(long_line.sweeps[0].l2_block, 8 * mb);
  EXPECT_EQ(long_line.sweeps[0].streams, 4);
  for (int s : {0, 1}) EXPECT_EQ(tile_bytes(long_line, s), 128 * kb);
  for (int s : {0, 1}) EXPECT_EQ(tile_bytes(plane, s), 64 * kb);
  Program const cube = best("c2c f32 forward 64x64x64 batch 512");
  EXPECT_TRUE(cube.sweeps[0].fused);
  for (int s : {0, 1}) EXPECT_EQ(tile_bytes(cube, s), 32 * kb);
  for (Program const& program : {line, long_line, plane, cube}) {
    auto const both = lower_fused(program, 0, h200());
    ASSERT_TRUE(both);
    EXPECT_EQ(both->first.spec.threads, both->second.spec.threads);
    EXPECT_GE(both->first.spec.resident * tile_bytes(program, 0), least_in_flight);
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

TEST(FusedPasses, LinesOf4MbHaveHalfLinesAndPlanesOf8MbFourBuffers) {
  Program const line = best("c2c f32 forward 524288 batch 256"),
                plane = best("c2c f32 forward 1024x1024 batch 128");
  for (Program const& program : {line, plane}) {
    EXPECT_TRUE(program.sweeps[0].fused) << text(program);
    for (int s : {0, 1}) EXPECT_EQ(tile_bytes(program, s), 64 * kb) << text(program);
  }
  EXPECT_EQ(8 * write_segment(tile_of(line, 1)), 64) << text(line);
  EXPECT_EQ(line.sweeps[0].streams, 6);
  EXPECT_EQ(plane.sweeps[0].streams, 4);
}

TEST(FusedPasses, LongLinesHaveTheirLastTwoSweepsFused) {
  for (auto const& [problem, unit] : {std::pair("c2c f32 forward 16777216 batch 8", 4 * mb),
                                      {"c2c f32 forward 33554432 batch 4", 4 * mb},
                                      {"c2c f32 forward 67108864 batch 2", 8 * mb}}) {
    Program const program = best(problem);
    ASSERT_EQ(program.sweeps.size(), 3u) << text(program);
    EXPECT_TRUE(program.sweeps[1].fused) << text(program);
    EXPECT_EQ(program.sweeps[1].l2_block, unit) << text(program);
    EXPECT_EQ(program.sweeps[0].layout, program.sweeps[1].layout) << text(program);
    EXPECT_GE(8 * write_segment(tile_of(program, 0)), 2 * kb) << text(program);
    for (int s : {1, 2}) EXPECT_EQ(tile_bytes(program, s), 32 * kb) << text(program);
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

TEST(FusedPasses, PlanesOfRealsAsSolvesHaveThem) {
  for (auto const& [problem, tile] :
       {std::pair("r2c f32 forward 512x512 batch 512 out 1,512/131584", 32 * kb),
        {"r2c f64 forward 512x512 batch 512 out 1,512/131584", 32 * kb},
        {"c2r f32 inverse 512x512 batch 512 in 1,512/131584", 16 * kb},
        {"c2r f64 inverse 512x512 batch 512 in 1,512/131584", 32 * kb}}) {
    Program const program = best(problem);
    ASSERT_TRUE(program.sweeps[0].fused) << text(program);
    EXPECT_EQ(program.sweeps[0].l2_block, 2056 * kb);
    EXPECT_EQ(program.sweeps[0].streams, 12);
    for (int s : {0, 1}) EXPECT_EQ(tile_bytes(program, s), tile) << text(program);
    auto const both = lower_fused(program, 0, h200());
    ASSERT_TRUE(both);
    EXPECT_EQ(both->first.spec.threads, 128) << text(program);
    EXPECT_GE(both->first.spec.resident, 4) << text(program);
  }
}

TEST(FusedPasses, DoublesAndOtherRealsHaveTilesOfTheirOwn) {
  for (auto const& [problem, tile] : {std::pair("c2c f64 forward 131072 batch 512", 32 * kb),
                                      {"c2c f64 forward 262144 batch 256", 64 * kb},
                                      {"c2c f64 forward 512x512 batch 256", 32 * kb},
                                      {"r2c f32 forward 512x512 batch 1024", 64 * kb},
                                      {"c2r f32 inverse 512x512 batch 1024", 32 * kb},
                                      {"r2c f32 forward 64x64x64 batch 1024", 32 * kb},
                                      {"c2r f32 inverse 64x64x64 batch 1024", 32 * kb},
                                      {"r2c f64 forward 512x512 batch 512", 32 * kb},
                                      {"c2r f64 inverse 512x512 batch 512", 32 * kb},
                                      {"c2c f64 forward 256x256 batch 1024", 32 * kb},
                                      {"c2r f32 inverse 1048576 batch 128", 64 * kb},
                                      {"r2c f64 forward 64x64x64 batch 512", 32 * kb},
                                      {"c2r f64 inverse 64x64x64 batch 512", 32 * kb},
                                      {"c2r f32 inverse 262144 batch 1024", 64 * kb},
                                      {"r2c f32 forward 262144 batch 1024", 64 * kb}}) {
    Program const program = best(problem);
    EXPECT_TRUE(program.sweeps[0].fused) << text(program);
    for (int s : {0, 1}) EXPECT_EQ(tile_bytes(program, s), tile) << text(program);
  }
}

TEST(FusedPasses, OnlyWhereItWasMeasured) {
  EXPECT_FALSE(best("c2c f32 forward 262144 batch 16").sweeps[0].fused) << "few L2 blocks";
  EXPECT_FALSE(best("c2c f32 forward 2097152 batch 64").sweeps[0].fused) << "a transform is 16 MB";
  EXPECT_FALSE(best("c2c f32 forward 8388608 batch 16").sweeps[1].fused) << "two sweeps take less";
  EXPECT_FALSE(best("c2c f64 forward 64x64x64 batch 256").sweeps[0].fused);
  EXPECT_FALSE(best("r2c f64 forward 262144 batch 512").sweeps[0].fused);
  EXPECT_FALSE(best("c2c f32 forward 262144 batch 512", "a100").sweeps[0].fused);
}

TEST(FusedPasses, GathersForTheTileThatReads) {
  Program const program = parse_program(
      "c2c f32 forward 1048576 batch 8\n"
      "{X(1024,1024,1024,1048576,tw)} with X2%16 on block in -> work [B X1/16 X2 X1%16]\n"
      "{X(1024,1024,1,1024,no-tw)} with X1%16 on block work -> out");
  Program const even = with_even_tiles(program, 0, 64 * kb);
  for (int s : {0, 1}) EXPECT_EQ(tile_bytes(even, s), 64 * kb);
  EXPECT_NE(text(even).find("[B X1/8 X2 X1%8]"), std::string::npos) << text(even);
  EXPECT_EQ(with_even_tiles(program, 0, 128 * kb), program);
}

TEST(FusedPasses, TilesGrowAlongStoredIndicesAndByPiecesOfOtherDigits) {
  Program const plane = parse_program(
      "r2c f64 forward 512x512 batch 8 out 1,512/131584\n"
      "{X(1,256,1,256,no-tw)} with Y%16 on block in -> work [B X* Y]\n"
      "{Y(1,512,1,512,no-tw)} with X*%2 on block work -> out");
  Program const cube = parse_program(
      "r2c f32 forward 64x64x64 batch 8\n{Z(1,64,1,64,no-tw)} with X on block in -> work [B Z Y X]\n"
      "{X(1,32,1,32,no-tw), Y(1,64,1,64,no-tw)} on block work -> out");
  EXPECT_NE(text(with_even_tiles(plane, 0, 32 * kb)).find("with X*%4 on"), std::string::npos);
  EXPECT_NE(text(with_even_tiles(cube, 0, 32 * kb)).find("with X Y%2 on"), std::string::npos);
  for (Program const& program : {plane, cube})
    for (int s : {0, 1}) EXPECT_EQ(tile_bytes(with_even_tiles(program, 0, 32 * kb), s), 32 * kb);
}

TEST(FusedPasses, IsRefusedWhereItCannotBe) {
  auto const parse = [](char const* l2_block, char const* tier) {
    return parse_program(std::string("c2c f32 forward 64x64 batch 9\n{X(1,64,1,64,no-tw)} with Y%16 on ") +
                         tier + " l2_block " + l2_block +
                         " fused in -> l2_buffer [B Y X]\n"
                         "{Y(1,64,1,64,no-tw)} with X%16 on block l2_buffer -> out");
  };
  EXPECT_TRUE(parse("3x32KB", "block").sweeps[0].fused);
  EXPECT_THROW(parse("2x32KB", "block"), Error);
  EXPECT_THROW(parse("3x32KB", "cluster of 2"), Error);
}

}  // namespace
}  // namespace skipper
