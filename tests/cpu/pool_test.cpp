// The pool: every index once, slots never shared, loops inside loops, loops from many threads, exceptions.
#include "cpu/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace skipper::cpu {
namespace {

TEST(Pool, EveryIndexOnce) {
  for (Index count : {0, 1, 2, 7, 64, 1000})
    for (int threads : {1, 2, 5, 16}) {
      std::vector<std::atomic<int>> seen(count);
      parallel_for(count, threads, [&](int slot, Index begin, Index end) {
        EXPECT_LT(slot, threads);
        for (Index i = begin; i < end; ++i) ++seen[i];
      });
      for (auto const& s : seen) EXPECT_EQ(s.load(), 1);
    }
}

TEST(Pool, SlotsAreExclusive) {
  std::vector<long> sums(8, 0);  // not atomic: a shared slot is a data race that TSan sees
  for (int turn = 0; turn < 50; ++turn)
    parallel_for(200, 8, [&](int slot, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) sums[slot] += i;
    });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), 50L * 199 * 200 / 2);
}

TEST(Pool, LoopsInsideLoops) {
  std::atomic<int> total{0};
  parallel_for(10, 4, [&](int, Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      parallel_for(10, 4, [&](int slot, Index b, Index e) {
        EXPECT_EQ(slot, 0);
        total += static_cast<int>(e - b);
      });
  });
  EXPECT_EQ(total, 100);
}

TEST(Pool, LoopsFromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<long> total{0};
  for (int t = 0; t < 16; ++t)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn)
        parallel_for(64, 4, [&](int, Index begin, Index end) { total += end - begin; });
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(total, 16 * 20 * 64);
}

TEST(Pool, RethrowsAndGoesOn) {
  for (int threads : {1, 4})
    EXPECT_THROW(parallel_for(100, threads,
                              [](int, Index begin, Index) {
                                if (begin >= 0) throw std::runtime_error("no");
                              }),
                 std::runtime_error);
  std::atomic<int> total{0};
  parallel_for(100, 4, [&](int, Index begin, Index end) { total += static_cast<int>(end - begin); });
  EXPECT_EQ(total, 100);
}

TEST(Pool, KeepsItsWorkers) {
  parallel_for(100, 3, [](int, Index, Index) {});
  EXPECT_GE(workers(), 2);
  EXPECT_GE(cores(), 1);
}

}  // namespace
}  // namespace skipper::cpu
