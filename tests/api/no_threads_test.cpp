// A system that gives no threads: everything is done all the same, by the caller's.
#include <skipper/skipper.h>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include <complex>
#include <system_error>
#include <thread>
#include <vector>

#include "support/child.h"

namespace skipper {
namespace {

using testing::child_skips;
using testing::end_of;
using testing::Leaves;
using testing::start_child;

/// Whether this process can now start no thread. Only a child should ask for it: there is no way back.
bool without_threads() {
  rlimit const none{1, 1};
  if (::setrlimit(RLIMIT_NPROC, &none) != 0) return false;
  if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return false;  // root has no limit
  try {
    std::thread([] {}).join();
    return false;
  } catch (std::system_error const&) {
    return true;
  }
}

/// Runs the work in a child that can start no thread; it must return 0.
template <class Work>
void expect_done(Work const& work) {
  auto const child = [&] { return without_threads() ? work() : child_skips; };
  std::string const end = end_of(start_child(child, Leaves::by_exit));
  if (end == "status " + std::to_string(child_skips)) GTEST_SKIP() << "RLIMIT_NPROC cannot be set here";
  EXPECT_EQ(end, "status 0");
}

std::vector<std::complex<float>> ramp(std::size_t count) {
  std::vector<std::complex<float>> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(float(i % 7) - 3, float(i % 11) - 5);
  return all;
}

template <class AnyPlan>
std::vector<std::complex<float>> result_of(AnyPlan const& plan, std::size_t count) {
  std::vector<std::complex<float>> const in = ramp(count);
  std::vector<std::complex<float>> out(count);
  plan.execute(in.data(), out.data());
  return out;
}

TEST(NoThreads, Plans) {
  PlanSettings settings;
  settings.device = Device("cpu");
  settings.cpu.threads = 4;
  auto const result = [&] {
    return result_of(Plan({256, 256}, Precision::f32, Direction::forward, settings), 256 * 256);
  };
  auto const alone = [&] {
    settings.cpu.threads = 1;
    auto const expected = result();
    settings.cpu.threads = 4;
    return result() == expected && result() == expected ? 0 : 1;
  };
  expect_done(alone);
}

TEST(NoThreads, StreamPlans) {
  StreamSettings settings;
  settings.device = Device("cpu");
  settings.memory_limit = 1 << 18;
  for (Problem const& problem : {c2c({32, 32, 32}), c2c({32768}), c2c({16, 16}, 128)}) {
    StreamPlan const plan(problem, settings);
    auto const expected = result_of(plan, 32768);
    expect_done([&] { return result_of(plan, 32768) == expected ? 0 : 1; });
  }
}

TEST(NoThreads, CancelledStreamPlans) {
  StreamSettings settings;
  settings.device = Device("cpu");
  settings.memory_limit = 1 << 18;
  settings.progress = [](StreamProgress const& progress) { return progress.slices_done < 2; };
  StreamPlan const plan(c2c({32, 32, 32}), settings);
  expect_done([&] {
    try {
      result_of(plan, 32768);
    } catch (Cancelled const&) {
      return 0;
    }
    return 1;
  });
}

TEST(NoThreads, PoissonThroughAStream) {
  PoissonProblem problem;
  problem.axes.resize(3);
  for (PoissonAxis& axis : problem.axes) axis.size = 32;
  StreamSettings settings;
  settings.device = Device("cpu");
  settings.memory_limit = 1 << 18;
  StreamPoisson const poisson(problem, settings);
  std::vector<float> f(32 * 32 * 32);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = float(i % 13) - 6;
  auto const result = [&] {
    std::vector<float> phi(f.size());
    poisson.solve(f.data(), phi.data());
    return phi;
  };
  auto const expected = result();
  expect_done([&] { return result() == expected ? 0 : 1; });
}

}  // namespace
}  // namespace skipper
