// The cache of prepared transforms: what is found, for how long, and how much of it is kept.
#include "cpu/plan_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <complex>
#include <thread>

#include "cpu/engine.h"

namespace skipper::cpu::testing {
namespace {

PlanKey key(std::int64_t n, int threads = 1) { return {c2c({n}), Machine{}, threads, nullptr}; }
PlanCache::Value value() { return std::make_shared<int const>(1); }

TEST(PlanCache, FindsWhatIsEqual) {
  PlanCache cache({1000, 10});
  auto const made = cache.keep(key(8), value(), 100);
  EXPECT_EQ(cache.find(key(8)), made);
  EXPECT_FALSE(cache.find(key(9)));
  EXPECT_FALSE(cache.find(key(8, 2)));
  EXPECT_EQ(cache.keep(key(8), value(), 100), made) << "the first one made stays";
}

TEST(PlanCache, IsBoundedByBytesTheOldestGoFirst) {
  PlanCache cache({250, 10});
  for (int n : {1, 2}) cache.keep(key(n), value(), 100);
  EXPECT_TRUE(cache.find(key(1)));  // the most recently used now
  cache.keep(key(3), value(), 100);
  EXPECT_TRUE(cache.find(key(1)));
  EXPECT_FALSE(cache.find(key(2)));
  EXPECT_TRUE(cache.find(key(3)));
  EXPECT_EQ(cache.use().bytes, 200u);
  for (int n = 10; n < 100; ++n) {
    cache.keep(key(n), value(), 70);
    EXPECT_LE(cache.use().bytes, 250u);
  }
}

TEST(PlanCache, IsBoundedByEntries) {
  PlanCache cache({1000, 3});
  for (int n = 1; n < 50; ++n) cache.keep(key(n), value(), 0);
  EXPECT_EQ(cache.use().entries, 3u);
  EXPECT_TRUE(cache.find(key(49)));
  EXPECT_FALSE(cache.find(key(40)));
}

TEST(PlanCache, WhatIsInUseIsFoundWhateverTheLimits) {
  PlanCache cache({100, 1});
  auto large = cache.keep(key(1), value(), 5000);
  auto const small = cache.keep(key(2), value(), 50);
  cache.keep(key(3), value(), 60);
  EXPECT_EQ(cache.find(key(1)), large);
  EXPECT_EQ(cache.find(key(2)), small);
  EXPECT_LE(cache.use().bytes, 100u);
  large.reset();
  EXPECT_FALSE(cache.find(key(1))) << "too large to be kept";
}

TEST(PlanCache, ClearLetsGoOfWhatNobodyUses) {
  PlanCache cache({1000, 10});
  auto const used = cache.keep(key(1), value(), 1);
  cache.keep(key(2), value(), 1);
  cache.clear();
  EXPECT_EQ(cache.use().entries, 0u);
  EXPECT_EQ(cache.find(key(1)), used);
  EXPECT_FALSE(cache.find(key(2)));
}

TEST(PlanCache, ThreadsAgreeOnOne) {
  PlanCache cache({1000, 10});
  std::vector<PlanCache::Value> got(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < got.size(); ++i)
    threads.emplace_back([&, i] {
      auto known = cache.find(key(5));
      got[i] = known ? known : cache.keep(key(5), value(), 1);
    });
  for (auto& thread : threads) thread.join();
  for (auto const& one : got) EXPECT_EQ(one, got[0]);
}

// Transforms go through the cache: a second equal one adds nothing, and other settings make another.
TEST(PlanCache, EqualTransformsShare) {
  clear_plan_cache();
  PlanCache& cache = PlanCache::instance();
  Problem const p = c2c({10007});
  Machine const machine = host_machine();
  Transform const one(p, machine, {1, ""});
  auto const after_one = cache.use();
  EXPECT_EQ(after_one.entries, 1u);
  EXPECT_GT(after_one.bytes, 10007u * 8);
  Transform const two(p, machine, {1, ""});
  EXPECT_EQ(cache.use().entries, 1u);
  EXPECT_EQ(cache.use().bytes, after_one.bytes);
  Transform const other(p, machine, {2, ""});
  EXPECT_EQ(cache.use().entries, 2u);
  clear_plan_cache();
  Transform const again(p, machine, {1, ""});  // still there, since `one` is
  EXPECT_EQ(cache.use().entries, 1u);
  std::vector<std::complex<float>> in(10007, {1, 2}), a(10007), b(10007);
  one.execute(in.data(), a.data());
  again.execute(in.data(), b.data());
  EXPECT_EQ(a, b);
}

TEST(PlanCache, ALoadFunctionIsNotShared) {
  clear_plan_cache();
  Problem const p = c2c({64}, 4);
  int calls = 0;
  Options options;
  options.threads = 1;
  options.load = [&](CallbackRun const&) { ++calls; };
  Transform const with(p, host_machine(), options);
  options.load = nullptr;
  Transform const without(p, host_machine(), options);
  std::vector<std::complex<float>> in(256), out(256);
  without.execute(in.data(), out.data());
  EXPECT_EQ(calls, 0);
  with.execute(in.data(), out.data());
  EXPECT_GT(calls, 0);
}

// Children are forked while other threads make plans: none finds the lock held.
TEST(PlanCache, ChildrenOfForkMakePlans) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> makers;
  for (int i = 0; i < 2; ++i)
    makers.emplace_back([&, i] {
      for (std::int64_t n = 16; !stop; n = 16 + (n + 1) % 64)
        Transform(c2c({n}), host_machine(), {1 + i, ""});
    });
  for (int i = 0; i < 40; ++i) {
    pid_t const child = fork();
    if (child == 0) {
      alarm(20);
      PlanCache::instance().find(key(3));
      _exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  stop = true;
  for (auto& thread : makers) thread.join();
}

}  // namespace
}  // namespace skipper::cpu::testing
