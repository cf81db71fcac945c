// Streams, graphs, threads and devices through cuFFT's interface, on the fake driver.
#include <atomic>
#include <thread>

#include "cufft_reference.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::cufft::testing {
namespace {

using skipper::testing::DeviceArray;

class CufftStreams : public skipper::testing::FakeDriver {};

struct Data {
  explicit Data(int n, int seed = 1)
      : x(skipper::testing::noise<float>(std::size_t(n), unsigned(seed))), in(x), out(std::size_t(n)) {}
  cufftComplex* from() { return reinterpret_cast<cufftComplex*>(in.data()); }
  cufftComplex* to() { return reinterpret_cast<cufftComplex*>(out.data()); }
  double error(std::vector<Index> const& shape, int sign) const {
    auto const wanted = transformed({x.begin(), x.end()}, shape, sign);
    auto const got = out.values();
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      worst = std::max(worst, std::abs(Complex(got[i]) - wanted[i]));
    return worst;
  }

  std::vector<std::complex<float>> x;
  DeviceArray<std::complex<float>> in, out;
};

cufftHandle planned(int n) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  EXPECT_EQ(cufftPlan1d(&plan, n, CUFFT_C2C, 1), CUFFT_SUCCESS);
  return plan;
}

TEST_F(CufftStreams, EveryPlanHasItsOwn) {
  cufftHandle const plan = planned(32);
  void* stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
  Data data(32);
  ASSERT_EQ(cufftSetStream(plan, static_cast<cudaStream_t>(stream)), CUFFT_SUCCESS);
  int const before = fake_driver::kernels_run();
  ASSERT_EQ(cufftExecC2C(plan, data.from(), data.to(), CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(nullptr), 0);
  EXPECT_EQ(fake_driver::kernels_run(), before) << "the work is not in the stream of the plan";
  ASSERT_EQ(cuStreamSynchronize(stream), 0);
  EXPECT_GT(fake_driver::kernels_run(), before);
  EXPECT_LT(data.error({32}, CUFFT_FORWARD), 1e-5);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cuStreamDestroy_v2(stream), 0);
}

TEST_F(CufftStreams, CudasOwnHandlesAreTaken) {  // none, legacy, per thread
  for (std::uintptr_t const handle : {0, 1, 2}) {
    cufftHandle const plan = planned(16);
    Data data(16);
    EXPECT_EQ(cufftSetStream(plan, reinterpret_cast<cudaStream_t>(handle)), CUFFT_SUCCESS);
    EXPECT_EQ(cufftExecC2C(plan, data.from(), data.to(), CUFFT_INVERSE), CUFFT_SUCCESS);
    EXPECT_LT(data.error({16}, CUFFT_INVERSE), 1e-5);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  }
}

/// Executions are captured, also the first of a plan, and also one whose kernels are only made then.
TEST_F(CufftStreams, AreCapturedIntoGraphs) {
  std::size_t bytes = 0;
  for (int const direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    cufftHandle plan = CUFFT_PLAN_NULL;
    ASSERT_EQ(cufftPlan2d(&plan, 64, 64, CUFFT_C2C), CUFFT_SUCCESS);
    ASSERT_EQ(cufftGetSize(plan, &bytes), CUFFT_SUCCESS);
    ASSERT_GT(bytes, 0u);
    Data data(64 * 64);
    void *stream = nullptr, *graph = nullptr, *exec = nullptr;
    ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
    ASSERT_EQ(cufftSetStream(plan, static_cast<cudaStream_t>(stream)), CUFFT_SUCCESS);
    ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), 0);
    int const allocations = fake_driver::calls("cuMemAllocFromPoolAsync");
    EXPECT_EQ(cufftExecC2C(plan, data.from(), data.to(), direction), CUFFT_SUCCESS);
    EXPECT_EQ(fake_driver::calls("cuMemAllocFromPoolAsync"), allocations);
    ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0) << "the capture was disturbed";
    ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
    ASSERT_EQ(cuGraphLaunch(exec, stream), 0);
    EXPECT_LT(data.error({64, 64}, direction), 1e-3);
    EXPECT_EQ(cuGraphExecDestroy(exec), 0);
    EXPECT_EQ(cuGraphDestroy(graph), 0);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
    EXPECT_EQ(cuStreamDestroy_v2(stream), 0);
  }
}

