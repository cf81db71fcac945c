// Data in host memory through a CUDA device that is too small for them, on the fake driver.
#include <skipper/skipper.h>

#include <cstring>
#include <string_view>

#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

class Streamed : public FakeDriver {};

StreamSettings limited(std::int64_t bytes, StreamStrategy strategy) {
  StreamSettings settings;
  settings.device = Device("cuda:0");
  settings.memory_limit = bytes;
  settings.strategy = strategy;
  settings.cpu.threads = 2;
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
  EXPECT_GT(fake_driver::kernels_run(), 2);
  expect_right(problem, 24 << 10, StreamStrategy::device_only, 2);
}

TEST_F(Streamed, BatchesAndLongLines) {
  expect_right(c2c({8, 8}, 64), 8 << 10, StreamStrategy::automatic, 1);
  expect_right(c2c({4096}), 12 << 10, StreamStrategy::automatic, 2);
}

TEST_F(Streamed, TheArenaMayHoldNoMore) {
  Problem const problem = c2c({16, 16, 32});
  std::vector<std::complex<float>> data = noise<float>(16 * 16 * 32), out(data.size());
  std::size_t left = 0;
  {
    StreamPlan const plan(problem, limited(24 << 10, StreamStrategy::device_only));
    // The plan keeps tables on the device; slices and pinned buffers come on top.
    std::size_t const tables = fake_driver::allocated();
    fake_driver::limit_memory(1);
    EXPECT_THROW(plan.execute(data.data(), out.data()), Error);
    EXPECT_EQ(fake_driver::allocated(), tables);
    fake_driver::limit_memory(tables + (24 << 10) + (64 << 10));
    plan.execute(data.data(), out.data());
    fake_driver::limit_memory(1);
    plan.execute(data.data(), out.data());  // with what it has by now
    fake_driver::limit_memory(0);
    left = fake_driver::allocated() - std::size_t(plan.device_bytes());
    EXPECT_LE(left, tables + (64 << 10));  // with what is pinned
  }
  EXPECT_LE(fake_driver::allocated(), left);
}

TEST_F(Streamed, PinnedArraysNeedNoBuffers) {
  Problem const problem = c2c({16, 8, 512});
  std::size_t const bytes = std::size_t(in_bytes(problem));
  StreamPlan const plan(problem, limited(in_bytes(problem) / 4, StreamStrategy::device_only));
  void *in = nullptr, *out = nullptr;
  ASSERT_EQ(cuMemHostAlloc(&in, bytes, 0), 0);
  ASSERT_EQ(cuMemHostAlloc(&out, bytes, 0), 0);
  auto const data = noise<float>(bytes / 8);
  std::memcpy(in, data.data(), bytes);
  int const before = fake_driver::calls("cuMemHostAlloc");
  plan.execute(in, out);
  EXPECT_EQ(fake_driver::calls("cuMemHostAlloc"), before) << plan.describe();
  EXPECT_GT(fake_driver::calls("cuMemcpy2DAsync_v2"), 0);
  std::vector<std::complex<float>> found(data.size()), expected(data.size());
  std::memcpy(found.data(), out, bytes);
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(problem, cpu).execute(data.data(), expected.data());
  EXPECT_LT(distance(expected, found), 1e-6);
  EXPECT_EQ(cuMemFreeHost(in), 0);
  EXPECT_EQ(cuMemFreeHost(out), 0);
}

TEST_F(Streamed, FailuresArriveAndLeaveNothing) {
  Problem const problem = c2c({16, 16, 32});
  std::vector<std::complex<float>> data = noise<float>(16 * 16 * 32), out(data.size());
  for (char const* call : {"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuLaunchKernel", "cuEventRecord",
                           "cuStreamWaitEvent", "cuMemHostAlloc", "cuMemAlloc_v2", "cuEventSynchronize"}) {
    std::size_t tables = 0;
    {
      StreamPlan const plan(problem, limited(24 << 10, StreamStrategy::device_only));
      tables = fake_driver::allocated();
      fake_driver::fail(call, 719, std::string_view(call).find("Alloc") == std::string_view::npos);
      EXPECT_THROW(plan.execute(data.data(), out.data()), Error) << call;
      fake_driver::reset();
      plan.execute(data.data(), out.data());  // and it works again
    }
    EXPECT_LE(fake_driver::allocated(), tables) << call;
  }
}

}  // namespace
}  // namespace skipper::testing
