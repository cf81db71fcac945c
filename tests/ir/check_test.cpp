#include "ir/check.h"

#include <gtest/gtest.h>

#include "ir/recorded.h"

namespace {

using namespace skipper::ir;
using namespace skipper::testing;

std::string first_fault(Kernel const& kernel) {
  auto const all = faults(kernel);
  return all.empty() ? "" : all.front();
}
bool has(std::string const& in, std::string const& what) { return in.find(what) != in.npos; }

TEST(Check, BarriersAreForAllThreads) {
  Recording r(header(64, 1024));
  if (Region const here(r.thread < 40); here) r.sync();
  EXPECT_TRUE(has(first_fault(r.builder.finish()), "not all threads of a block reach it"));
}

TEST(Check, BarriersMayHangOnTheBlock) {
  Recording r(header(64, 1024), Type::f32, 100);
  if (Region const here(r.block < 40); here) r.sync();
  EXPECT_EQ(first_fault(r.builder.finish()), "");
}

TEST(Check, BarriersOfAWarpMayHangOnTheWarp) {
  Recording r(header(128, 1024));
  if (Region const here(r.thread / 32 < 3); here) r.builder.effect(Op::warp_barrier);
  EXPECT_EQ(first_fault(r.builder.finish()), "");
  Recording other(header(128, 1024));
  if (Region const here(other.thread % 32 < 3); here) other.builder.effect(Op::warp_barrier);
  EXPECT_TRUE(has(first_fault(other.builder.finish()), "not all threads of a warp reach it"));
}

TEST(Check, BarriersOfAClusterMayNotHangOnTheRank) {
  Recording r(header(64, 1024, 4));
  if (Region const here(Index::of(r.builder.rank()) == 0); here) r.builder.effect(Op::cluster_barrier);
  EXPECT_TRUE(has(first_fault(r.builder.finish()), "not all threads of a cluster reach it"));
}

TEST(Check, ALoopThatThreadsLeaveApartIsNoPlaceForABarrier) {
  Recording r(header(64, 1024));
  r.builder.loop(r.thread.held(), Index(100).held(), 64, [&](int) { r.sync(); });
  EXPECT_TRUE(has(first_fault(r.builder.finish()), "not all threads of a block reach it"));
}

TEST(Check, WhatLoopsCarryByThreadIsNotUniform) {
  Recording r(header(64, 1024));
  Index own = 0;
  r.builder.loop(Index(0).held(), Index(3).held(), 1, [&](int) { own = own + r.thread; });
  if (Region const here(own < 5); here) r.sync();
  EXPECT_TRUE(has(first_fault(r.builder.finish()), "not all threads"));
}

/// A kernel that stores what it loads, with something done to it.
template <class F>
std::string spoilt(F f) {
  Recording r(header(32));
  if (Region const here(r.thread < 8); here) r.store(r.thread, r.load(r.thread) + Real(1.0));
  Kernel kernel = r.builder.finish();
  EXPECT_EQ(first_fault(kernel), "");
  f(kernel);
  return first_fault(kernel);
}
Value find(Kernel const& kernel, Op op) {
  for (Value v = 0; v < kernel.size(); ++v)
    if (kernel[v].op == op) return v;
  return no_value;
}

TEST(Check, TypesMustMatch) {
  EXPECT_TRUE(
      has(spoilt([](Kernel& k) { k.code[std::size_t(find(k, Op::add))].type = Type::f64; }), "of type"));
  EXPECT_TRUE(has(spoilt([](Kernel& k) {
                    k.operands[std::size_t(k[find(k, Op::if_begin)].first)] = find(k, Op::thread);
                  }),
                  "no predicate"));
}

TEST(Check, ValuesMustBeKnown) {
  EXPECT_TRUE(has(spoilt([](Kernel& k) {
                    auto const add = find(k, Op::add);
                    k.operands[std::size_t(k[add].first)] = add;
                  }),
                  "not known here"));
  // Behind its region a value is known by its merge alone.
  EXPECT_TRUE(
      has(spoilt([](Kernel& k) {
            Value const sum = find(k, Op::add);
            k.operands.push_back(sum);
            k.operands.push_back(sum);
            k.code.push_back(
                {.op = Op::multiply, .type = Type::f32, .first = int(k.operands.size()) - 2, .count = 2});
          }),
          "not known here"));
}

TEST(Check, RegionsAreClosedInOrder) {
  EXPECT_TRUE(has(spoilt([](Kernel& k) { k.code[std::size_t(find(k, Op::if_end))].op = Op::loop_end; }),
                  "closes no region"));
  EXPECT_TRUE(
      has(spoilt([](Kernel& k) { k.code.erase(k.code.begin() + find(k, Op::if_end)); }), "not closed"));
}

}  // namespace
