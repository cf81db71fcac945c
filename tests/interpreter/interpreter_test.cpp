#include "interpreter/interpreter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/check.h"
#include "ir/recorded.h"

namespace {

using namespace skipper;
using namespace skipper::ir;
using namespace skipper::testing;
using interpreter::Fault;

/// Runs the recorded kernel on numbers 0, 1, 2, .., and returns what it stored.
struct Outcome {
  std::vector<float> out;
  emulator::Counts counts;
};
Outcome run(Recording& r, int tiles = 1, int elements = 256, bool written = true) {
  Kernel const kernel = r.builder.finish();
  std::vector<float> in(static_cast<std::size_t>(elements)), out(in.size(), -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i);
  auto const set = written ? nullptr : std::make_shared<interpreter::Written>(in.data(), 4 * in.size());
  interpreter::Launch const launch{
      {std::int64_t(reinterpret_cast<std::uintptr_t>(in.data())),
       std::int64_t(reinterpret_cast<std::uintptr_t>(out.data()))},
      {{emulator::loadable(in.data(), elements), set}, {emulator::storable(out.data(), elements), nullptr}},
      tiles};
  auto const counts = interpreter::run(kernel, launch);
  return {std::move(out), counts};
}

/// What the fault of a run says; empty: there was none.
std::string fault_of(Recording& r, bool written = true) {
  try {
    run(r, 1, 256, written);
  } catch (Fault const& fault) {
    return fault.what();
  }
  return "";
}
bool has(std::string const& in, std::string const& what) { return in.find(what) != in.npos; }

TEST(Interpreter, ComputesWhatIsWritten) {
  Recording r(header(64), Type::f32, 4);
  Index const at = r.block * 64 + r.thread;
  Real const x = r.load(at);
  r.store(at, x * x - Real(0.5) * x);
  auto const [out, counts] = run(r, 4);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], float(i) * float(i) - 0.5f * float(i));
  EXPECT_EQ(counts.loads, 256);
  EXPECT_EQ(counts.load_sectors, 32);
  EXPECT_DOUBLE_EQ(counts.store_efficiency(), 1);
}

TEST(Interpreter, DividesByMultiplying) {
  for (int by : {3, 7, 10, 61, 100, 127, 641}) {
    Recording r(header(256));
    Index const x = r.thread * 7919 + 12345;
    r.store((x / by) % 256, Real(0.0));
    Kernel const kernel = r.builder.finish();
    EXPECT_EQ(text(kernel).find("divide"), std::string::npos);
  }
  Recording r(header(128));
  r.store(r.thread, r.load((r.thread * 7919 + 12345) / 61 % 200));
  auto const [out, counts] = run(r);
  for (int t = 0; t < 128; ++t) EXPECT_EQ(out[std::size_t(t)], float((t * 7919 + 12345) / 61 % 200));
}

TEST(Interpreter, DividesByWhatIsKnownWhenItRuns) {
  for (std::int64_t most : {std::int64_t(64), std::int64_t(1) << 40}) {
    Recording r(header(64), Type::f32, most);
    Index const n = Index::of(r.builder.blocks()), x = r.thread * 7919 + 12345;
    r.store(r.block * 64 + r.thread, r.load(x / n % 256 + x % n));
    auto const [out, counts] = run(r, 7, 512);
    for (int b = 0; b < 7; ++b)
      for (int t = 0; t < 64; ++t) {
        int const y = t * 7919 + 12345;
        EXPECT_EQ(out[std::size_t(64 * b + t)], float(y / 7 % 256 + y % 7));
      }
  }
}

TEST(Interpreter, ComparesNumbers) {
  Recording r(header(64));
  Real const x = r.load(r.thread), y = r.load(63 - r.thread);
  r.store(r.thread, select(x < y, x, y));
  r.store(r.thread + 64, select(x > y, x, y));
  auto const [out, counts] = run(r);
  for (int t = 0; t < 64; ++t) {
    EXPECT_EQ(out[std::size_t(t)], std::min(t, 63 - t));
    EXPECT_EQ(out[std::size_t(t + 64)], std::max(t, 63 - t));
  }
}

TEST(Interpreter, LoopsByStepsThatAreKnownWhenItRuns) {
  Recording r(header(64), Type::f32, 64);
  Real sum(0.0);
  Index const step = 10 * Index::of(r.builder.blocks());
  r.builder.loop_by(r.thread.held(), Index(100).held(), step.held(),
                    [&](int i) { sum = sum + r.load(Index::of(i)); });
  r.store(r.block * 64 + r.thread, sum);
  auto const [out, counts] = run(r, 3);
  for (int t = 0; t < 64; ++t) {
    float expected = 0;
    for (int i = t; i < 100; i += 30) expected += float(i);
    EXPECT_EQ(out[std::size_t(t)], expected) << t;
  }
}

