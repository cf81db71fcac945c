// Sweeps of few tiles: two buffers and factors first where all blocks run at once anyway, and the kernel of old where not.
#include "plan/lower/latency_bound.h"

#include <gtest/gtest.h>

#include <skipper/problem.h>
#include "base/machine.h"
#include "kernel/queries.h"
#include "plan/lower/lower.h"
#include "plan/lower/occupancy.h"
#include "plan/planner.h"

namespace skipper {
namespace {

kernel::SweepSpec lowered(std::string const& problem, int sweep = 0) {
  auto const h200 = machine("h200");
  auto const best =
      planner(parse_problem(problem), h200, {.clusters = true, .l2_blocks = false, .max_candidates = 1});
  return lower(best.front().program, sweep, h200).spec;
}

int fences(kernel::SweepSpec const& spec) {
  int n = 0;
  for (int i = 0; i < spec.steps; ++i) n += kernel::fenced(spec, i);
  return n;
}

TEST(LatencyBound, OneTransformHasTwoBuffersAndItsFactorsFirst) {
  for (char const* problem : {"c2c f32 forward 1024", "c2c f32 forward 24x24x24", "c2c f64 forward 1000"}) {
    auto const spec = lowered(problem);
    EXPECT_TRUE(spec.preloads_twiddles) << problem;
    EXPECT_EQ(fences(spec), 0) << problem;
    EXPECT_EQ(spec.resident, 1) << problem;
    EXPECT_LE(kernel::all_twiddles(spec), kernel::max_twiddles) << problem;
  }
}

TEST(LatencyBound, ManyKeepTheirSharedMemoryAndRegisters) {
  for (char const* problem : {"c2c f32 forward 4096 batch 32768", "c2c f32 forward 24x24x24 batch 9709",
                              "c2c f64 forward 4096 batch 16384"}) {
    auto const spec = lowered(problem);
    EXPECT_FALSE(spec.preloads_twiddles) << problem;
    EXPECT_GT(fences(spec), 0) << problem;
  }
}

TEST(LatencyBound, BuffersAlternate) {
  auto const h200 = machine("h200");
  auto const many = lowered("c2c f32 forward 4096 batch 32768");
  auto const spec = with_double_buffering(many);
  EXPECT_EQ(spec.shared, 2 * many.shared);
  int last = -1;
  for (int i = 0; i < spec.steps; ++i)
    if (kernel::exchanged(spec, i)) {
      EXPECT_NE(kernel::exchange_base(spec, i), last);
      last = kernel::exchange_base(spec, i);
    }
  EXPECT_EQ(latency_bound(many, 8, 1 << 20, h200), many) << "more tiles than run at once";
}

TEST(LatencyBound, WhatDoesNotFitStays) {
  auto const h200 = machine("h200");
  auto const cubes = lowered("c2c f32 forward 24x24x24 batch 54");  // 108 KB each
  EXPECT_GT(fences(cubes), 0);
  auto const cluster = lowered("c2c f32 forward 65536 batch 2048");
  EXPECT_GT(fences(latency_bound(cluster, 8, 1, h200)), 0) << "other blocks store into this one's memory";
}

}  // namespace
}  // namespace skipper
