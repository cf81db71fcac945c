// The pool: every index once, slots never shared, loops inside loops, loops from many threads, exceptions, executors,
// children of fork().
#include "cpu/host.h"
#include "cpu/pool.h"

#include <gtest/gtest.h>

#include <skipper/error.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/child.h"

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
  for (int round = 0; round < 50; ++round)
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
      for (int round = 0; round < 20; ++round)
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

/// The sum of a loop over so many indices.
Index sum_of(Index count, Team const& team) {
  std::atomic<Index> total{0};
  parallel_for(count, team, [&](int, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) total += i;
  });
  return total;
}

TEST(Pool, AnExecutorRunsTheLoop) {
  std::vector<int> seen;
  Executor const executor{[&](int tasks, std::function<void(int)> const& task) {
                            for (int i = 0; i < tasks; ++i) seen.push_back(i), task(i);
                          },
                          0};
  std::vector<long> sums(4, 0);
  parallel_for(200, Team(4, &executor), [&](int slot, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) sums[slot] += i;
  });
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), 199L * 200 / 2);
}

TEST(Pool, ChildrenHaveOneOfTheirOwn) {
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!done) EXPECT_EQ(sum_of(1000, 4), 999 * 1000 / 2);
    });
  auto const work = [] {
    if (!skipper::testing::children_may_start_threads) return 0;
    return sum_of(1000, 4) == 999 * 1000 / 2 && workers() == 3 ? 0 : 1;
  };
  using skipper::testing::Leaves;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(skipper::testing::end_of(
                  skipper::testing::start_child(work, i % 2 ? Leaves::by_exit : Leaves::at_once)),
              "status 0");
  done = true;
  for (std::thread& thread : threads) thread.join();
}

// The child has a part of the loop at most, and must not wait for the rest.
TEST(Pool, AChildThatIsForkedInALoopIsTold) {
  std::atomic<bool> forked = false;
  std::thread::id const caller = std::this_thread::get_id();
  auto const body = [&](int, Index, Index) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that others join
    if (std::this_thread::get_id() != caller || forked.exchange(true)) return;
    pid_t const id = ::fork();
    if (id == 0) {
      ::alarm(60);
      return;
    }
    EXPECT_EQ(skipper::testing::end_of(id), "status 5");
  };
  pid_t const parent = ::getpid();
  try {
    parallel_for(100, 4, body);
  } catch (Error const& e) {
    ::_exit(e.argument() == "fork" ? 5 : 6);
  }
  if (::getpid() != parent) ::_exit(7);
  EXPECT_TRUE(forked);
}

}  // namespace
}  // namespace skipper::cpu