/// Arrays that are staged take memory in stream order, which a graph keeps.
TEST_F(CufftStreams, StagedArraysAreCapturedToo) {
  int n[] = {8};
  cufftHandle plan = CUFFT_PLAN_NULL;
  ASSERT_EQ(cufftPlanMany(&plan, 1, n, n, 1, 8, n, 2, 1, CUFFT_C2C, 2), CUFFT_SUCCESS);
  auto const x = skipper::testing::noise<float>(16);
  DeviceArray<std::complex<float>> data(x);
  auto* const at = reinterpret_cast<cufftComplex*>(data.data());
  void *stream = nullptr, *graph = nullptr, *exec = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
  ASSERT_EQ(cufftSetStream(plan, static_cast<cudaStream_t>(stream)), CUFFT_SUCCESS);
  ASSERT_EQ(cuStreamBeginCapture_v2(stream, 0), 0);
  EXPECT_EQ(cufftExecC2C(plan, at, at, CUFFT_FORWARD), CUFFT_SUCCESS);
  ASSERT_EQ(cuStreamEndCapture(stream, &graph), 0);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  ASSERT_EQ(cuGraphLaunch(exec, stream), 0);
  auto const y = data.values();
  for (std::size_t b = 0; b < 2; ++b) {
    auto const begin = x.begin() + std::ptrdiff_t(8 * b);
    auto const wanted = transformed({begin, begin + 8}, {8}, CUFFT_FORWARD);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_LT(std::abs(Complex(y[2 * k + b]) - wanted[k]), 1e-5);
  }
  EXPECT_EQ(cuGraphExecDestroy(exec), 0);
  EXPECT_EQ(cuGraphDestroy(graph), 0);
  EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  EXPECT_EQ(cuStreamDestroy_v2(stream), 0);
}

TEST_F(CufftStreams, ThreadsHaveTheirOwnPlans) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      cuCtxPushCurrent_v2(context_);
      for (int round = 0; round < 4; ++round) {
        int const n = 8 * (t + 1) + round;
        cufftHandle const plan = planned(n);
        Data data(n, t + 1);
        wrong += cufftExecC2C(plan, data.from(), data.to(), CUFFT_FORWARD) != CUFFT_SUCCESS;
        wrong += !(data.error({n}, CUFFT_FORWARD) < 1e-4);
        wrong += cufftDestroy(plan) != CUFFT_SUCCESS;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/// What cuFFT forbids: it ends in a code, never in a crash.
TEST_F(CufftStreams, OnePlanIsUsedAndDestroyedAtOnce) {
  for (int round = 0; round < 8; ++round) {
    cufftHandle const plan = planned(8);
    Data data(8);
    std::atomic<int> destroyed = 0, strange = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        cuCtxPushCurrent_v2(context_);
        for (int i = 0; i < 20; ++i) {
          cufftResult const result = cufftExecC2C(plan, data.from(), data.to(), CUFFT_FORWARD);
          strange += result != CUFFT_SUCCESS && result != CUFFT_INVALID_PLAN;
          if (i == 10) destroyed += cufftDestroy(plan) == CUFFT_SUCCESS;
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(destroyed, 1);
    EXPECT_EQ(strange, 0);
  }
  EXPECT_EQ(cuCtxSynchronize(), 0);
}

/// The current device is the one a plan is made for, and stays it, whatever is current when it is executed.
TEST_F(CufftStreams, PlansAreOfTheCurrentDevice) {
  void* second = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&second, 1), 0);
  ASSERT_EQ(cuCtxPushCurrent_v2(second), 0);
  {
    cufftHandle const plan = planned(32);
    Data data(32);
    EXPECT_EQ(cufftExecC2C(plan, data.from(), data.to(), CUFFT_FORWARD), CUFFT_SUCCESS);
    EXPECT_LT(data.error({32}, CUFFT_FORWARD), 1e-5);
    ASSERT_EQ(cuCtxPushCurrent_v2(context_), 0);
    EXPECT_EQ(cufftExecC2C(plan, data.from(), data.from(), CUFFT_INVERSE), CUFFT_SUCCESS)
        << "from another device";
    Data other(32);
    EXPECT_EQ(cufftExecC2C(plan, other.from(), other.to(), CUFFT_FORWARD), CUFFT_INVALID_VALUE)
        << "arrays of another device";
    void* popped = nullptr;
    ASSERT_EQ(cuCtxPopCurrent_v2(&popped), 0);
    EXPECT_EQ(cufftDestroy(plan), CUFFT_SUCCESS);
  }
  void* popped = nullptr;
  EXPECT_EQ(cuCtxPopCurrent_v2(&popped), 0);
  EXPECT_EQ(popped, second) << "the caller's stack of contexts was changed";
}

TEST_F(CufftStreams, AThreadWithoutAContextHasDeviceZero) {
  Data data(32);
  cufftResult result = CUFFT_INTERNAL_ERROR;
  void* left = context_;
  std::thread([&] {
    cufftHandle const plan = planned(32);
    result = cufftExecC2C(plan, data.from(), data.to(), CUFFT_FORWARD);
    cufftDestroy(plan);
    cuCtxGetCurrent(&left);
  }).join();
  EXPECT_EQ(result, CUFFT_SUCCESS);
  EXPECT_EQ(left, nullptr);
  EXPECT_LT(data.error({32}, CUFFT_FORWARD), 1e-5);
}

}  // namespace
}  // namespace skipper::cufft::testing
