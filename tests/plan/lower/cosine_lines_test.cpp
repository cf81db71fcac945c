// What is chosen where several numbers of cosine lines a block were measured in several cuts on an H200
// (bench/results/h200-choices.md).
#include "plan/lower/cosine_lines.h"

#include <gtest/gtest.h>

#include <string>

#include "base/machine.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// "6 lines in 150": of how many lines a block has how many threads.
std::string chosen(std::string const& problem) {
  Machine const m = machine("h200");
  Program const program = planner(parse_problem(problem), m).front().program;
  Tile const tile = tile_of(program, 0);
  Index const lines = tile_points(tile) / tile.transformed.front().points();
  return std::to_string(lines) + " lines in " + std::to_string(lower(program, 0, m).spec.threads);
}

TEST(CosineLines, AsManyABlockAsAreFast) {
  EXPECT_EQ(chosen("r2r f32 forward 500 kinds dct2 batch 268435"), "6 lines in 150");
  EXPECT_EQ(chosen("r2r f32 forward 1000 kinds dct2 batch 134217"), "3 lines in 150");
  EXPECT_EQ(chosen("r2r f32 forward 1000 kinds dct3 batch 134217"), "3 lines in 150");
  EXPECT_EQ(chosen("r2r f32 forward 1500 kinds dct2 batch 89478"), "1 lines in 30");
  EXPECT_EQ(chosen("r2r f32 forward 3000 kinds dct2 batch 44739"), "2 lines in 125");
}

TEST(CosineLines, OthersAreNotSlowed) {
  Machine const m = machine("h200");
  auto const has = [&](std::string const& problem) {
    Program const program = planner(parse_problem(problem), m).front().program;
    return has_cosine_lines(program, tile_of(program, 0), m);
  };
  EXPECT_TRUE(has("r2r f32 forward 1000 kinds dst3 batch 134217"));
  EXPECT_FALSE(has("r2r f32 forward 1024 kinds dct2 batch 131072"));  // a power of two
  EXPECT_FALSE(has("r2r f64 forward 1000 kinds dct2 batch 134217"));
  EXPECT_FALSE(has("r2r f32 forward 1000 kinds dct2 batch 100"));  // within L2
  EXPECT_FALSE(has("r2r f32 forward 100x100 kinds dct2,dct2 batch 13421"));
  EXPECT_FALSE(has("r2c f32 forward 1000 batch 134217"));
}

}  // namespace
}  // namespace skipper
