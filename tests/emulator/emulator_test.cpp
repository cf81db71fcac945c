// Bugs planted on purpose, each of which the emulator must find, and access patterns whose cost is known by
// hand.
#include "emulator/emulator.h"

#include <gtest/gtest.h>
#include <cmath>
#include <string>
#include <vector>

namespace skipper::emulator {
namespace {

using Number = kernel::Complex<float>;
using Double = kernel::Complex<double>;

/// The message of the error that running the body brings, or "" when none.
std::string complaint(Grid const& grid, Body const& body, std::vector<Array> arrays = {},
                      Checks checks = {}) {
  try {
    run_grid(grid, checks, body, std::move(arrays));
  } catch (EmulationError const& error) {
    return error.what();
  }
  return "";
}

::testing::AssertionResult says(std::string const& message, std::string const& part) {
  if (message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << message << "\" lacks \"" << part << "\"";
}

/// Each thread hands its element to its neighbour through shared memory.
void pass_on(EmulatedBlock& block, int threads, bool barrier) {
  block.put(block.thread(), Number{float(block.thread()), 0});
  if (barrier) block.sync();
  auto const x = block.take<float>((block.thread() + threads - 1) % threads);
  if (barrier && x.re != float((block.thread() + threads - 1) % threads))
    throw std::logic_error("wrong element");
}

TEST(Emulator, BarrierOrders) {
  Grid const grid{3, 1, 64, 64};
  auto const counts = run_grid(grid, Checks::all(), [](EmulatedBlock& block) { pass_on(block, 64, true); });
  EXPECT_EQ(counts.barriers, 3);
  EXPECT_EQ(counts.shared_reads, 3 * 64);
  EXPECT_EQ(counts.shared_writes, 3 * 64);
  EXPECT_EQ(counts.conflicts, 0);
}

TEST(Emulator, MissingBarrierIsARace) {
  Grid const grid{1, 1, 64, 64};
  Checks only_races = Checks::none();
  only_races.races = true;
  auto const body = [](EmulatedBlock& block) { pass_on(block, 64, false); };
  EXPECT_TRUE(says(complaint(grid, body, {}, only_races), "race: read of shared memory at offset 0"));
}

TEST(Emulator, WriteAfterReadIsARace) {
  auto const body = [](EmulatedBlock& block) {
    if (block.thread() == 0) block.put(0, Number{});
    block.sync();
    (void)block.take<float>(0);
    if (block.thread() == 5) block.put(0, Number{});
  };
  EXPECT_TRUE(
      says(complaint({1, 1, 8, 1}, body), "thread 5 of rank 0, tile 0: race: write of shared memory"));
}

TEST(Emulator, AWarpsBarrierOrdersItsOwnThreadsOnly) {
  auto const across = [](EmulatedBlock& block) {
    block.put(block.thread(), Number{});
    block.sync_warp();
    (void)block.take<float>((block.thread() + 32) % 64);
  };
  Checks only_races = Checks::none();
  only_races.races = true;
  Grid const grid{1, 1, 64, 64};
  auto const within = [](EmulatedBlock& block) {
    block.put(block.thread(), Number{});
    block.sync_warp();
    (void)block.take<float>(block.thread() ^ 5);
    block.sync_warp();
    block.put(block.thread() ^ 9, Number{});
  };
  EXPECT_EQ(complaint(grid, within), "");
  EXPECT_TRUE(says(complaint(grid, across, {}, only_races), "race: write of shared memory"));
  EXPECT_TRUE(says(complaint({1, 1, 48, 48}, within), "only 16 threads"));
  auto const some = [](EmulatedBlock& block) {
    if (block.thread() < 7) block.sync_warp();
  };
  EXPECT_TRUE(says(complaint({1, 1, 32, 1}, some), "waits for its warp"));
}

/// Lanes of two warps hold matrices as kernel/block.h says; each sum must be that of its row and column.
TEST(Emulator, WarpsMultiplyMatrices) {
  constexpr int blocks = 4;  // of four columns of the left, rows of the right
  auto const left = [](int w, int row, int column) { return double(w + 3 * row - 2 * column); };
  auto const right = [](int w, int row, int column) { return double(1 + w * row + column); };
  int wrong = 0;
  run_grid({1, 1, 64, 0}, Checks::all(), [&](EmulatedBlock& block) {
    int const w = block.thread() / 32, g = block.thread() % 32 / 4, t = block.thread() % 4;
    double a[2 * blocks], b[blocks], sums[4] = {1, 2, 3, 4};
    for (int i = 0; i < blocks; ++i) {
      for (int h = 0; h < 2; ++h) a[2 * i + h] = left(w, g + 8 * h, 4 * i + t);
      b[i] = right(w, 4 * i + t, g);
    }
    block.multiply_add<blocks>(sums, a, b);
    for (int h = 0; h < 2; ++h)
      for (int e = 0; e < 2; ++e) {
        double expected = 1 + 2 * h + e;
        for (int j = 0; j < 4 * blocks; ++j) expected += left(w, g + 8 * h, j) * right(w, j, 2 * t + e);
        wrong += sums[2 * h + e] != expected;
      }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Emulator, OffByOneInSharedMemory) {
  auto const write = [](EmulatedBlock& block) { block.put(block.thread() + 1, Number{}); };
  EXPECT_EQ(complaint({2, 1, 8, 8}, write),
            "thread 7 of rank 0, tile 0: shared write at offset 8 of 8 elements");
  auto const read = [](EmulatedBlock& block) { (void)block.take<double>(block.thread() - 1); };
  EXPECT_EQ(complaint({1, 1, 8, 8}, read),
            "thread 0 of rank 0, tile 0: shared read at offset -1 of 8 elements");
}

TEST(Emulator, OffByOneInGlobalMemory) {
  std::vector<Number> in(16), out(16), roots(4);
  std::vector<Array> const arrays{loadable(in.data(), 16), storable(out.data(), 16),
                                  root_table(roots.data(), 4)};
  Grid const grid{2, 1, 8, 0};
  auto const at = [](EmulatedBlock& block) { return block.tile() * 8 + block.thread(); };
  auto const right = [&](EmulatedBlock& b) { b.store(out.data(), at(b), b.load(in.data(), at(b))); };
  EXPECT_EQ(complaint(grid, right, arrays), "");
  auto const load = [&](EmulatedBlock& b) { (void)b.load(in.data(), at(b) + 1); };
  EXPECT_EQ(complaint(grid, load, arrays),
            "thread 7 of rank 0, tile 1: global load at offset 16 of an array of 16 elements");
  auto const store = [&](EmulatedBlock& b) { b.store(out.data(), at(b) - 1, Number{}); };
  EXPECT_EQ(complaint(grid, store, arrays),
            "thread 0 of rank 0, tile 0: global store at offset -1 of an array of 16 elements");
  auto const root = [&](EmulatedBlock& b) { (void)b.root(roots.data(), b.thread()); };
  EXPECT_TRUE(says(complaint(grid, root, arrays), "global root load at offset 4 of an array of 4 elements"));
  auto const stray = [&](EmulatedBlock& b) { b.store(in.data(), 0, Number{}); };
  EXPECT_TRUE(says(complaint(grid, stray, arrays), "an array unknown to this launch"));
}

TEST(Emulator, ReadOfUnwrittenSharedMemory) {
  auto const body = [](EmulatedBlock& block) {
    if (block.tile() == 0 || block.thread() < 7) block.put(block.thread(), Double{});
    block.sync();
    (void)block.take<double>(7 - block.thread());
  };
  EXPECT_EQ(complaint({1, 1, 8, 8}, body), "");
  EXPECT_EQ(complaint({2, 1, 8, 8}, body),
            "thread 0 of rank 0, tile 1: read of shared memory nobody wrote, at offset 7");
}

TEST(Emulator, UnwrittenSharedMemoryIsNotANumber) {
  run_grid({1, 1, 1, 1}, Checks::none(), [](EmulatedBlock& block) {
    EXPECT_TRUE(std::isnan(block.take<float>(0).re) && std::isnan(block.take<double>(0).im));
  });
}

TEST(Emulator, DivergentBarriers) {
  for (Checks const checks : {Checks::all(), Checks::none()}) {
    auto const ended = [](EmulatedBlock& block) {
      if (block.thread() != 3) block.sync();
    };
    EXPECT_EQ(complaint({1, 1, 8, 0}, ended, {}, checks),
              "tile 0: divergent barrier: thread 0 of rank 0 waits at a block barrier, thread 3 of rank 0 "
              "has ended");
    auto const mixed = [](EmulatedBlock& block) { block.thread() < 4 ? block.sync() : block.sync_cluster(); };
    EXPECT_TRUE(says(complaint({1, 2, 8, 0}, mixed, {}, checks), "waits at a cluster barrier"));
    auto const absent = [](EmulatedBlock& block) {
      if (block.cluster_rank() == 0) block.sync_cluster();
    };
    EXPECT_TRUE(says(complaint({1, 2, 8, 0}, absent, {}, checks), "thread 0 of rank 1 has ended"));
  }
}

/// Each block of a cluster hands its elements to the next one.
void pass_to_next_block(EmulatedBlock& block, int cluster_ranks, bool first, bool second) {
  if (first) block.sync_cluster();
  block.put_remote((block.cluster_rank() + 1) % cluster_ranks, block.thread(),
                   Number{float(block.cluster_rank()), 0});
  second ? block.sync_cluster() : block.sync();
  auto const x = block.take<float>(block.thread());
  if (second && x.re != float((block.cluster_rank() + cluster_ranks - 1) % cluster_ranks))
    throw std::logic_error("wrong block");
}

TEST(Emulator, RemoteStoresNeedClusterBarriers) {
  Grid const grid{1, 4, 32, 32};
  auto const body = [](bool first, bool second) {
    return [=](EmulatedBlock& block) { pass_to_next_block(block, 4, first, second); };
  };
  EXPECT_EQ(complaint(grid, body(true, true)), "");
  EXPECT_TRUE(says(complaint(grid, body(false, true)), "the target block may not have started"));
  EXPECT_TRUE(says(complaint(grid, body(true, false)), "read of shared memory nobody wrote"));
  Checks only_races = Checks::none();
  only_races.races = true;
  EXPECT_TRUE(
      says(complaint(grid, body(true, false), {}, only_races), "race: read of shared memory at offset 0"));
  auto const last = [](EmulatedBlock& block) {
    block.sync_cluster();
    block.put_remote(1 - block.cluster_rank(), block.thread(), Number{});
  };
  EXPECT_TRUE(says(complaint({1, 2, 32, 32}, last), "the other block may have ended"));
}

TEST(Emulator, RemoteReadsNeedClusterBarriers) {
  auto const body = [](bool before, bool after) {
    return [=](EmulatedBlock& block) {
      block.put(block.thread(), Number{float(block.cluster_rank()), 0});
      before ? block.sync_cluster() : block.sync();
      auto const x = block.take_remote<float>(1 - block.cluster_rank(), block.thread());
      if (before && x.re != float(1 - block.cluster_rank())) throw std::logic_error("wrong block");
      if (after) block.sync_cluster();
    };
  };
  Grid const grid{1, 2, 32, 32};
  EXPECT_EQ(complaint(grid, body(true, true)), "");
  EXPECT_TRUE(says(complaint(grid, body(false, true)), "the other block may not have started"));
  EXPECT_TRUE(says(complaint(grid, body(true, false)), "the other block may have ended"));
  auto const beyond = [](EmulatedBlock& block) {
    (void)block.take_remote<float>(block.cluster_rank() + 1, 0);
  };
  Checks only_bounds = Checks::none();
  only_bounds.bounds = true;
  EXPECT_TRUE(
      says(complaint({1, 2, 1, 1}, beyond, {}, only_bounds), "remote read from rank 2 of a cluster of 2"));
}

TEST(Emulator, RemoteRankOutOfRange) {
  auto const body = [](EmulatedBlock& block) { block.put_remote(block.cluster_rank() + 1, 0, Number{}); };
  Checks only_bounds = Checks::none();
  only_bounds.bounds = true;
  EXPECT_EQ(complaint({1, 2, 1, 1}, body, {}, only_bounds),
            "thread 0 of rank 1, tile 0: remote store to rank 2 of a cluster of 2");
}

TEST(Emulator, TwoWritersOfOneOutput) {
  std::vector<Number> out(64);
  auto const threads = [&](EmulatedBlock& block) { block.store(out.data(), block.thread() / 2, Number{}); };
  EXPECT_EQ(
      complaint({1, 1, 8, 0}, threads, {storable(out.data(), 64)}),
      "race: output element 0 is written by thread 0 of rank 0, tile 0 and by thread 1 of rank 0, tile 0");
  auto const tiles = [&](EmulatedBlock& block) {
    block.store(out.data(), block.thread() + block.tile() * 7, Number{});
  };
  EXPECT_TRUE(says(complaint({2, 1, 8, 0}, tiles, {storable(out.data(), 64)}), "output element 7"));
}

TEST(Emulator, InPlaceTilesMustNotMeet) {
  std::vector<Number> data(64);
  std::vector<Array> const arrays{loadable(data.data(), 64), storable(data.data(), 64)};
  auto const body = [&](bool barrier, Wide shift) {
    return [&data, barrier, shift](EmulatedBlock& block) {
      auto const x = block.load(data.data(), (block.tile() * 8 + 7 - block.thread() + shift) % 64);
      if (barrier) block.sync();
      block.store(data.data(), block.tile() * 8 + block.thread(), x);
    };
  };
  EXPECT_EQ(complaint({8, 1, 8, 0}, body(true, 0), arrays), "");
  EXPECT_TRUE(says(complaint({8, 1, 8, 0}, body(false, 0), arrays), "race"));
  EXPECT_TRUE(says(complaint({8, 1, 8, 0}, body(true, 8), arrays), "tile 1"));
}

// ---- Costs.

/// One warp writes and reads shared memory at thread * stride.
template <class T>
Counts strided(int stride) {
  return run_grid({1, 1, 32, 32 * stride + 1}, Checks::all(), [=](EmulatedBlock& block) {
    block.put(block.thread() * stride, kernel::Complex<T>{});
    (void)block.take<T>(block.thread() * stride);
  });
}

TEST(Banks, Strides) {
  // 8 bytes: two phases of 16 threads, so elements a multiple of 16 apart share their banks.
  EXPECT_EQ(strided<float>(1).wavefronts_read, 2);
  EXPECT_EQ(strided<float>(2).wavefronts_read, 4);
  EXPECT_EQ(strided<float>(16).wavefronts_read, 32);  // 32 words apart: all threads wait for one bank pair
  EXPECT_EQ(strided<float>(17).wavefronts_write, 2);
  EXPECT_EQ(strided<float>(16).wavefronts_ideal, 4);
  EXPECT_EQ(strided<float>(16).conflicts, 60);
  // 16 bytes: four phases of 8 threads.
  EXPECT_EQ(strided<double>(1).wavefronts_read, 4);
  EXPECT_EQ(strided<double>(4).wavefronts_read, 16);
  EXPECT_EQ(strided<double>(8).conflicts, 56);
  EXPECT_EQ(strided<double>(9).conflicts, 0);
}

TEST(Banks, OneElementForAllIsABroadcast) {
  auto const counts = run_grid({1, 1, 32, 8}, Checks::all(), [](EmulatedBlock& block) {
    if (block.thread() == 0) block.put(3, Number{});
    block.sync();
    (void)block.take<float>(3);
  });
  EXPECT_EQ(counts.wavefronts_read, 2);
  EXPECT_EQ(counts.wavefronts_write, 1);  // the second phase has nobody
  EXPECT_EQ(counts.conflicts, 0);
}

TEST(Banks, RemoteTargetsAreServedApart) {
  auto const counts = run_grid({1, 2, 32, 512}, Checks::all(), [](EmulatedBlock& block) {
    block.sync_cluster();
    int const half = block.thread() % 2;  // even lanes to rank 0, odd to rank 1, each 8 lanes a phase
    block.put_remote(half, block.cluster_rank() * 256 + block.thread() / 2 * 16, Number{});
    block.sync_cluster();
  });
  EXPECT_EQ(counts.wavefronts_ideal, 2 * 4);
  EXPECT_EQ(counts.wavefronts_write, 2 * 4 * 8);
  EXPECT_EQ(counts.remote_writes, 64);
  EXPECT_EQ(counts.put_sectors, 64);
}

TEST(Banks, RemoteNeighboursShareSectors) {
  auto const counts = run_grid({1, 2, 32, 64}, Checks::all(), [](EmulatedBlock& block) {
    block.sync_cluster();
    block.put_remote(1 - block.cluster_rank(), block.thread(), Number{});  // four to a sector
    block.sync_cluster();
    block.put_remote(block.thread() % 2, block.thread() + 32 * block.cluster_rank(),
                     Number{});  // two, of either rank
    block.sync_cluster();
  });
  EXPECT_EQ(counts.put_sectors, 2 * 8 + 2 * 16);
}

/// One warp copies elements that lie `stride` apart.
template <class T>
Counts copied(Wide stride) {
  std::vector<kernel::Complex<T>> in(std::size_t(32 * stride)), out(in.size());
  return run_grid({1, 1, 32, 0}, Checks::all(),
                  [&](EmulatedBlock& b) {
                    b.store(out.data(), b.thread() * stride, b.load(in.data(), b.thread() * stride));
                  },
                  {loadable(in.data(), 32 * stride), storable(out.data(), 32 * stride)});
}

TEST(Sectors, Strides) {
  EXPECT_EQ(copied<float>(1).load_sectors, 8);
  EXPECT_EQ(copied<float>(1).store_bytes, 256);
  EXPECT_EQ(copied<float>(1).load_efficiency(), 1.0);
  EXPECT_EQ(copied<float>(2).store_sectors, 16);
  EXPECT_EQ(copied<float>(16).load_sectors, 32);
  EXPECT_EQ(copied<float>(16).store_efficiency(), 0.25);
  EXPECT_EQ(copied<double>(1).load_sectors, 16);
  EXPECT_EQ(copied<double>(2).load_efficiency(), 0.5);
}

}  // namespace
}  // namespace skipper::emulator
