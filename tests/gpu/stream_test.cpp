// Data in host memory through a CUDA device that is too small for them, on the stand-in driver.
#include <skipper/skipper.h>

#include "gpu/stand_in/fixture.h"

namespace skipper::testing {
namespace {

class Streamed : public StandIn {};

StreamSettings limited(std::int64_t bytes, StreamStrategy strategy) {
  StreamSettings settings;
  settings.device = Device("cuda:0");
  settings.memory_limit = bytes;
  settings.strategy = strategy;
  settings.threads = 2;
  return settings;
}

void expect_right(Problem const& problem, std::int64_t limit, StreamStrategy strategy, int trips) {
  SCOPED_TRACE(text(problem));
  auto const in = noise<float>(std::size_t(in_bytes(problem)) / 8);
  std::vector<std::complex<float>> out(in.size()), expected(in.size());
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(problem, cpu).execute(in.data(), expected.data());
  StreamPlan const plan(problem, limited(limit, strategy));
  plan.execute(in.data(), out.data());
  EXPECT_LT(distance(expected, out), 1e-6) << plan.describe();
  EXPECT_EQ(plan.trips(), trips) << plan.describe();
  EXPECT_LE(plan.device_bytes(), limit);
}

TEST_F(Streamed, BothStrategies) {
  Problem const problem = c2c({16, 16, 32});
  expect_right(problem, 24 << 10, StreamStrategy::host_and_device, 1);
  EXPECT_GT(stand_in::kernels_run(), 2);
  expect_right(problem, 24 << 10, StreamStrategy::device_only, 2);
}

TEST_F(Streamed, BatchesAndLongLines) {
  expect_right(c2c({8, 8}, 64), 8 << 10, StreamStrategy::automatic, 1);
  expect_right(c2c({4096}), 12 << 10, StreamStrategy::automatic, 2);
}

TEST_F(Streamed, TheArenaMayHoldNoMore) {
  Problem const problem = c2c({16, 16, 32});
  StreamPlan const plan(problem, limited(24 << 10, StreamStrategy::device_only));
  // The plan keeps tables on the device; slices and pinned buffers come on top.
  std::size_t const tables = stand_in::allocated();
  std::vector<std::complex<float>> data = noise<float>(16 * 16 * 32), out(data.size());
  stand_in::limit_memory(tables + (24 << 10) + (64 << 10));
  plan.execute(data.data(), out.data());
  stand_in::limit_memory(1);
  EXPECT_THROW(plan.execute(data.data(), out.data()), Error);
  stand_in::limit_memory(0);
  EXPECT_EQ(stand_in::allocated(), tables);
}

TEST_F(Streamed, FailuresArriveAndLeaveNothing) {
  Problem const problem = c2c({16, 16, 32});
  StreamPlan const plan(problem, limited(24 << 10, StreamStrategy::device_only));
  std::size_t const tables = stand_in::allocated();
  std::vector<std::complex<float>> data = noise<float>(16 * 16 * 32), out(data.size());
  for (char const* call : {"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuLaunchKernel", "cuEventRecord",
                           "cuStreamWaitEvent", "cuMemHostAlloc", "cuMemAlloc_v2", "cuEventSynchronize"}) {
    stand_in::fail(call, 719, 1);
    EXPECT_THROW(plan.execute(data.data(), out.data()), Error) << call;
    stand_in::reset();
    EXPECT_EQ(stand_in::allocated(), tables) << call;
  }
  plan.execute(data.data(), out.data());  // and it works again
}

}  // namespace
}  // namespace skipper::testing
