// Which outputs are put together in shared memory before they are stored, and that these are stored in whole sectors.
#include "plan/lower/coalesce.h"

#include <gtest/gtest.h>

#include "base/machine.h"
#include "plan/counts.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper {
namespace {

kernel::SweepSpec last_spec(Problem const& problem) {
  Machine const m = machine("h200");
  Program const program = planner(problem, m).front().program;
  return lower(program, int(program.sweeps.size()) - 1, m).spec;
}

TEST(Coalesce, RowsOfHalvedSpectraAreStoredInWholeSectors) {
  for (Problem const& p : {r2c({16}, 4096), r2c({100}, 4096), r2c({24, 24, 24}, 64), r2c({16, 16}, 512)}) {
    auto const spec = last_spec(p);
    ASSERT_GT(spec.post.coalesced_pairs, 0) << text(p);
    EXPECT_GE(spec.shared, spec.post.coalesced_pairs);
    EXPECT_TRUE(store_sectors(spec, 0, 8).full()) << text(p);
  }
  auto const odd = last_spec(r2c({18}, 3));  // tiles of few rows begin amid a sector
  ASSERT_GT(odd.post.coalesced_pairs, 0);
  auto const count = store_sectors(odd, 0, 8);
  EXPECT_LE(count.sectors, count.ideal + 1);
}

TEST(Coalesce, GatherIndicesThatSplitSectorsToo) {
  auto const spec = last_spec(r2r({1024}, {AxisKind::dct4}, 4096));
  EXPECT_GT(spec.post.coalesced_pairs, 0);
  EXPECT_TRUE(store_sectors(spec, 0, 8).full());
}

TEST(Coalesce, LeavesAloneWhatItWouldNotPayFor) {
  EXPECT_EQ(last_spec(r2c({4096}, 1000)).post.coalesced_pairs, 0);
  EXPECT_EQ(last_spec(r2r({1024}, {AxisKind::dct2}, 4096)).post.coalesced_pairs, 0);
}

TEST(Coalesce, LeavesAloneAPartOfAnAxis) {
  Problem long_lines = r2r({45864}, {AxisKind::dst2}, 108);
  long_lines.precision = Precision::f16;
  Machine const m = machine("h200");
  Program const program = planner(long_lines, m).front().program;
  ASSERT_EQ(program.sweeps.size(), 2u);
  EXPECT_EQ(lower(program, 1, m).spec.post.coalesced_pairs, 0);
}

TEST(Coalesce, LeavesAloneWhatIsNotOneRun) {
  Problem apart = r2c({16}, 4096);
  apart.batch[0].out_stride = 12;
  EXPECT_EQ(last_spec(apart).post.coalesced_pairs, 0);
  EXPECT_EQ(last_spec(c2c({16}, 4096)).post.coalesced_pairs, 0);
  EXPECT_EQ(last_spec(c2r({16}, 4096)).post.coalesced_pairs, 0);
  EXPECT_EQ(last_spec(r2c({128, 128, 128}, 2)).post.coalesced_pairs, 0);
}

}  // namespace
}  // namespace skipper
