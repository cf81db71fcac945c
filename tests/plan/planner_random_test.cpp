// Random problems, planned for three machines: whatever the layout, each candidate must be valid, read back from its
// text, fit the machine, and cost no less than its sweeps must. SKIPPER_SEED=n begins with
// problem n, so that one that failed comes first.
#include <gtest/gtest.h>

#include "plan/cost.h"
#include "plan/planner.h"
#include "plan/random_problem.h"
#include "plan/tile.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

void expect_fits(Program const& program, Machine const& m) {
  Index const element = element_bytes(program.problem), all = points(program.problem);
  for (int s = 0; s < int(program.sweeps.size()); ++s) {
    Sweep const& sweep = program.sweeps[s];
    Tile const tile = tile_of(program, s);
    Index const held = tile_points(tile);
    bool ragged = false;
    for (Carried const& c : tile.carried) ragged = ragged || c.bound > 0;
    EXPECT_LE(held * element, sweep.tier == Tier::cluster ? cluster_capacity(m) : block_capacity(m));
    EXPECT_LE(sweep.cluster_ranks, m.cluster);
    EXPECT_EQ(sweep.cluster_ranks > 1, sweep.tier == Tier::cluster);
    EXPECT_LE(read_segment(tile), held);
    EXPECT_LE(write_segment(tile), held);
    EXPECT_GE(held * tile_count(tile), all);
    EXPECT_EQ(held * tile_count(tile) > all, ragged) << "only a ragged digit makes tiles stand out";
    EXPECT_TRUE(m.l2_block || !sweep.l2_block);
  }
}

/// Every radix above 1, every axis made up of its radices, no sweep without work.
void expect_no_idle_parts(Program const& program) {
  for (std::size_t d = 0; d < program.dims.size(); ++d) {
    Index n = 1;
    for (Index r : program.radices[d]) {
      EXPECT_GT(r, 1);
      n *= r;
    }
    EXPECT_EQ(n, program.dims[d].size);
  }
  bool const work_for_all = program.sweeps.size() > 1;
  for (Sweep const& s : program.sweeps) EXPECT_FALSE(work_for_all && s.transforms.empty());
}

void plan_everywhere(unsigned seed) {
  RandomProblem random(seed);
  Problem const problem = random(Index(1) << (3 + random.below(19)));
  SCOPED_TRACE("SKIPPER_SEED=" + std::to_string(seed) + ": " + text(problem));
  ASSERT_NO_THROW(check(problem)) << "the generator is at fault";
  for (std::string const name : {"h200", "a100", "xeon-avx512"}) {
    Machine const m = machine(name);
    std::vector<Candidate> found;
    ASSERT_NO_THROW(found = planner(problem, m)) << name;
    ASSERT_FALSE(found.empty()) << name;
    for (Candidate const& c : found) {
      SCOPED_TRACE(name + ": " + text(c.program));
      EXPECT_NO_THROW(check(c.program));
      EXPECT_EQ(parse_program(text(c.program)), c.program);
      EXPECT_GE(c.cost, 0.9 * double(c.program.sweeps.size()));
      expect_fits(c.program, m);
      expect_no_idle_parts(c.program);
    }
  }
}

TEST(RandomProblems, AreAllPlanned) {
  unsigned const first = unsigned(seed_of_run()), many = quick() ? 12 : 150;
  for (unsigned i = 0; i < many; ++i) plan_everywhere(first + i);
}

}  // namespace
}  // namespace skipper::testing
