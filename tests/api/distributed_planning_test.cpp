// Predictions over ranks: they agree with what plans do, with each other, and stay within their time.
#include <gtest/gtest.h>

#include <skipper/distributed_planning.h>

#include <chrono>
#include <complex>
#include <map>
#include <numeric>
#include <thread>
#include "support/untyped.h"

namespace skipper {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t volume(Box const& box) {
  return std::accumulate(box.size.begin(), box.size.end(), std::int64_t(1), std::multiplies<>());
}

DistributedSettings on(std::string const& links) {
  DistributedSettings settings;
  settings.links = links;
  return settings;
}

TEST(PlannedRanks, AreWhatPlansDo) {
  for (bool const messages : {false, true})
    for (Problem const& problem : {c2c({24, 20, 18}), r2c({15, 14, 22}, 1, Precision::f64), c2c({5, 7})}) {
      int const ranks = 4;
      // A rank a node where messages are sent, so that all need them; threads are all of one node else.
      DistributedSettings settings = on(messages ? "infiniband" : "host");
      settings.exchange = messages ? ExchangeMethod::messages : ExchangeMethod::direct;
      settings.cpu.threads = 1;
      PlannedRanks const planned = planned_ranks(problem, ranks, "h200", settings);
      std::vector<std::thread> threads;
      std::int64_t max_sent = 0, max_memory = 0;
      std::mutex mutex;
      for (auto const& c : thread_communicators(ranks))
        threads.emplace_back([&, c] {
          DistributedSettings mine = settings;
          mine.program = planned.text;
          DistributedPlan const plan(problem, c, mine);
          PlannedRank const rank = planned_rank(planned.text, c->rank(), planned.links);
          std::int64_t sent = 0;
          for (PlannedRankStage const& s : rank.stages)
            for (PlannedTransfer const& t : s.sends) sent += t.bytes;
          std::lock_guard const lock(mutex);
          EXPECT_EQ(plan.describe(), planned.text);
          EXPECT_EQ(plan.sent_bytes(), sent);
          EXPECT_EQ(plan.in_box(), rank.stages.front().in);
          EXPECT_EQ(plan.out_box(), rank.stages.back().out);
          EXPECT_EQ(rank.array_bytes, plan.in_elements() * in_element_bytes(problem) +
                                          plan.out_elements() * out_element_bytes(problem));
          // Beside it a plan holds a piece in cache for each thread.
          EXPECT_LE(rank.buffer_bytes, plan.memory_bytes());
          EXPECT_GE(rank.buffer_bytes, plan.memory_bytes() - (4 << 20));
          if (volume(rank.stages[0].in) * in_element_bytes(problem) < (4 << 20)) {
            std::int64_t largest = 0;
            for (PlannedRankStage const& s : rank.stages)
              largest = std::max(largest, std::max(volume(s.in), volume(s.out)) * out_element_bytes(problem));
            EXPECT_GE(rank.buffer_bytes, plan.memory_bytes() - largest);
          }
          max_sent = std::max(max_sent, sent);
          max_memory = std::max(max_memory, rank.buffer_bytes);
        });
      for (std::thread& t : threads) t.join();
      std::int64_t predicted = 0;
      for (PlannedStage const& s : planned.stages) predicted += s.node_bytes + s.network_bytes;
      EXPECT_GE(predicted, max_sent);
      EXPECT_EQ(planned.buffer_bytes, max_memory);
      EXPECT_EQ(messages, planned.stages[0].network_bytes > 0);
    }
}

TEST(PlannedRank, SendsWhatTheOthersReceive) {
  PlannedRanks const planned = planned_ranks(c2c({13, 17, 11}), 12, "h200", on("nvlink"));
  using Key = std::tuple<std::size_t, int, int>;
  std::map<Key, Box> sent, received;
  for (int r = 0; r < 12; ++r) {
    PlannedRank const rank = planned_rank(planned.text, r, planned.links);
    for (std::size_t s = 0; s < rank.stages.size(); ++s) {
      for (PlannedTransfer const& t : rank.stages[s].sends) {
        sent[{s, r, t.rank}] = t.box;
        EXPECT_EQ(t.bytes, volume(t.box) * 8);
        EXPECT_EQ(t.same_node, r / 8 == t.rank / 8);
      }
      for (PlannedTransfer const& t : rank.stages[s].receives) received[{s, t.rank, r}] = t.box;
    }
  }
  EXPECT_FALSE(sent.empty());
  EXPECT_EQ(sent, received);
}

TEST(PlannedRanks, FollowTheFacts) {
  Problem const problem = c2c({512, 512, 512});
  PlannedRanks const nvlink = planned_ranks(problem, 8, "h200", on("nvlink"));
  EXPECT_LT(nvlink.seconds, planned_ranks(problem, 8, "h200", on("pcie")).seconds);
  EXPECT_LT(nvlink.seconds, planned_ranks(problem, 8, "a100", on("nvlink")).seconds);
  DistributedSettings any = on("nvlink");
  any.any_output = true;
  EXPECT_LT(planned_ranks(problem, 8, "h200", any).seconds, nvlink.seconds);
  // Ranks of a node share a CPU, and have a GPU each.
  std::string const cpu = planned_ranks(problem, 1, "h200").text;
  EXPECT_EQ(planned_ranks(problem, 2, "h200", on("nvlink")).rank_bandwidth, nvlink.rank_bandwidth);
  EXPECT_EQ(cpu, "c2c f32 forward 512x512x512 over 1 ranks\ngrid 1x1x1 axes 0,1,2");
}

TEST(PlannedRanks, PlanThousandsOfRanksInTime) {
  DistributedSettings settings = on("infiniband");
  settings.any_output = true;
  auto const begin = Clock::now();
  PlannedRanks const planned = planned_ranks(c2c({4096, 4096, 4096}), 4096, "h200", settings);
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - begin).count(), 2.0);
  EXPECT_EQ(planned.array_bytes, 2 * (std::int64_t(1) << 36) * 8 / 4096);
}

