// Distributed plans on a real device: 2, 4 and 8 ranks that share it, each with buffers and a stream of its own, by every
// exchange.
#include <skipper/distributed.h>
#include <skipper/nccl.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "device/device.h"

namespace skipper::testing {
namespace {

using Complex = std::complex<float>;

/// Three executions of a plan whose ranks share the device, and what they leave.
std::vector<Complex> executed(DistributedPlan const& plan, int ranks, std::vector<Complex> const& whole) {
  std::vector<std::unique_ptr<cli::Cuda>> devices;
  std::vector<RankArrays> arrays;
  for (int r = 0; r < ranks; ++r) {
    std::vector<Complex> part(std::size_t(plan.in_elements(r)));
    for (std::size_t i = 0; i < part.size(); ++i)
      part[i] = whole[std::size_t(plan.in_index(r, std::int64_t(i)))];
    cli::Cuda& cuda = *devices.emplace_back(std::make_unique<cli::Cuda>(0));
    void* const in = cuda.device_memory("in", (part.size() + 1) * sizeof(Complex)).data;
    std::size_t const out_bytes = std::size_t(plan.out_elements(r) + 1) * sizeof(Complex);
    void* const out = cuda.device_memory("out", out_bytes).data;
    if (!part.empty()) cuda.upload(in, part.data(), part.size() * sizeof(Complex));
    cuda.poison(out, out_bytes);
    cuda.wait();
    arrays.push_back({in, out, {.stream = cuda.stream()}});
  }
  for (int repeat = 0; repeat < 3; ++repeat) plan.execute(arrays);
  std::vector<Complex> result(whole.size());
  for (int r = 0; r < ranks; ++r) {
    std::vector<Complex> part(std::size_t(plan.out_elements(r)));
    devices[std::size_t(r)]->wait();
    if (!part.empty())
      devices[std::size_t(r)]->download(part.data(), arrays[std::size_t(r)].out,
                                        part.size() * sizeof(Complex));
    for (std::size_t i = 0; i < part.size(); ++i)
      result[std::size_t(plan.out_index(r, std::int64_t(i)))] = part[i];
  }
  return result;
}

void expect_right(Problem const& problem, int ranks, DistributedSettings const& settings) {
  SCOPED_TRACE(text(problem) + " over " + std::to_string(ranks) + " by " + name(settings.exchange));
  DistributedPlan const plan(problem, std::vector<Device>(std::size_t(ranks), Device("cuda:0")), settings);
  SCOPED_TRACE(plan.describe());
  std::size_t count = 1;
  for (std::int64_t const n : in_sizes(problem)) count *= std::size_t(n);
  std::vector<Complex> const whole = noise<float>(count);
  EXPECT_LT(distance(expected(problem, whole), executed(plan, ranks, whole)), 1e-6);
}

class DeviceExchanges : public Share {};
INSTANTIATE_TEST_SUITE_P(Share, DeviceExchanges, Share::all());

TEST_P(DeviceExchanges, AreRight) {
  struct Case {
    Problem problem;
    int ranks;
    DistributedSettings settings;
  };
  std::vector<Case> cases;
  for (int const ranks : {2, 4, 8})
    for (ExchangeMethod const method : {ExchangeMethod::fused, ExchangeMethod::direct, ExchangeMethod::swap,
                                        ExchangeMethod::staged, ExchangeMethod::host})
      for (bool const any_output : {true, false}) {
        DistributedSettings settings;
        settings.exchange = method;
        settings.any_output = any_output;
        cases.push_back({c2c({64, 64, 64}), ranks, settings});
        if (quick()) continue;
        settings.pieces = 3;
        cases.push_back({c2c({32, 512, 512}), ranks, settings});
        if (method != ExchangeMethod::swap) cases.push_back({c2c({61, 100, 83}), ranks, settings});
      }
  for (Case const& each : of(cases)) expect_right(each.problem, each.ranks, each.settings);
}

/// One axis over all ranks: its digits are transformed in two stages, with twiddles between them.
TEST(DeviceDistributed, OneAxisOverRanks) {
  std::int64_t const points = quick() ? 1 << 12 : 1 << 18;
  Problem const problem = c2c({points});
  std::vector<Complex> const whole = noise<float>(std::size_t(points)), right = expected(problem, whole);
  for (int const ranks : {2, 4})
    for (AxisOrder const order : {AxisOrder::natural, AxisOrder::permuted})
      for (ExchangeMethod const method : {ExchangeMethod::fused, ExchangeMethod::direct}) {
        DistributedSettings settings;
        settings.exchange = method;
        settings.out_order = order;
        DistributedPlan const plan(problem, std::vector<Device>(std::size_t(ranks), Device("cuda:0")),
                                   settings);
        SCOPED_TRACE(plan.describe() + " by " + name(method));
        EXPECT_TRUE(plan.split() || order == AxisOrder::natural);
        EXPECT_LT(distance(right, executed(plan, ranks, whole)), 1e-6);
      }
}

TEST(DeviceDistributed, NcclWithOneRank) {
  auto const alone = thread_communicators(1)[0];
  std::shared_ptr<Communicator> communicator;
  try {
    communicator = nccl_communicator(alone, Device("cuda:0"));
  } catch (Error const& e) {
    if (std::string(e.what()).find("cannot be opened") == std::string::npos) throw;
    GTEST_SKIP() << e.what();
  }
  EXPECT_TRUE(communicator->takes_device_memory());
}

TEST(DeviceDistributed, NcclRefusesRanksThatShareAGpu) {
  std::vector<std::string> messages(2);
  std::vector<std::thread> threads;
  auto const communicators = thread_communicators(2, std::chrono::seconds(60));
  for (std::size_t r = 0; r < 2; ++r)
    threads.emplace_back([&, r] {
      try {
        nccl_communicator(communicators[r], Device("cuda:0"));
      } catch (Error const& e) {
        messages[r] = e.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::string const& message : messages) {
    if (message.find("cannot be opened") != std::string::npos) GTEST_SKIP() << message;
    EXPECT_NE(message.find("GPU of its own"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace skipper::testing
