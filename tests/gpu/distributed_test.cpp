// Distributed plans on the fake driver's devices: every exchange gives what one device gives.
#include <skipper/distributed.h>
#include <skipper/nccl.h>
#include <skipper/plan.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <type_traits>

#include "gpu/fake_driver/fixture.h"
#include "support/quick.h"
#include "support/scalars.h"
#include "support/uniform.h"
#include "support/untyped.h"

namespace skipper::testing {
namespace {

struct Case {
  Problem problem;
  int ranks = 2;
  bool any_output = true;
};

std::vector<Device> devices_of(int ranks) {
  return std::vector<Device>(std::size_t(ranks), Device("cuda:0"));
}

std::size_t doubles_of(Kind kind, bool input) {
  if (kind == Kind::r2r) return 1;
  return kind == Kind::c2c || (kind == Kind::r2c) != input ? 2 : 1;
}

/// The elements of a box, gathered from a dense array or put into one; `width` numbers each.
template <class T>
void move_box(Box const& box, std::vector<std::int64_t> const& sizes, std::size_t width, T* whole, T* part,
              bool gather) {
  std::int64_t count = 1;
  for (std::int64_t const n : box.size) count *= n;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, at = 0, stride = 1;
    for (std::size_t d = sizes.size(); d-- > 0; stride *= sizes[d]) {
      at += (box.first[d] + rest % box.size[d]) * stride;
      rest /= box.size[d];
    }
    for (std::size_t w = 0; w < width; ++w)
      if (gather)
        part[std::size_t(i) * width + w] = whole[std::size_t(at) * width + w];
      else
        whole[std::size_t(at) * width + w] = part[std::size_t(i) * width + w];
  }
}

template <class T>
std::vector<T> random_numbers(std::size_t count) {
  std::mt19937 random(3);
  Uniform<std::conditional_t<sizeof(T) == 8, double, float>> uniform;
  std::vector<T> x(count);
  for (T& v : x) v = T(uniform(random));
  return x;
}

std::int64_t product(std::vector<std::int64_t> const& sizes) {
  std::int64_t all = 1;
  for (std::int64_t const n : sizes) all *= n;
  return all;
}

template <class T>
void expect_near(std::vector<T> const& ours, std::vector<T> const& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  double error = 0, whole = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    error += std::pow(double(ours[i]) - double(theirs[i]), 2);
    whole += double(theirs[i]) * double(theirs[i]);
  }
  double const allowed = std::is_same_v<T, Half>       ? allowed_once_rounded(Precision::f16)
                         : std::is_same_v<T, BFloat16> ? allowed_once_rounded(Precision::bf16)
                         : sizeof(T) == 4              ? 1e-6
                                                       : 1e-14;
  EXPECT_LT(std::sqrt(error / whole), allowed);
}

Problem in_f64(Problem problem) {
  problem.precision = Precision::f64;
  return problem;
}

