// The chosen program of each golden problem, for three machines. A change of the planner's choices shows here as a diff to be
// reviewed like code: SKIPPER_UPDATE_GOLDENS=1 rewrites the files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "base/machine.h"
#include "plan/cost.h"
#include "plan/planner.h"
#include "plan/tile.h"
#include "support/goldens.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

class Goldens : public ::testing::TestWithParam<char const*> {};

TEST_P(Goldens, AreWhatThePlannerChooses) {
  std::string const name = GetParam();
  Machine const m = machine(name);
  bool const update = std::getenv("SKIPPER_UPDATE_GOLDENS") != nullptr;
  std::ofstream file;
  std::vector<Golden> kept;
  if (update)
    file.open(golden_path(name));
  else
    kept = goldens(name);
  auto const problems = golden_problems();
  ASSERT_GE(problems.size(), 140u);
  ASSERT_TRUE(update || kept.size() == problems.size())
      << "the list of problems has changed: update the goldens";
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!update && quick() && i % 18) continue;
    Candidate const best = planner(problems[i], m).front();
    ASSERT_NO_THROW(check(best.program)) << text(best.program);
    if (update)
      file << golden_text(best.program);
    else
      EXPECT_EQ(golden_text(best.program), golden_text(kept[i].program));
  }
}

TEST_P(Goldens, ReadBackAndFitTheirMachine) {
  Machine const m = machine(GetParam());
  for (Golden const& golden : goldens(GetParam())) {
    SCOPED_TRACE(text(golden.program));
    EXPECT_EQ(golden.problem, golden.program.problem);
    EXPECT_EQ(parse_program(text(golden.program)), golden.program);
    EXPECT_GE(program_cost(golden.program, m), 0.79 * double(golden.program.sweeps.size()));
    for (int s = 0; s < int(golden.program.sweeps.size()); ++s) {
      Sweep const& sweep = golden.program.sweeps[s];
      bool const cluster = sweep.tier == Tier::cluster;
      EXPECT_LE(tile_points(tile_of(golden.program, s)) * element_bytes(golden.problem),
                cluster ? cluster_capacity(m) : block_capacity(m));
      EXPECT_LE(sweep.cluster_ranks, m.cluster);
      EXPECT_EQ(sweep.cluster_ranks > 1, cluster);
      EXPECT_TRUE(m.l2_block || !sweep.l2_block);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, Goldens, ::testing::Values("h200", "a100", "xeon-avx512"),
                         [](auto const& each) {
                           std::string name = each.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(GoldenProblems, AreThereOnce) {
  std::set<std::string> texts;
  for (Problem const& p : golden_problems()) EXPECT_TRUE(texts.insert(text(p)).second) << text(p);
}

/// The list is worth little if a sort of problem falls out of it unnoticed.
TEST(GoldenProblems, CoverEverySort) {
  auto const problems = golden_problems();
  auto const counted = [&](auto const& has) { return std::count_if(problems.begin(), problems.end(), has); };
  for (std::size_t cluster_rank = 1; cluster_rank <= 5; ++cluster_rank)
    EXPECT_GE(counted([&](Problem const& p) { return p.axes.size() == cluster_rank; }), 3)
        << cluster_rank << " axes";
  EXPECT_GE(counted([](Problem const& p) { return p.precision == Precision::f64; }), 25);
  EXPECT_GE(counted([](Problem const& p) { return p.direction == Direction::inverse; }), 7);
  EXPECT_GE(counted([](Problem const& p) { return p.placement == Placement::in_place; }), 8);
  EXPECT_GE(counted([](Problem const& p) { return p.order == Order::reversed; }), 4);
  EXPECT_GE(counted([](Problem const& p) { return p.order == Order::from_reversed; }), 3);
  EXPECT_GE(counted([](Problem const& p) { return p.scale != 1; }), 2);
  EXPECT_GE(counted([](Problem const& p) { return p != dense_layout(p); }), 10) << "strided";
  EXPECT_GE(counted([](Problem const& p) { return p.batch.size() > 1; }), 2);
  EXPECT_GE(counted([](Problem const& p) { return points(p) <= 8192; }), 25)
      << "small enough to emulate quickly";
}

}  // namespace
}  // namespace skipper::testing
