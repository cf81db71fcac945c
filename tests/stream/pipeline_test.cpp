// Schedules run over a simulated device with too little memory: results equal to the CPU engine's on the whole, memory
// and trips as scheduled, errors and cancellation from every stage.
#include "stream/pipeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stream/simulated_device.h"
#include "support/scalars.h"
#include "support/uniform.h"

namespace skipper::stream {
namespace {

std::vector<std::byte> noise(Index bytes, Precision precision) {
  std::mt19937 random(5);
  skipper::testing::Uniform<double> uniform;
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  with_scalar(precision, [&]<class Number>(Number) {
    for (std::size_t i = 0; i + sizeof(Number) <= data.size(); i += sizeof(Number)) {
      Number const x = Number(uniform(random));
      std::memcpy(data.data() + i, &x, sizeof x);
    }
  });
  return data;
}

/// Relative to the largest value.
double difference(std::vector<std::byte> const& a, std::vector<std::byte> const& b, Precision precision) {
  double worst = 0, largest = 0;
  with_scalar(precision, [&]<class Number>(Number) {
    for (std::size_t i = 0; i + sizeof(Number) <= a.size(); i += sizeof(Number)) {
      Number x, y;
      std::memcpy(&x, a.data() + i, sizeof x);
      std::memcpy(&y, b.data() + i, sizeof y);
      worst = std::max(worst, std::fabs(double(x) - double(y)));
      largest = std::max(largest, std::fabs(double(y)));
    }
  });
  return std::isnan(worst) ? 1 : worst / largest;
}

struct Ran {
  Schedule schedule;
  Index peak = 0, pinned_peak = 0, up = 0, down = 0, host_runs = 0;
};

/// A sixth of the data, or more where workspace does not leave that much.
Index scarce(Problem const& p, StreamStrategy strategy, bool shared) {
  Index limit = std::max(in_bytes(p), out_bytes(p)) / 6;
  for (int doublings = 0; doublings < 2; ++doublings) try {
      make_schedule(p, {}, {limit, shared}, strategy, testing::cpu_workspace());
      return limit;
    } catch (Error const&) {
      limit *= 2;
    }
  return limit;
}

/// Runs the problem under the limit and compares; -1: a scarce one.
Ran expect_right(Problem const& p, Index limit = -1, StreamStrategy strategy = StreamStrategy::automatic,
                 bool shared = false, bool pinned = false) {
  SCOPED_TRACE(skipper::text(p));
  if (limit < 0) limit = scarce(p, strategy, shared);
  bool const here = p.placement == Placement::in_place;
  std::vector<std::byte> const in =
      noise(here ? std::max(in_bytes(p), out_bytes(p)) : in_bytes(p), p.precision);
  std::vector<std::byte> out = here ? in : std::vector<std::byte>(static_cast<std::size_t>(out_bytes(p)));
  std::vector<std::byte> expected = out;
  cpu::Transform(p, cpu::host_machine(), {1, ""})
      .execute(here ? expected.data() : in.data(), expected.data());

  std::vector<std::byte> const kept = in;
  Ran ran;
  ran.schedule = make_schedule(p, {}, {limit, shared}, strategy, testing::cpu_workspace());
  testing::SimulatedDevice device(limit, shared);
  testing::SimulatedHost host;
  std::vector<std::byte> work(static_cast<std::size_t>(ran.schedule.work_bytes));
  Reserve reserve(device);
  device.reaches_all = pinned;
  execute(ran.schedule, device, reserve, host, here ? out.data() : in.data(), out.data(), work.data());
  double const close = is_16_bit(p.precision)          ? 2 * testing::rounding_unit(p.precision)
                       : p.precision == Precision::f32 ? 2e-6
                                                       : 4e-15;
  EXPECT_LT(difference(out, expected, p.precision), close) << text(ran.schedule);
  EXPECT_EQ(in, kept);
  EXPECT_LE(device.peak, ran.schedule.device_bytes);
  EXPECT_LE(ran.schedule.device_bytes, limit);
  EXPECT_LE(device.pinned_peak, ran.schedule.pinned_bytes);
  ran.peak = device.peak;
  ran.pinned_peak = device.pinned_peak;
  ran.up = device.up_bytes;
  ran.down = device.down_bytes;
  ran.host_runs = host.runs;
  return ran;
}

TEST(Pipeline, BothStrategiesDoThreeDimensions) {
  for (Precision const precision : {Precision::f32, Precision::f64}) {
    Problem const p = c2c({16, 20, 24}, 1, precision);
    Ran const one = expect_right(p, -1, StreamStrategy::host_and_device);
    EXPECT_EQ(one.schedule.trips, 1);
    EXPECT_EQ(one.up, in_bytes(p));  // once over the link and back
    EXPECT_EQ(one.down, out_bytes(p));
    EXPECT_EQ(one.host_runs, 1);
    Ran const two = expect_right(p, -1, StreamStrategy::device_only);
    EXPECT_EQ(two.schedule.trips, 2);
    EXPECT_EQ(two.up, 2 * in_bytes(p));
    EXPECT_EQ(two.host_runs, 0);
  }
}

TEST(Pipeline, RealTransformsBothWays) {
  for (StreamStrategy const strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only})
    for (std::int64_t const n : {24, 25}) {
      expect_right(r2c({16, 12, n}), -1, strategy);
      expect_right(c2r({16, 12, n}, 1, Precision::f64), -1, strategy);
      expect_right(r2c({100, n}, 1, Precision::f64), 8000, strategy);
      expect_right(c2r({150, n}), 6000, strategy);
    }
}

// Cosine and sine axes, alone and beside Fourier axes.
TEST(Pipeline, AxesOfAllKinds) {
  for (StreamStrategy const strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) {
    for (char const* problem :
         {"r2r f32 forward 16x20x24 kinds dct2,dst3,dct1", "r2r f32 forward 24x15x20 kinds dht,dht,dst3",
          "r2r f64 forward 60x48 kinds dct4,dst1",
          "r2r f64 forward 40x36 kinds dct2,dct2 norm ortho in-place",
          "r2c f32 forward 16x12x24 kinds dct2,fourier,fourier",
          "r2c f64 forward 18x12x20 kinds fourier,fourier,dst2",
          "c2r f64 inverse 16x12x24 kinds fourier,dct3,fourier",
          "c2c f32 forward 20x18x16 kinds fourier,dct1,fourier"})
      expect_right(parse_problem(problem), -1, strategy);
  }
  expect_right(parse_problem("r2r f32 forward 30 kinds dct2 batch 40"), -1, StreamStrategy::device_only);
}

TEST(Pipeline, InPlace) {
  for (StreamStrategy const strategy : {StreamStrategy::host_and_device, StreamStrategy::device_only}) {
    expect_right(in_place(c2c({12, 16, 40})), -1, strategy);
    expect_right(in_place(r2c({12, 16, 60})), -1, strategy);
    expect_right(in_place(c2r({12, 16, 61}, 1, Precision::f64)), -1, strategy);
  }
}

TEST(Pipeline, BatchesGoThroughOnce) {
  for (Problem const& p : {c2c({6, 6, 6}, 40), r2c({64}, 100), c2r({9, 8}, 50, Precision::f64)}) {
    Ran const ran = expect_right(p);
    EXPECT_EQ(ran.schedule.trips, 1);
    EXPECT_EQ(ran.host_runs, 0);
    EXPECT_EQ(ran.up, in_bytes(p));
    EXPECT_GT(ran.schedule.passes[0].slicing.slices, 3);
  }
}

// A transform at a time: half precision, padding, cropping, reversed digits.
TEST(Pipeline, WhatIsOfOnePieceGoesThroughInBatches) {
  for (char const* problem :
       {"c2c f16 forward 6x10 batch 40", "r2c f16 forward 24 batch 60",
        "r2r f16 forward 30 kinds dct2 batch 40", "c2c bf16 forward 6x10 batch 40",
        "r2c bf16 forward 24 batch 60", "c2c f32 forward 16x12 batch 30 load 10x12 keep 3+12x0+0",
        "c2c f64 forward 32 batch 40 reversed"}) {
    Problem const p = parse_problem(problem);
    for (bool const shared : {false, true}) {
      Ran const ran = expect_right(p, -1, StreamStrategy::automatic, shared);
      EXPECT_EQ(ran.schedule.trips, 1);
      EXPECT_GT(ran.schedule.passes[0].slicing.slices, 2) << problem;
    }
    EXPECT_THROW(make_schedule(p, {}, {100, false}, StreamStrategy::automatic, testing::cpu_workspace()),
                 Error);
  }
}

TEST(Pipeline, OneLongLineIsCutInTwo) {
  for (Direction const direction : {Direction::forward, Direction::inverse}) {
    Problem p = c2c({60 * 64}, 1, Precision::f64, direction);
    p.scale = 0.25;
    Ran const ran = expect_right(p);
    EXPECT_EQ(ran.schedule.trips, 2);
    EXPECT_GT(ran.schedule.work_bytes, 0);
    expect_right(in_place(p));
    expect_right(c2c({5000}, 3, Precision::f32, direction), 8000);
  }
}

// Half of the spectrum is stored: every parity of the whole and of its two parts.
TEST(Pipeline, OneLongRealLineIsCutInTwo) {
  for (std::int64_t const n : {60 * 64, 63 * 64, 64 * 75, 61 * 67, 50 * 51}) {
    Problem p = r2c({n}, 1, Precision::f64);
    p.scale = 0.5;
    EXPECT_EQ(expect_right(p).schedule.trips, 2);
    EXPECT_EQ(expect_right(c2r({n}, 1, Precision::f64)).schedule.trips, 2);
  }
  expect_right(r2c({5000}, 2), 8000);
  expect_right(c2r({5000}, 2), 8000);
  expect_right(in_place(r2c({5000})), 8000);
  expect_right(in_place(c2r({9000})), 12000);
}

// A matrix's columns, an output with gaps, axes that lie the other way round.
TEST(Pipeline, AnyStrides) {
  Problem p;
  p.axes = {{12, 1, 200}, {10, 144, 1}};
  p.batch = {{12, 12, 14}};
  expect_right(p);
  p.axes = {{30, 40, 50}};
  p.batch = {{40, 1, 1}};
  p.scale = 2;
  expect_right(p);
}

TEST(Pipeline, TheDeviceMayBeTheHostItself) {
  for (Problem const& p : {c2c({16, 20, 24}), c2c({4096}), r2c({100, 64}), in_place(c2c({60, 60}))}) {
    Ran const ran = expect_right(p, -1, StreamStrategy::device_only, true);
    EXPECT_EQ(ran.up + ran.down + ran.pinned_peak, 0);
  }
}

// Long rows go from and to the caller's memory where the link reaches it: nothing is gathered, nothing scattered.
TEST(Pipeline, PinnedArraysAreCopiedAsTheyLie) {
  for (Problem const& p :
       {c2c({12, 10, 512}, 1, Precision::f64), in_place(c2c({12, 10, 512}, 1, Precision::f64)),
        c2c({8, 8, 8}, 60), r2c({20, 30, 260}, 1, Precision::f64)}) {
    Ran const ran = expect_right(p, -1, StreamStrategy::device_only, false, true);
    EXPECT_EQ(ran.pinned_peak, 0) << text(ran.schedule);
    EXPECT_GT(ran.schedule.passes.back().slicing.slices, 2);
  }
  // Short rows are gathered and scattered all the same.
  Ran const ran = expect_right(c2c({16, 20, 24}), -1, StreamStrategy::host_and_device, false, true);
  EXPECT_GT(ran.pinned_peak, 0);
  expect_right(c2c({60 * 64}, 1, Precision::f64), -1, StreamStrategy::automatic, false, true);
}

TEST(Pipeline, TheNextExecutionFindsTheMemoryOfTheFirst) {
  Problem const p = c2c({16, 16, 16});
  Schedule const s =
      make_schedule(p, {}, {in_bytes(p) / 6, false}, StreamStrategy::device_only, testing::cpu_workspace());
  testing::SimulatedDevice device(in_bytes(p) / 6);
  testing::SimulatedHost host;
  Reserve reserve(device);
  std::vector<std::byte> const in = noise(in_bytes(p), p.precision);
  std::vector<std::byte> out(in.size());
  execute(s, device, reserve, host, in.data(), out.data(), nullptr);
  Index const taken = device.allocations;
  EXPECT_GT(taken, 0);
  for (int i = 0; i < 2; ++i) execute(s, device, reserve, host, in.data(), out.data(), nullptr);
  EXPECT_EQ(device.allocations, taken);
}

TEST(Pipeline, OneSliceWhereAllFits) {
  Ran const ran = expect_right(c2c({16, 16}), 1 << 20);
  EXPECT_EQ(ran.schedule.trips, 1);
}

TEST(Pipeline, ReportsProgressAndStops) {
  Problem const p = c2c({16, 2, 512});
  Schedule const s =
      make_schedule(p, {}, {in_bytes(p) / 6, false}, StreamStrategy::device_only, testing::cpu_workspace());
  std::vector<std::byte> const in = noise(in_bytes(p), p.precision);
  std::vector<std::byte> out(in.size());
  for (bool const pinned : {false, true}) {
    testing::SimulatedDevice device(in_bytes(p) / 6);
    device.reaches_all = pinned;
    testing::SimulatedHost host;
    std::vector<Index> seen;
    auto const watch = [&](StreamProgress const& progress) {
      EXPECT_EQ(progress.slices, s.passes[0].slicing.slices + s.passes[1].slicing.slices);
      seen.push_back(progress.slices_done);
      return true;
    };
    Reserve reserve(device);
    execute(s, device, reserve, host, in.data(), out.data(), nullptr, watch);
    ASSERT_FALSE(seen.empty());
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], Index(i) + 1);
    for (Index const stop : {Index(1), Index(2), Index(seen.size()) - 1})
      EXPECT_THROW(execute(s, device, reserve, host, in.data(), out.data(), nullptr,
                           [&](StreamProgress const& progress) { return progress.slices_done < stop; }),
                   Cancelled);
  }
}

TEST(Pipeline, AnErrorOfTheDeviceArrives) {
  Problem const p = c2c({16, 2, 512});
  Schedule const s =
      make_schedule(p, {}, {in_bytes(p) / 6, false}, StreamStrategy::device_only, testing::cpu_workspace());
  std::vector<std::byte> const in = noise(in_bytes(p), p.precision);
  std::vector<std::byte> out(in.size());
  for (Index const at : {0, 1, 5, 6, 11}) {
    testing::SimulatedDevice device(in_bytes(p) / 6);
    device.reaches_all = at > 4;
    testing::SimulatedHost host;
    device.fail_at_run = at;
    Reserve reserve(device);
    EXPECT_THROW(execute(s, device, reserve, host, in.data(), out.data(), nullptr), Error);
  }
}

}  // namespace
}  // namespace skipper::stream
