// The order of blocks: runs are completed on both sides, every block is met once, and L2 blocks stay behind one another.
#include "plan/lower/block_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/machine.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper {
namespace {

/// A tile of 16 neighbours by 4, in a grid of `extent` blocks that read and write so many elements apart.
kernel::SweepSpec spec_of(std::vector<std::array<Index, 3>> const& grid) {
  kernel::SweepSpec spec;
  spec.digits = 2;
  spec.extent[0] = 16, spec.extent[1] = 4;
  spec.read.tile[0] = spec.write.tile[0] = 1;
  spec.read.tile[1] = 1 << 20, spec.write.tile[1] = 1 << 21;
  for (auto const& [extent, read, write] : grid) {
    spec.grid_extent[spec.grids] = extent;
    spec.read.grid[spec.grids] = read;
    spec.write.grid[spec.grids++] = write;
  }
  return spec;
}

TEST(BlockOrder, CompletesRunsOnBothSides) {
  // 128 bytes on both sides: 32 blocks complete 4 KB where they read, 32 where they write.
  auto const spec = spec_of({{64, 16, 16384}, {1024, 4096, 16}});
  BlockOrder const expected{{0, 1, 32}, {1, 1, 32}, {0, 32, 2}, {1, 32, 32}};
  EXPECT_EQ(block_order_of(spec, 8, 0), expected);
}

TEST(BlockOrder, GoesOnAlongTheSideWithTheShorterSegments) {
  auto spec = spec_of({{64, 16384, 16384}, {1024, 1048576, 16}});
  spec.read.tile[1] = 16;  // 512 bytes are read in a row, and no neighbours' beside them
  EXPECT_EQ(block_order_of(spec, 8, 0), (BlockOrder{{1, 1, 1024}, {0, 1, 64}}));
}

TEST(BlockOrder, LeavesAGoodOrderAndFixedDigits) {
  auto const good = spec_of({{64, 16, 16}, {32, 4096, 4096}});
  EXPECT_EQ(block_order_of(good, 8, 0), (BlockOrder{{0, 1, 64}, {1, 1, 32}}));
  EXPECT_EQ(reordered(good, block_order_of(good, 8, 0)), good);
  auto const l2_blocks = spec_of({{64, 1024, 1024}, {32, 65536, 16}});
  EXPECT_EQ(block_order_of(l2_blocks, 8, 1), (BlockOrder{{0, 1, 64}, {1, 1, 32}}));
  EXPECT_EQ(block_order_of(l2_blocks, 8, 0), (BlockOrder{{1, 1, 32}, {0, 1, 64}}));
}

/// Where each block reads, writes and twiddles, in order of where it reads.
std::vector<std::array<Index, 3>> places(kernel::SweepSpec const& spec) {
  Index blocks = 1;
  for (int g = 0; g < spec.grids; ++g) blocks *= spec.grid_extent[g];
  std::vector<std::array<Index, 3>> all;
  for (Index b = 0; b < blocks; ++b) {
    std::array<Index, 3> at{};
    Index rest = b;
    for (int g = 0; g < spec.grids; ++g) {
      Index const i = rest % spec.grid_extent[g];
      rest /= spec.grid_extent[g];
      at[0] += i * spec.read.grid[g];
      at[1] += i * spec.write.grid[g];
      for (kernel::Step const& step : spec.step) at[2] += i * step.twiddle.low.grid[g];
    }
    all.push_back(at);
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(BlockOrder, MeetsEveryBlockOnce) {
  auto const spec = spec_of({{12, 16, 4096}, {1024, 192, 16}});
  EXPECT_EQ(places(reordered(spec, block_order_of(spec, 8, 0))), places(spec));
}

TEST(BlockOrder, OfALongLineNeighboursWriteSideBySide) {
  Machine const m = machine("h200");
  Program const program = parse_program(
      "c2c f32 forward 134217728\n"
      "{X(262144,512,262144,134217728,tw)} with X3%32 on block tile 128KB segments 256B/128B in -> out [X1 "
      "X3/16 "
      "X2 X3%16]\n"
      "{X(262144,512,512,262144,tw)} with X3%16 on block tile 64KB segments 64KB/128B out -> work [X1 X2 "
      "X3]\n"
      "{X(262144,512,1,512,no-tw)} with X1%16 on block tile 64KB segments 4KB/128B work -> out\n");
  auto const last = lower(program, 2, m).spec;
  EXPECT_EQ(last.write.grid[0], 16);
  EXPECT_EQ(last.grid_extent[0], 32);
  auto const first = lower(program, 0, m).spec;  // short on both sides
  EXPECT_EQ(first.write.grid[0], 16);
  EXPECT_EQ(first.read.grid[1], 32);
}

}  // namespace
}  // namespace skipper