TEST(Interpreter, RegionsAreForTheirThreads) {
  Recording r(header(64));
  Real x = r.load(r.thread);
  if (Region const here(r.thread < 20); here) {
    x = Real(0.0) - x;
    if (Region const inner(r.thread % 2 == 0); inner) x = x * Real(2.0);
  }
  r.store(r.thread, x);
  auto const [out, counts] = run(r);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(out[std::size_t(t)], t >= 20 ? t : t % 2 == 0 ? -2 * t : -t);
}

TEST(Interpreter, LoopsCarryTheirVariables) {
  Recording r(header(64));
  Real sum(0.0), product(1.0);
  Index at = r.thread;
  r.builder.loop(r.thread.held(), Index(100).held(), 30, [&](int i) {
    sum = sum + r.load(at);
    Real const swapped = product;
    product = sum;
    if (Region const here(Index::of(i) >= 90); here) sum = swapped;
    at = at + 2;
  });
  r.store(r.thread, sum);
  r.store(r.thread + 64, product);
  auto const [out, counts] = run(r);
  for (int t = 0; t < 64; ++t) {
    float s = 0, p = 1;
    for (int i = t, a = t; i < 100; i += 30, a += 2) {
      s = s + float(a);
      float const swapped = p;
      p = s;
      if (i >= 90) s = swapped;
    }
    EXPECT_EQ(out[std::size_t(t)], s) << t;
    EXPECT_EQ(out[std::size_t(t + 64)], p) << t;
  }
}

TEST(Interpreter, CallsUsersFunctions) {
  Recording r(header(64));
  Real x = r.load(r.thread);
  if (Region const here(r.thread < 20); here)
    x = Real::of(r.builder.by_user(Op::user_load, {x.held()}, (r.thread + 100).held(), r.array(1).held()));
  r.store(r.thread, x);
  Kernel const kernel = r.builder.finish();
  std::vector<float> in(64), out(64);
  for (int t = 0; t < 64; ++t) in[std::size_t(t)] = float(t);
  out[63] = 1000;
  interpreter::Launch launch{
      {std::int64_t(reinterpret_cast<std::uintptr_t>(in.data())),
       std::int64_t(reinterpret_cast<std::uintptr_t>(out.data()))},
      {{emulator::loadable(in.data(), 64), nullptr}, {emulator::storable(out.data(), 64), nullptr}}};
  EXPECT_THROW(interpreter::run(kernel, launch), Fault) << "which the launch does not have";
  launch.user_load = [](void* value, long long place, void* data) {
    *static_cast<float*>(value) += float(place) + static_cast<float*>(data)[63];
  };
  interpreter::run(kernel, launch);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(out[std::size_t(t)], t < 20 ? 2 * t + 1100 : t);
}

TEST(Interpreter, SharedMemoryExchanges) {
  Recording r(header(64, 256));
  r.put(r.thread, r.load(r.thread));
  r.sync();
  r.store(r.thread, r.take(63 - r.thread));
  auto const [out, counts] = run(r);
  for (int t = 0; t < 64; ++t) EXPECT_EQ(out[std::size_t(t)], 63 - t);
  EXPECT_EQ(counts.conflicts, 0);
  EXPECT_EQ(counts.wavefronts_write, 2);
}

TEST(Interpreter, CountsBankConflicts) {
  Recording r(header(32, 4096));
  r.put(r.thread * 32, Real(1.0));
  EXPECT_EQ(run(r).counts.conflicts, 31);
}

TEST(Interpreter, BlocksOfAClusterExchange) {
  Recording r(header(32, 128, 4));
  Index const rank = Index::of(r.builder.rank());
  r.builder.effect(Op::cluster_barrier);
  int const there = r.builder.remote(((rank + 1) % 4).held(), r.shared(r.thread).held());
  r.builder.store(r.access(Space::remote), there, {r.load(rank * 32 + r.thread).held()});
  r.builder.effect(Op::cluster_barrier);
  r.store(rank * 32 + r.thread, r.take(r.thread));
  auto const [out, counts] = run(r);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[std::size_t(i)], (i + 96) % 128);
}