class Distributed : public FakeDriver {
 protected:
  /// Runs a problem over several devices and on the CPU.
  template <class T>
  void check(Problem const& problem, int ranks, DistributedSettings const& settings,
             bool with_workspace = false, bool given_streams = false) {
    SCOPED_TRACE(text(problem) + " over " + std::to_string(ranks));
    DistributedPlan const plan(problem, devices_of(ranks), settings);
    SCOPED_TRACE(plan.describe());
    auto const in_dims = in_sizes(problem), out_dims = out_sizes(problem);
    std::size_t const in_width = doubles_of(problem.kind, true), out_width = doubles_of(problem.kind, false);
    std::vector<T> whole = random_numbers<T>(std::size_t(product(in_dims)) * in_width),
                   expected(std::size_t(product(out_dims)) * out_width), result(expected.size());
    PlanSettings cpu;
    cpu.device = Device("cpu");
    Plan(problem, cpu).execute(untyped(whole.data()), untyped(expected.data()));
    std::vector<std::unique_ptr<DeviceArray<T>>> ins, outs, works;
    std::vector<RankArrays> arrays;
    for (int r = 0; r < ranks; ++r) {
      std::vector<T> part(std::size_t(plan.in_elements(r)) * in_width);
      move_box(plan.in_box(r), in_dims, in_width, whole.data(), part.data(), true);
      part.resize(part.size() + 1);  // an array of nothing cannot be allocated
      ins.push_back(std::make_unique<DeviceArray<T>>(part));
      outs.push_back(std::make_unique<DeviceArray<T>>(std::size_t(plan.out_elements(r)) * out_width + 1));
      RankArrays mine{ins.back()->data(), outs.back()->data(), {}};
      if (with_workspace && plan.workspace_bytes(r) > 0) {
        works.push_back(std::make_unique<DeviceArray<T>>(std::size_t(plan.workspace_bytes(r)) / sizeof(T)));
        mine.settings.workspace = works.back()->data();
      }
      if (given_streams) cuStreamCreate(&mine.settings.stream, 1);
      arrays.push_back(mine);
    }
    for (int again : {0, 1}) {
      plan.execute(arrays);
      for (int r = 0; r < ranks; ++r) {
        std::vector<T> part = outs[std::size_t(r)]->values();
        move_box(plan.out_box(r), out_dims, out_width, result.data(), part.data(), false);
      }
      expect_near(result, expected);
      static_cast<void>(again);
    }
    for (RankArrays const& mine : arrays)
      if (mine.settings.stream) cuStreamDestroy_v2(mine.settings.stream);
  }
};

std::vector<ExchangeMethod> const methods = {ExchangeMethod::fused, ExchangeMethod::swap,
                                             ExchangeMethod::direct, ExchangeMethod::staged,
                                             ExchangeMethod::host};

/// use(settings) for each of the methods, with the output where it falls and as the data came.
template <class Use>
void each_exchange(std::vector<ExchangeMethod> const& some, Use const& use) {
  for (ExchangeMethod const method : some)
    for (bool const any_output : {true, false}) {
      SCOPED_TRACE(int(method));
      DistributedSettings settings;
      settings.exchange = method;
      settings.any_output = any_output;
      use(settings);
    }
}

TEST_F(Distributed, EveryExchangeOfACube) {
  each_exchange(methods, [&](DistributedSettings const& settings) {
    check<float>(c2c({16, 16, 8}), 4, settings);
    check<double>(in_f64(c2c({8, 8, 8})), 2, settings);
  });
}

TEST_F(Distributed, UnevenPartsAndIdleRanks) {
  for (ExchangeMethod const method : {ExchangeMethod::fused, ExchangeMethod::direct, ExchangeMethod::host})
    for (int const ranks : {1, 2, 3, 5, 7}) {
      SCOPED_TRACE(int(method));
      DistributedSettings settings;
      settings.exchange = method;
      settings.any_output = ranks % 2 == 0;
      check<float>(c2c({6, 10, 4}), ranks, settings);
      check<float>(c2c({5, 7, 3}), ranks, settings);
    }
}

/// Planes in two sweeps, apart and as fused passes, and lines in three: all of a stage's sweeps but the last keep to themselves.
TEST_F(Distributed, StagesOfSeveralSweeps) {
  DistributedSettings settings;
  settings.exchange = ExchangeMethod::fused;
  settings.any_output = true;
  if (!quick()) check<float>(c2c({2, 512, 512}), 2, settings);
  check<double>(in_f64(c2c({quick() ? 2 : 4, 96, 320})), 2, settings);
  check<float>(r2c({quick() ? 2 : 4, quick() ? 60 : 200, 1500}), 2, settings);
}

