// Which pairs of sweeps can share L2 blocks, what an L2 block is, and that programs with impossible L2 blocks are refused.
#include "plan/l2_block.h"

#include <gtest/gtest.h>

#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper::testing {
namespace {

constexpr Index mb = 1024 * 1024;

Program squares(std::string const& problem, std::string const& with = "") {
  return parse_program(problem + "\n{X(1,64,1,64,no-tw)}" + with +
                       " on block in -> work [B Y X]\n"
                       "{Y(1,64,1,64,no-tw)} with X%16 on block work -> out\n");
}

TEST(L2Block, IsARunOfTheSlowestBatchDimension) {
  auto const l2_block = l2_block_of(squares("c2c f32 forward 64x64 batch 9"), 0, mb);
  ASSERT_TRUE(l2_block);
  EXPECT_EQ(l2_block->along.size, 9);
  EXPECT_EQ(l2_block->unit, 64 * 64 * 8);
  EXPECT_EQ(l2_block->along.read, 64 * 64 * 8);
  EXPECT_EQ(l2_block->along.write, 64 * 64 * 8);
}

TEST(L2Block, KnowsTheProblemsOwnStrides) {
  auto const l2_block =
      l2_block_of(squares("c2c f32 forward 64x64 batch 9 in 64,1/5000 out 70,1/4480"), 0, mb);
  ASSERT_TRUE(l2_block);
  EXPECT_EQ(l2_block->unit, 64 * 64 * 8);
  EXPECT_EQ(l2_block->along.read, 5000 * 8);
  EXPECT_EQ(l2_block->along.write, 4480 * 8);
}

std::string const cube =
    "c2c f32 forward 64x64x64 batch 3\n{X(1,64,1,64,no-tw)} on block in -> work [B Z Y X]\n"
    "{Y(1,64,1,64,no-tw)} with X%16 on block work -> out [B Z Y X]\n"
    "{Z(1,64,1,64,no-tw)} with X%16 on block out -> out";
std::string const line =
    "c2c f32 forward 262144 batch 3\n{X(4096,64,4096,262144,tw)} with X3%16 on block in -> work [B X1 X2 "
    "X3]\n"
    "{X(4096,64,64,4096,tw)} with X3%16 on block work -> work2 [B X1/16 X2 X3 X1%16]\n"
    "{X(4096,64,1,64,no-tw)} with X1%16 on block work2 -> out";

TEST(L2Block, IsARunOfPlanesWhereATransformIsTooLarge) {
  Index const plane = 64 * 64 * 8;
  auto const planes = l2_block_of(parse_program(cube), 0, mb);
  ASSERT_TRUE(planes);
  EXPECT_EQ(planes->along, (L2BlockDigit{64, plane, plane}));
  EXPECT_EQ(planes->around, (std::vector<L2BlockDigit>{{3, 64 * plane, 64 * plane}}));
  EXPECT_EQ(planes->unit, plane);
  EXPECT_EQ(planes->all(), 3 * 64);
  auto const cubes = l2_block_of(parse_program(cube), 0, 4 * mb);
  ASSERT_TRUE(cubes);
  EXPECT_TRUE(cubes->around.empty());
  EXPECT_EQ(cubes->along.size, 3);
  EXPECT_FALSE(l2_block_of(parse_program(cube), 1, mb)) << "the third sweep transforms Z";
}

TEST(L2Block, GoesAlongADigitThatIsTransformedAlready) {
  auto const l2_block = l2_block_of(parse_program(line), 1, mb);
  ASSERT_TRUE(l2_block);
  EXPECT_EQ(l2_block->along, (L2BlockDigit{4, 16 * 4096 * 8, 16 * 8}));
  EXPECT_EQ(l2_block->around, (std::vector<L2BlockDigit>{{3, 262144 * 8, 262144 * 8}}));
  EXPECT_FALSE(l2_block_of(parse_program(line), 0, mb)) << "X1 is transformed there";
  EXPECT_TRUE(l2_block_of(parse_program(line), 0, 2 * mb)) << "but whole lines can go";
}

TEST(L2Block, OfRealsCountsWhatStandsBetweenTheSweeps) {
  auto const program = planner(parse_problem("r2c f32 256x512 batch 300"), machine("h200"),
                               {.clusters = false, .l2_blocks = false, .pairs = false})
                           .front()
                           .program;
  ASSERT_EQ(program.sweeps.size(), 2u);
  auto const l2_block = l2_block_of(program, 0, mb);
  ASSERT_TRUE(l2_block) << text(program);
  EXPECT_EQ(l2_block->unit, 256 * 260 * 8) << "rows of whole sectors: " << text(program);
  EXPECT_EQ(l2_block->along.read, 256 * 512 * 4);
}

TEST(L2Block, MayGoAlongADigitThatIsNotTheSlowest) {
  Program program = squares("c2c f32 forward 64x64 batch 9 in 576,1/64 out 64,1/4096");
  auto const l2_block = l2_block_of(program, 0, mb);
  ASSERT_TRUE(l2_block);
  EXPECT_EQ(l2_block->along, (L2BlockDigit{9, 64 * 8, 64 * 64 * 8}));
  EXPECT_FALSE(l2_block->slowest);
  EXPECT_TRUE(l2_block_of(squares("c2c f32 forward 64x64 batch 9"), 0, mb)->slowest);
  program.sweeps[0].l2_block = 3 * 64 * 64 * 8;
  program.sweeps[0].to = program.sweeps[1].from = Buffer::l2_buffer;
  Lowered const first = lower(program, 0, machine("h200"));
  kernel::SweepSpec const& spec = first.spec;
  EXPECT_EQ(spec.read.grid[spec.grids - 1], 64) << "the grid counts it last all the same";
  EXPECT_EQ(spec.grid_extent[spec.grids - 1], 9);
}

TEST(L2Block, IsRefusedWithAReason) {
  std::string reason;
  EXPECT_FALSE(l2_block_of(squares("c2c f32 forward 64x64 batch 9"), 1, mb, &reason));
  EXPECT_NE(reason.find("no sweep after it"), std::string::npos) << reason;
  EXPECT_FALSE(l2_block_of(squares("c2c f32 forward 64x64 batch 9", " with B%3"), 0, mb, &reason));
  EXPECT_NE(reason.find("holds part of the slowest digit"), std::string::npos) << reason;
  EXPECT_FALSE(l2_block_of(squares("c2c f32 forward 64x64 batch 9 in 64,1/0 out 64,1/4096"), 0, mb, &reason))
      << "all read the same";
  Program const alone = parse_program(
      "c2c f32 forward 64x64\n{X(1,64,1,64,no-tw)} on block in -> work [Y X]\n"
      "{Y(1,64,1,64,no-tw)} with X%16 on block work -> out\n");
  EXPECT_FALSE(l2_block_of(alone, 0, mb, &reason));
  EXPECT_NE(reason.find("no slow digits"), std::string::npos) << reason;
}

TEST(L2Block, GoesThroughABufferAndReadsBack) {
  for (char const* placement : {"", " in-place"}) {
    Program program = squares(std::string("c2c f32 forward 64x64 batch 9") + placement);
    program.sweeps[0].l2_block = 3 * 64 * 64 * 8;
    program.sweeps[0].streams = 2;
    assign_buffers(program);
    EXPECT_EQ(program.sweeps[0].to, Buffer::l2_buffer);
    EXPECT_EQ(program.sweeps[1].from, Buffer::l2_buffer);
    EXPECT_EQ(program.sweeps[1].to, Buffer::out);
    EXPECT_NE(text(program).find("l2_block 2x96KB in -> l2_buffer"), std::string::npos) << text(program);
    EXPECT_EQ(parse_program(text(program)), program);
    EXPECT_EQ(l2_buffer_bytes(program), 2 * 3 * 64 * 64 * 8);
    EXPECT_EQ(work_bytes(program), 0);
    program.sweeps[0].streams = 1;
    EXPECT_EQ(parse_program(text(program)), program);
  }
}

TEST(L2Block, OfAConvolutionHasWholeTilesOfItsMiddle) {
  std::string const problem = "c2c f32 forward 127 batch 9\n", ends = " with X2 on block ",
                    there = "{X(16,16,16,256,tw)}" + ends, back = "{X(16,16,16,256,no-tw,back)}" + ends;
  auto const program = [&](std::string const& middle, std::string const& l2_block, std::string const& other) {
    return parse_program(
        problem + there + l2_block + "in -> l2_buffer [B X1 X2]\n{X(16,16,1,16,tw,convolve)} with " + middle +
        " on block " + other + "l2_buffer -> l2_buffer [B X1 X2]\n" + back + "l2_buffer -> out");
  };
  Program const good = program("B%4", "l2_block 2x16KB ", "l2_block 2x16KB ");
  EXPECT_EQ(first_of_l2_block(good, 2), 0);
  EXPECT_EQ(sweeps_of_l2_block(good, 0), 3);
  auto const l2_block = l2_block_of(good, 0, 16 * 1024, nullptr, 3);
  ASSERT_TRUE(l2_block);
  EXPECT_EQ(l2_block->together, 4);
  EXPECT_EQ(l2_block->unit, 256 * 8);
  EXPECT_EQ(l2_block->along.read, 127 * 8);
  EXPECT_EQ(l2_buffer_bytes(good), 2 * 16 * 1024);
  EXPECT_EQ(work_bytes(good), 0);
  EXPECT_THROW(program("B%4", "l2_block 2x12KB ", "l2_block 2x12KB "), Error) << "a tile has 8 KB";
  EXPECT_THROW(program("B%4", "l2_block 2x16KB ", "l2_block 16KB "), Error) << "other L2 blocks";
  EXPECT_THROW(program("B", "l2_block 2x18KB ", "l2_block 2x18KB "), Error) << "nothing is left to count";
}

TEST(L2Block, StaysInPlaceOnlyWhereTransformsKeepToTheirOwnBytes) {
  EXPECT_TRUE(l2_blocks_stay(squares("c2c f32 forward 64x64 batch 9"), 0, mb));
  EXPECT_TRUE(l2_blocks_stay(squares("c2c f32 forward 64x64 batch 9 in 65,1/5000 out 64,1/5000"), 0, mb));
  EXPECT_FALSE(l2_blocks_stay(squares("c2c f32 forward 64x64 batch 9 in 64,1/4096 out 64,1/5000"), 0, mb));
}

void expect_refused(std::string const& first, std::string const& second, std::string const& words) {
  try {
    parse_program("c2c f32 forward 64x64 batch 9\n{X(1,64,1,64,no-tw)} on block " + first +
                  " [B Y X]\n{Y(1,64,1,64,no-tw)} with X%16 on block " + second);
    ADD_FAILURE() << "accepted " << first;
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(L2Block, OfAProgramIsChecked) {
  expect_refused("l2_block 64KB in -> work", "work -> out", "must write l2_buffer");
  expect_refused("in -> l2_buffer", "l2_buffer -> out", "only holds L2 blocks");
  expect_refused("l2_block 40KB in -> l2_buffer", "l2_buffer -> out", "multiples of 32KB");
  expect_refused("l2_block 17x64KB in -> l2_buffer", "l2_buffer -> out", "1 to 16 streams");
  expect_refused("l2_block 64KB in -> l2_buffer", "l2_block 64KB l2_buffer -> out", "must write l2_buffer");
}

}  // namespace
}  // namespace skipper::testing