TEST(Interpreter, BarriersOfAClusterOrderItsBlocks) {
  for (bool ordered : {true, false}) {
    Recording r(header(32, 0, 2));
    Index const rank = Index::of(r.builder.rank());
    Real const x = r.load(rank * 32 + r.thread);
    if (ordered) r.builder.effect(Op::cluster_barrier);
    r.store((1 - rank) * 32 + r.thread, x);
    Kernel const kernel = r.builder.finish();
    std::vector<float> data(64);
    auto const address = std::int64_t(reinterpret_cast<std::uintptr_t>(data.data()));
    interpreter::Launch const in_place{
        {address, address},
        {{emulator::loadable(data.data(), 64), nullptr}, {emulator::storable(data.data(), 64), nullptr}}};
    if (ordered)
      EXPECT_NO_THROW(interpreter::run(kernel, in_place));
    else
      EXPECT_THROW(interpreter::run(kernel, in_place), Fault);
  }
}

TEST(Interpreter, FindsAccessesOutOfBounds) {
  Recording load(header(64));
  load.store(load.thread, load.load(load.thread + 200));
  EXPECT_TRUE(has(fault_of(load), "thread 56, tile 0: global memory at byte 1024 of an array of 1024"));
  Recording put(header(64, 252));
  put.put(put.thread, Real(1.0));
  EXPECT_TRUE(has(fault_of(put), "thread 63, tile 0: shared memory at byte 252 of 252"));
}

TEST(Interpreter, FindsRaces) {
  Recording r(header(64, 256));
  r.put(r.thread, Real(1.0));
  r.store(r.thread, r.take(63 - r.thread));
  EXPECT_TRUE(has(fault_of(r), "race: shared memory"));
  Recording of_warp(header(64, 256));
  of_warp.put(of_warp.thread, Real(1.0));
  of_warp.builder.effect(Op::warp_barrier);
  of_warp.store(of_warp.thread, of_warp.take(of_warp.thread / 32 * 32 + 31 - of_warp.thread % 32));
  EXPECT_EQ(fault_of(of_warp), "");
  Recording global(header(64));
  global.store(global.thread / 2, Real(1.0));
  EXPECT_TRUE(has(fault_of(global), "race: output element 0"));
}

TEST(Interpreter, FindsDivergentBarriers) {
  Recording r(header(64, 256));
  if (Region const here(r.thread < 40); here) r.sync();
  EXPECT_TRUE(has(fault_of(r), "divergent barrier: 40 of 64 threads"));
}

TEST(Interpreter, FindsUnsetNumbersThatAreStored) {
  Recording shared(header(64, 512));
  shared.put(shared.thread, Real(1.0));
  shared.sync();
  shared.store(shared.thread, shared.take(shared.thread + 1) * Real(2.0));
  EXPECT_TRUE(has(fault_of(shared), "thread 63, tile 0: a number is stored that was never set"));
  Recording merged(header(64));
  Real x;
  if (Region const here(merged.thread < 60); here) x = Real(1.0);
  merged.store(merged.thread, x);
  EXPECT_TRUE(has(fault_of(merged), "thread 60, tile 0: a number is stored that was never set"));
  Recording memory(header(64));
  memory.store(memory.thread, memory.load(memory.thread));
  EXPECT_TRUE(has(fault_of(memory, false), "thread 0, tile 0: a number is stored that was never set"));
}

TEST(Interpreter, UnsetNumbersMayStayInRegisters) {
  Recording r(header(64));
  Real x;
  if (Region const here(r.thread < 60); here) x = r.load(r.thread);
  Real const square = x * x;
  if (Region const here(r.thread < 60); here) r.store(r.thread, square);
  EXPECT_EQ(fault_of(r), "");
}

TEST(Interpreter, FindsUnsetAddressesAndConditions) {
  Recording r(header(64));
  Value index = no_value;
  if (Region const here(r.thread < 60); here)
    index = r.builder.load({.space = Space::global, .type = Type::i32, .count = 1}, r.array(0).held());
  r.store(Index::of(r.builder.form_of(index, {0, 100})) + r.thread, Real(1.0));
  EXPECT_TRUE(has(fault_of(r), "an address that was never set"));
  Recording other(header(64));
  Real x;
  if (Region const here(other.thread < 60); here) x = other.load(other.thread);
  if (Region const here(x == Real(3.0)); here) other.store(other.thread, x);
  EXPECT_TRUE(has(fault_of(other), "thread 60, tile 0: a condition that was never set"));
}

TEST(Interpreter, FindsRemoteAccessesThatNoBarrierKeeps) {
  Recording r(header(32, 128, 2));
  int const there =
      r.builder.remote((Index(1) - Index::of(r.builder.rank())).held(), r.shared(r.thread).held());
  r.builder.store(r.access(Space::remote), there, {Real(1.0).held()});
  EXPECT_TRUE(has(fault_of(r), "before the first cluster barrier"));
}

}  // namespace