TEST_F(Distributed, RealKinds) {
  Problem cosines = r2c({8, 6, 10});  // whose parts are stored one by one
  cosines.axes[0].kind = AxisKind::dct2;
  each_exchange({ExchangeMethod::automatic, ExchangeMethod::direct},
                [&](DistributedSettings const& settings) {
                  check<float>(r2c({8, 6, 10}), 4, settings);
                  check<double>(in_f64(c2r({8, 6, 10})), 3, settings);
                  check<float>(r2r({8, 6, 4}, {AxisKind::dct2, AxisKind::dst1, AxisKind::dct3}), 2, settings);
                  check<float>(r2r({6, 5, 9}, {AxisKind::dct2, AxisKind::dct2, AxisKind::dct2}), 3, settings);
                  check<float>(r2r({6, 5, 8}, {AxisKind::dht, AxisKind::dct2, AxisKind::dht}), 2, settings);
                  check<float>(c2r({9, 7, 15}), 4, settings);
                  check<float>(cosines, 3, settings);
                });
}

template <class S>
class DistributedStorage : public Distributed {
 protected:
  static Problem stored(Problem problem) {
    problem.precision = std::is_same_v<S, Half> ? Precision::f16 : Precision::bf16;
    return problem;
  }
  void check_stored(Problem const& problem, int ranks, DistributedSettings const& settings) {
    check<S>(stored(problem), ranks, settings);
  }
};
using Storages = ::testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(DistributedStorage, Storages);

TYPED_TEST(DistributedStorage, IsRight) {
  each_exchange(methods, [&](DistributedSettings settings) {
    settings.pieces = 2;
    this->check_stored(c2c({16, 8, 8}), 4, settings);
    this->check_stored(c2c({8, 12}, 2), 2, settings);
  });
  for (int const ranks : {1, 2, 3})
    for (bool const any_output : {true, false}) {
      DistributedSettings settings;
      settings.any_output = any_output;
      this->check_stored(r2c({8, 6, 10}), ranks, settings);
      this->check_stored(c2r({9, 7, 15}), ranks, settings);
      this->check_stored(r2r({8, 6, 4}, {AxisKind::dct2, AxisKind::dst1, AxisKind::dct3}), ranks, settings);
    }
  DistributedSettings settings;
  settings.any_output = true;
  if (!quick()) this->check_stored(c2c({4, 96, 320}), 2, settings);  // a stage of two sweeps
  settings.any_output = false;
  settings.exchange = ExchangeMethod::swap;  // of reals of two bytes
  EXPECT_THROW(DistributedPlan(this->stored(c2r({8, 8, 8})), devices_of(2), settings), Error);
}

TEST_F(Distributed, PlanesBatchesPencilsAndBricks) {
  DistributedSettings settings;
  check<float>(c2c({12, 20}), 4, settings);
  check<float>(c2c({12, 10}, 6), 4, settings);
  settings.in = pencils({8, 6, 12}, 6, 2);
  check<float>(c2c({8, 6, 12}), 6, settings);
  settings.in = bricks({8, 6, 12}, {2, 1, 3}, 6);
  settings.out = bricks({8, 6, 12}, {1, 3, 2}, 6);
  for (ExchangeMethod const method :
       {ExchangeMethod::automatic, ExchangeMethod::direct, ExchangeMethod::host}) {
    settings.exchange = method;
    check<float>(c2c({8, 6, 12}), 6, settings);
  }
}

TEST_F(Distributed, PiecesAndStreams) {
  for (ExchangeMethod const method : {ExchangeMethod::direct, ExchangeMethod::staged, ExchangeMethod::host})
    for (int const pieces : {1, 2, 3})
      for (int const streams : {1, 2}) {
        SCOPED_TRACE(std::to_string(int(method)) + " in " + std::to_string(pieces));
        DistributedSettings settings;
        settings.exchange = method;
        settings.pieces = pieces;
        settings.gpu.streams = streams;
        settings.any_output = true;
        check<float>(c2c({9, 8, 4}), 3, settings, true, true);
      }
}

