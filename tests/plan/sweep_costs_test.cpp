// What is kept of sweeps is what lowering them anew would give, and costs no work twice.
#include "plan/sweep_costs.h"

#include <gtest/gtest.h>

#include "plan/cost.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

TEST(SweepCosts, AreThoseOfEverySweepAsItStands) {
  std::size_t number = 0;
  for (std::string const text :
       {"c2c f32 forward 61x97x83", "c2c f64 inverse 100x90x64 batch 3", "r2c f32 forward 64x48x100",
        "c2c f32 forward 10007x64", "c2c f32 forward 33554432"})
    for (std::string const name : {"h200", "a100"}) {
      if (!testing::takes(number++, 3)) continue;
      Machine const m = machine(name);
      PlanningWork work;
      SweepCosts costs(m, work);
      for (Candidate const& c : planner(parse_problem(text), m)) {
        SCOPED_TRACE(name + ": " + skipper::text(c.program));
        for (int s = 0; s < int(c.program.sweeps.size()); ++s)
          EXPECT_EQ(costs.lowered(c.program, s), lowered_sweep_cost(c.program, s, m)) << s;
        EXPECT_DOUBLE_EQ(costs.total(c.program), program_cost(c.program, m));
      }
    }
}

TEST(SweepCosts, AreWorkedOutOnce) {
  Machine const m = machine("h200");
  PlanningWork work;
  SweepCosts costs(m, work);
  Program program = planner(parse_problem("c2c f32 forward 200x300"), m).front().program;
  auto const first = costs.lowered(program, 0);
  Index const done = work.lowered;
  EXPECT_GT(done, 0);
  program.sweeps[1].with = {{{1, 0}, 1, 2}};  // the tile of another sweep
  EXPECT_EQ(costs.lowered(program, 0), first);
  EXPECT_EQ(work.lowered, done);
  ASSERT_FALSE(program.sweeps[0].with.empty());
  program.sweeps[0].with.clear();
  EXPECT_NE(costs.lowered(program, 0), first);
  EXPECT_GT(work.lowered, done);
}

}  // namespace
}  // namespace skipper::testing
