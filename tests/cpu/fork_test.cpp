// Children of fork(): they compute, whatever the threads of their parent were at, and leave as they like.
#include <skipper/skipper.h>

#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <thread>
#include <vector>

#include "support/child.h"
#include "support/quick.h"

namespace skipper {
namespace {

using testing::children_may_start_threads;
using testing::end_of;
using testing::Leaves;
using testing::start_child;

using Values = std::vector<std::complex<float>>;

/// A plan that four threads work on, and what it makes of its input.
struct Case {
  Plan plan;
  Values in, expected;

  explicit Case(std::vector<std::int64_t> const& shape) : plan(made(shape)) {
    std::size_t points = 1;
    for (std::int64_t const n : shape) points *= static_cast<std::size_t>(n);
    for (std::size_t i = 0; i < points; ++i) in.emplace_back(float(i % 7) - 3, float(i % 11) - 5);
    expected.resize(points);
    plan.execute(in.data(), expected.data());
  }
  static Plan made(std::vector<std::int64_t> const& shape) {
    PlanSettings settings;
    settings.device = Device("cpu");
    settings.cpu.threads = 4;
    return Plan(shape, Precision::f32, Direction::forward, settings);
  }
  bool right() const {
    Values out(in.size());
    plan.execute(in.data(), out.data());
    return out == expected;
  }
};

TEST(Fork, AChildComputesWithPlansOfItsParentAndWithItsOwn) {
  if (!children_may_start_threads) GTEST_SKIP() << "not under ThreadSanitizer";
  Case const inherited({256, 256});
  for (Leaves const leaves : {Leaves::by_exit, Leaves::at_once}) {
    auto const work = [&] {
      if (!inherited.right()) return 1;
      return Case({256, 256}).expected == inherited.expected ? 0 : 2;
    };
    EXPECT_EQ(end_of(start_child(work, leaves)), "status 0");
  }
  EXPECT_TRUE(inherited.right());
}

TEST(Fork, AChildThatComputesNothingLeaves) {
  Case const inherited({256, 256});
  EXPECT_EQ(end_of(start_child([] { return 0; }, Leaves::by_exit)), "status 0");
}

TEST(Fork, AGrandchildComputes) {
  if (!children_may_start_threads) GTEST_SKIP() << "not under ThreadSanitizer";
  Case const inherited({256, 256});
  auto const child = [&] {
    if (!inherited.right()) return 1;
    auto const grandchild = [&] { return inherited.right() ? 0 : 1; };
    return end_of(start_child(grandchild, Leaves::by_exit)) == "status 0" && inherited.right() ? 0 : 2;
  };
  EXPECT_EQ(end_of(start_child(child, Leaves::by_exit)), "status 0");
}

/// Runs `work` over and over on other threads while this one forks children, and says how these ended.
template <class Busy, class Work>
void fork_while(Busy const& busy, Work const& work, int children) {
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!done) busy();
    });
  auto const child = [&] { return children_may_start_threads ? work() : 0; };
  if (testing::quick()) children /= 4;
  if (!children_may_start_threads) children = 3;  // each takes seconds under ThreadSanitizer
  for (int i = 0; i < children; ++i)
    EXPECT_EQ(end_of(start_child(child, i % 2 ? Leaves::by_exit : Leaves::at_once)), "status 0")
        << "child " << i;
  done = true;
  for (std::thread& thread : threads) thread.join();
}

TEST(Fork, WhileThreadsExecute) {
  Case const inherited({128, 128}), large({256, 300});
  auto const both = [&] { return inherited.right() && large.right(); };
  fork_while([&] { EXPECT_TRUE(both()); }, [&] { return both() ? 0 : 1; }, 100);
}

TEST(Fork, WhileThreadsMakePlans) {
  auto const make = [] {
    for (std::int64_t const n : {60, 61, 64, 100}) Case({n, 96});
  };
  auto const work = [&] {
    make();
    return 0;
  };
  fork_while(make, work, 60);
}

TEST(Fork, WhileThreadsStream) {
  Problem const problem = c2c({32, 32, 32});
  StreamSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = 4;
  settings.memory_limit = 1 << 18;
  StreamPlan const plan(problem, settings);
  Values const in(32 * 32 * 32, {1, 2});
  auto const result = [&] {
    Values out(in.size());
    plan.execute(in.data(), out.data());
    return out;
  };
  Values const expected = result();
  fork_while([&] { EXPECT_EQ(result(), expected); }, [&] { return result() == expected ? 0 : 1; }, 40);
}

TEST(Fork, WhileThreadsSolve) {
  PoissonProblem problem;
  problem.axes.resize(3);
  for (PoissonAxis& axis : problem.axes) axis.size = 48;
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = 4;
  StreamSettings through;
  through.device = Device("cpu");
  through.memory_limit = 1 << 20;
  Poisson const whole(problem, settings);
  StreamPoisson const sliced(problem, through);
  std::vector<float> f(48 * 48 * 48);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = float(i % 13) - 6;
  auto const result = [&](auto const& poisson) {
    std::vector<float> phi(f.size());
    poisson.solve(f.data(), phi.data());
    return phi;
  };
  std::vector<float> const expected = result(whole), expected_sliced = result(sliced);
  auto const right = [&] { return result(whole) == expected && result(sliced) == expected_sliced; };
  fork_while([&] { EXPECT_TRUE(right()); }, [&] { return right() ? 0 : 1; }, 40);
}

}  // namespace
}  // namespace skipper