/// Arrays for a plan of ranks on one device, with workspace.
struct Arrays {
  explicit Arrays(DistributedPlan const& plan, int count) {
    for (int r = 0; r < count; ++r) {
      for (std::int64_t const n :
           {plan.in_elements(r), plan.out_elements(r), plan.workspace_bytes(r) / 8 + 1})
        memory.push_back(std::make_unique<DeviceArray<std::complex<float>>>(
            std::vector<std::complex<float>>(std::size_t(n), 1.0f)));
      std::size_t const first = memory.size() - 3;
      ranks.push_back(
          {memory[first]->data(), memory[first + 1]->data(), {.workspace = memory[first + 2]->data()}});
    }
  }
  std::vector<std::unique_ptr<DeviceArray<std::complex<float>>>> memory;
  std::vector<RankArrays> ranks;
};

double seconds_of(std::vector<StageTimes> const& stages) {
  double all = 0;
  for (StageTimes const& s : stages) all += s.transform_seconds + s.move_seconds + s.wait_seconds;
  return all;
}

TEST_F(Distributed, PhasesAreTimedOnRequest) {
  DistributedSettings settings;
  settings.any_output = true;
  for (ExchangeMethod const method : methods)
    for (int const streams : {1, 2}) {
      SCOPED_TRACE(std::string(name(method)) + " with " + std::to_string(streams));
      settings.exchange = method;
      settings.gpu.streams = streams;
      DistributedPlan const plan(c2c({8, 8, 8}), devices_of(2), settings);
      Arrays const arrays(plan, 2);
      auto const events = [&](auto const& execute) {
        int const before = fake_driver::calls("cuEventRecord"), made = fake_driver::calls("cuEventCreate");
        execute();
        return std::pair(fake_driver::calls("cuEventRecord") - before,
                         fake_driver::calls("cuEventCreate") - made);
      };
      auto const plain = events([&] { plan.execute(arrays.ranks); });
      EXPECT_EQ(plain.second, 0);
      cuCtxSynchronize();
      std::vector<std::vector<StageTimes>> times;
      auto const begin = std::chrono::steady_clock::now();
      auto const timed = events([&] { times = plan.execute_timed(arrays.ranks); });
      double const wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      EXPECT_GT(timed.first, plain.first);
      EXPECT_EQ(timed.second, timed.first - plain.first) << "each event of the clock is recorded once";
      EXPECT_EQ(events([&] { plan.execute(arrays.ranks); }), plain);
      ASSERT_EQ(times.size(), 2u);
      for (auto const& rank : times) {
        ASSERT_EQ(rank.size(), 2u);
        for (StageTimes const& stage : rank) EXPECT_GT(stage.transform_seconds, 0);
        if (method == ExchangeMethod::fused)
          EXPECT_EQ(rank[0].move_seconds, 0);
        else
          EXPECT_GT(rank[0].move_seconds, 0);
        EXPECT_EQ(rank[1].move_seconds, 0);
        EXPECT_EQ(rank[1].wait_seconds, 0);
        EXPECT_LT(seconds_of(rank), wall + 1e-6);
      }
      EXPECT_EQ(arrays.memory[1]->values()[0], std::complex<float>(512));
    }
}

TEST_F(Distributed, NothingIsAllocatedWithWorkspace) {
  DistributedSettings settings;
  settings.any_output = true;
  for (ExchangeMethod const method : methods) {
    settings.exchange = method;
    DistributedPlan const plan(c2c({8, 8, 8}), devices_of(2), settings);
    Arrays const arrays(plan, 2);
    plan.execute(arrays.ranks);
    int const held = fake_driver::allocations();
    plan.execute(arrays.ranks);
    plan.execute(arrays.ranks);
    EXPECT_EQ(fake_driver::allocations(), held);
  }
}