TEST(PlannedRanks, RefuseWhatDoesNotFit) {
  auto const fault = [](auto const& use) -> std::string {
    try {
      use();
    } catch (Error const& e) {
      return e.argument();
    }
    return "none";
  };
  DistributedSettings boxes = on("nvlink");
  boxes.in = slabs({8, 8}, 3);
  EXPECT_EQ(fault([&] { planned_ranks(c2c({8, 8}), 4, "h200", boxes); }), "in");
  boxes.in = {};
  boxes.out = slabs({8, 4}, 4);
  EXPECT_EQ(fault([&] { planned_ranks(c2c({8, 8}), 4, "h200", boxes); }), "out");
  EXPECT_EQ(fault([&] { planned_ranks(c2c({8, 8}), 0, "h200"); }), "ranks");
  EXPECT_EQ(fault([&] { planned_ranks(c2c({8, 8}), 2, "abacus"); }), "machine");
  EXPECT_EQ(fault([&] { planned_ranks(c2c({8, 8}), 2, "h200", on("rope")); }), "links");
  EXPECT_EQ(fault([&] { planned_rank("c2c f32 forward 8x8 over 1 ranks\ngrid 1x1 axes 0,1", 1); }), "rank");
}

TEST(ExecuteTimed, SaysWhatEachStageTook) {
  std::vector<std::thread> threads;
  for (auto const& c : thread_communicators(3))
    threads.emplace_back([c] {
      DistributedPlan const plan(c2c({48, 40, 36}), c);
      std::vector<std::complex<float>> in(std::size_t(plan.in_elements()), 1.0f),
          out(std::size_t(plan.out_elements())), again(out.size());
      plan.execute(testing::untyped(in.data()), testing::untyped(again.data()));
      auto const begin = Clock::now();
      std::vector<StageTimes> const times =
          plan.execute_timed(testing::untyped(in.data()), testing::untyped(out.data()));
      double const wall = std::chrono::duration<double>(Clock::now() - begin).count();
      EXPECT_EQ(int(times.size()), plan.exchanges() + 1);
      double all = 0, transforms = 0, moves = 0;
      for (StageTimes const& t : times) {
        transforms += t.transform_seconds;
        moves += t.move_seconds;
        all += t.transform_seconds + t.move_seconds + t.wait_seconds;
      }
      EXPECT_GT(transforms, 0);
      EXPECT_GT(moves, 0);
      EXPECT_LE(all, wall * 1.001);
      EXPECT_EQ(out, again);
    });
  for (std::thread& t : threads) t.join();
}

/// Strides that the boxes of ranks cannot have are refused, not silently left aside.
TEST(PlannedRanks, RefuseStrides) {
  auto const fault = [](Problem const& problem) -> std::string {
    try {
      planned_ranks(problem, 2, "h200");
    } catch (Error const& e) {
      return e.argument();
    }
    return "";
  };
  Problem problem = c2c({8, 6}, 3);
  EXPECT_EQ(fault(problem), "");
  problem.axes[1].in_stride = 2;
  EXPECT_EQ(fault(problem), "axes[1]");
  problem = c2c({8, 6}, 3);
  problem.batch[0].out_stride = 100;
  EXPECT_EQ(fault(problem), "batch[0]");
  for (Axis& axis : problem.axes) axis.in_stride = axis.out_stride = 0;
  problem.batch[0].in_stride = problem.batch[0].out_stride = 0;
  EXPECT_EQ(fault(problem), "") << "only sizes";
  EXPECT_EQ(fault(in_place(r2c({8, 6}))), "");
  Problem here = r2c({8, 6});
  here.placement = Placement::in_place;
  EXPECT_EQ(fault(here), "") << "dense as it was before";
}

}  // namespace
}  // namespace skipper