TEST_F(Distributed, DevicesThatDoNotReachEachOtherGoByTheHost) {
  fake_driver::part_devices();
  DistributedSettings settings;
  DistributedPlan const plan(c2c({8, 8, 8}), {Device("cuda:0"), Device("cuda:1")}, settings);
  EXPECT_EQ(plan.exchange(), ExchangeMethod::host);
  settings.exchange = ExchangeMethod::fused;
  EXPECT_THROW(DistributedPlan(c2c({8, 8, 8}), {Device("cuda:0"), Device("cuda:1")}, settings), Error);
}

TEST_F(Distributed, WhatWasMeasuredIsKeptForATopology) {
  EXPECT_EQ(kept_exchange(devices_of(2)), ExchangeMethod::fused);
  keep_exchange(devices_of(2), ExchangeMethod::direct);
  EXPECT_EQ(kept_exchange(devices_of(2)), ExchangeMethod::direct);
  EXPECT_EQ(kept_exchange(devices_of(3)), ExchangeMethod::fused);
  EXPECT_EQ(DistributedPlan(c2c({8, 8, 8}), devices_of(2)).exchange(), ExchangeMethod::direct);
  keep_exchange(devices_of(2), ExchangeMethod::swap);  // which uneven parts cannot
  EXPECT_EQ(DistributedPlan(c2c({7, 8, 8}), devices_of(2)).exchange(), ExchangeMethod::direct);
  for (ExchangeMethod const method : methods) EXPECT_EQ(parse_exchange(name(method)), method);
  EXPECT_THROW(parse_exchange("by post"), Error);
}

TEST_F(Distributed, WrongUseIsRefused) {
  DistributedSettings settings;
  EXPECT_THROW(DistributedPlan(c2c({8, 8, 8}), std::vector<Device>{}, settings), Error);
  EXPECT_THROW(DistributedPlan(c2c({8, 8, 8}), {Device("cpu")}, settings), Error);
  settings.exchange = ExchangeMethod::swap;
  EXPECT_THROW(DistributedPlan(c2c({7, 8, 8}), devices_of(2), settings), Error);
  settings.exchange = ExchangeMethod::automatic;
  DistributedPlan const plan(c2c({8, 8, 8}), devices_of(2), settings);
  EXPECT_THROW(plan.execute(std::vector<RankArrays>(1)), Error);
  EXPECT_THROW(plan.execute(std::vector<RankArrays>(2)), Error);
  EXPECT_THROW(plan.workspace_bytes(2), Error);
  std::complex<float> two[2];
  EXPECT_THROW(plan.execute(untyped(two), untyped(two + 1)), Error);
}

/// A forward transform by ranks that are threads, each with its device and communicator, as processes would have them.
/// rank(communicator) gives the settings of one, and may wrap the communicator.
template <class Rank>
void check_ranks(int ranks, Rank const& rank, Problem const& problem = c2c({8, 6, 4})) {
  auto const whole = random_numbers<float>(2 * std::size_t(product(in_sizes(problem))));
  std::vector<float> expected(whole.size()), result(whole.size());
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(problem, cpu).execute(untyped(whole.data()), untyped(expected.data()));
  auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      auto communicator = communicators[std::size_t(r)];
      DistributedSettings const settings = rank(communicator);
      void* context = nullptr;
      cuDevicePrimaryCtxRetain(&context, settings.device.name() == "cuda:1" ? 1 : 0);
      cuCtxPushCurrent_v2(context);
      {
        DistributedPlan const plan(problem, communicator, settings);
        std::vector<float> part(std::size_t(plan.in_elements()) * 2);
        std::vector<float> values = whole;
        move_box(plan.in_box(), in_sizes(problem), 2, values.data(), part.data(), true);
        part.resize(part.size() + 1);  // an array of nothing cannot be allocated
        DeviceArray<float> in(part), out(std::size_t(plan.out_elements()) * 2 + 1);
        plan.execute(untyped(in.data()), untyped(out.data()));
        std::vector<StageTimes> const times = plan.execute_timed(untyped(in.data()), untyped(out.data()));
        EXPECT_TRUE(plan.in_elements() == 0 || times.front().transform_seconds > 0);
        EXPECT_EQ(int(times.size()), plan.exchanges() + 1);
        part = out.values();
        move_box(plan.out_box(), out_sizes(problem), 2, result.data(), part.data(), false);
      }
      cuCtxPopCurrent_v2(&context);
    });
  for (std::thread& thread : threads) thread.join();
  expect_near(result, expected);
}

TEST_F(Distributed, RanksWithCommunicators) {
  for (ExchangeMethod const method :
       {ExchangeMethod::automatic, ExchangeMethod::direct, ExchangeMethod::swap, ExchangeMethod::messages}) {
    SCOPED_TRACE(int(method));
    check_ranks(2, [&](auto&) {
      DistributedSettings settings;
      settings.device = Device("cuda:0");
      settings.exchange = method;
      settings.pieces = 2;
      return settings;
    });
  }
}

/// The devices of the fake driver differ in speed, and a plan weighs computing against sending.
TEST_F(Distributed, RanksOnUnequalDevicesPlanAlike) {
  for (auto const& shape : std::vector<std::vector<std::int64_t>>{{6, 10, 8}, {12, 11, 10}, {9, 8, 25}}) {
    SCOPED_TRACE(text(c2c(shape)));
    auto const communicators = thread_communicators(3, std::chrono::seconds(60));
    std::vector<std::string> programs(3);
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < 3; ++r)
      threads.emplace_back([&, r] {
        DistributedSettings settings;
        settings.device = Device(r == 1 ? "cuda:1" : "cuda:0");
        programs[r] = DistributedPlan(c2c(shape), communicators[r], settings).describe();
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(programs[0], programs[1]);
    EXPECT_EQ(programs[0], programs[2]);
  }
}

TEST_F(Distributed, WindowsAreReleasedWhenAllHaveClosedThem) {
  check_ranks(2, [](auto&) {
    DistributedSettings settings;
    settings.device = Device("cuda:0");
    return settings;
  });  // what is made once for the device is made now
  int const before = fake_driver::allocations();
  auto const communicators = thread_communicators(2, std::chrono::seconds(60));
  std::vector<std::unique_ptr<DistributedPlan>> plans(2);
  std::vector<std::thread> threads;
  for (std::size_t r : {0, 1})
    threads.emplace_back([&, r] {
      DistributedSettings settings;
      settings.device = Device("cuda:0");
      plans[r] = std::make_unique<DistributedPlan>(c2c({8, 6, 4}), communicators[r], settings);
    });
  for (std::thread& thread : threads) thread.join();
  int const both = fake_driver::allocations();
  EXPECT_GT(both, before);
  plans[0].reset();
  EXPECT_EQ(fake_driver::allocations(), both) << "the other rank still has the window open";
  plans[1].reset();
  EXPECT_EQ(fake_driver::allocations(), before);
}

TEST_F(Distributed, RanksThatCannotShareMemorySendMessages) {
  fake_driver::fail("cuIpcGetMemHandle", 801);
  check_ranks(2, [](auto&) {
    DistributedSettings settings;
    settings.device = Device("cuda:0");
    return settings;
  });
}

TEST_F(Distributed, MessagesByNccl) {
  // Also to a rank without input, and where one rank has all.
  for (Problem const& problem : {c2c({8, 6, 4}), c2c({1, 6, 4}), c2c({5, 3, 4})})
    for (bool const other_output : {true, false})
      check_ranks(
          2,
          [&](std::shared_ptr<Communicator>& communicator) {
            DistributedSettings settings;
            settings.device = Device("cuda:" + std::to_string(communicator->rank()));
            settings.exchange = ExchangeMethod::messages;
            settings.pieces = 2;
            if (other_output) settings.out = slabs(out_sizes(problem), 2, 1);
            communicator = nccl_communicator(communicator, settings.device);
            EXPECT_TRUE(communicator->takes_device_memory());
            EXPECT_TRUE(communicator->takes_streams());
            return settings;
          },
          problem);
}

/// An execution whose messages go by NCCL only enqueues: the host waits for nothing, and nothing runs until streams do.
TEST_F(Distributed, NcclExchangesInTheOrderOfStreams) {
  char const* const waits[] = {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize"};
  auto const waited = [&] {
    int all = 0;
    for (char const* const call : waits) all += fake_driver::calls(call);
    return all;
  };
  Problem const problem = c2c({9, 6, 4});
  auto const whole = random_numbers<float>(2 * 9 * 6 * 4);
  std::vector<float> expected(whole.size());
  PlanSettings cpu;
  cpu.device = Device("cpu");
  Plan(problem, cpu).execute(untyped(whole.data()), untyped(expected.data()));
  for (int const pieces : {1, 3})
    for (int const streams : {1, 2}) {
      SCOPED_TRACE(std::to_string(pieces) + " pieces, " + std::to_string(streams) + " streams");
      std::vector<float> result(whole.size());
      auto const communicators = thread_communicators(2, std::chrono::seconds(60));
      std::vector<std::thread> threads;
      for (int r : {0, 1})
        threads.emplace_back([&, r] {
          void* context = nullptr;
          cuDevicePrimaryCtxRetain(&context, r);
          cuCtxPushCurrent_v2(context);
          {
            Communicator& control = *communicators[std::size_t(r)];
            DistributedSettings settings;
            settings.device = Device("cuda:" + std::to_string(r));
            settings.exchange = ExchangeMethod::messages;
            settings.pieces = pieces;
            settings.gpu.streams = streams;
            DistributedPlan const plan(
                problem, nccl_communicator(communicators[std::size_t(r)], settings.device), settings);
            std::vector<float> part(std::size_t(plan.in_elements()) * 2), values = whole;
            move_box(plan.in_box(), in_sizes(problem), 2, values.data(), part.data(), true);
            DeviceArray<float> in(part), out(std::size_t(plan.out_elements()) * 2);
            void* stream = nullptr;
            cuStreamCreate(&stream, 1);
            control.barrier();
            int const before = waited(), ran = fake_driver::kernels_run();
            control.barrier();
            for (int again = 0; again < 3; ++again)
              plan.execute(untyped(in.data()), untyped(out.data()), {.stream = stream});
            control.barrier();
            EXPECT_EQ(waited(), before);
            EXPECT_EQ(fake_driver::kernels_run(), ran);
            control.barrier();
            EXPECT_EQ(cuStreamSynchronize(stream), 0);
            EXPECT_GT(fake_driver::kernels_run(), ran);
            part = out.values();
            move_box(plan.out_box(), out_sizes(problem), 2, result.data(), part.data(), false);
            cuStreamDestroy_v2(stream);
          }
          cuCtxPopCurrent_v2(&context);
        });
      for (std::thread& thread : threads) thread.join();
      expect_near(result, expected);
    }
}

TEST_F(Distributed, NcclRefusesRanksOnOneGpu) {
  auto const communicators = thread_communicators(2, std::chrono::seconds(60));
  std::vector<std::thread> threads;
  std::atomic<int> refused = 0;
  for (auto const& communicator : communicators)
    threads.emplace_back([&, communicator] {
      try {
        nccl_communicator(communicator, Device("cuda:0"));
      } catch (Error const& e) {
        refused += std::string(e.what()).find("GPU of its own") != std::string::npos;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(refused, 2);
  EXPECT_THROW(nccl_communicator(thread_communicators(1)[0], Device("cpu")), Error);
  EXPECT_THROW(nccl_communicator(nullptr, Device("cuda:0")), Error);
}

}  // namespace
}  // namespace skipper::testing
