// What the layouts of exchanges come to, by exact counts over all warps: no conflicts where powers of two allow it, remote
// stores in whole sectors, and little room for padding.
#include "plan/lower/padding.h"

#include <gtest/gtest.h>

#include "plan/counts.h"
#include "plan/lower/lower.h"
#include "plan/planner.h"

namespace skipper::testing {
namespace {

kernel::SweepSpec spec_of(std::string const& problem) {
  Machine const h200 = machine("h200");
  return lower(
             planner(parse_problem(problem), h200, {.l2_blocks = false, .max_candidates = 1}).front().program,
             0, h200)
      .spec;
}

TEST(Padding, RemoteStoresFillTheirSectors) {
  for (char const* problem : {"c2c f32 forward 32x32x32 batch 4096", "c2c f32 forward 32768 batch 4096",
                              "c2c f32 forward 65536 batch 2048", "c2c f32 forward 256x256 batch 2048",
                              "c2c f32 forward 192x192 batch 3640", "c2c f64 forward 32768 batch 2048"}) {
    kernel::SweepSpec const spec = spec_of(problem);
    ASSERT_GT(spec.cluster_ranks, 1) << problem;
    Index const element = std::string(problem).find("f64") == std::string::npos ? 8 : 16;
    int remote = 0;
    for (int i = 1; i < spec.steps; ++i) {
      if (!spec.step[i].exchange.remote) continue;
      ++remote;
      for (int cluster_rank = 0; cluster_rank < spec.cluster_ranks; ++cluster_rank) {
        SectorCount const count = exchange_sectors(spec, i, element, cluster_rank);
        EXPECT_LE(count.sectors, count.ideal * 5 / 4)
            << problem << ", step " << i << ", rank " << cluster_rank;
      }
    }
    EXPECT_EQ(remote, 1) << problem << ": elements change blocks once";
  }
}

TEST(Padding, LeavesRoomForOtherBlocks) {
  for (char const* problem : {"c2c f32 forward 8192 batch 16384", "c2c f32 forward 5000 batch 26844",
                              "c2c f32 forward 100x100 batch 13422", "c2c f32 forward 20x20x20 batch 16777",
                              "c2c f32 forward 192x192 batch 3640"}) {
    kernel::SweepSpec const spec = spec_of(problem);
    EXPECT_LE(spec.shared, 5 * active(spec, 0) * elements_per_thread(spec, 0) / 4) << problem;
  }
}

TEST(Padding, CountsSectorsOfAWarpRankByRank) {
  Lane streams[32];
  for (int i = 0; i < 32; ++i) streams[i] = {0, i};
  EXPECT_EQ(sectors_of(streams, 32, 8), 8);
  EXPECT_EQ(sectors_of(streams, 32, 16), 16);
  for (int i = 0; i < 32; ++i) streams[i] = {i % 2, i};
  EXPECT_EQ(sectors_of(streams, 32, 8), 16) << "each sector half in either rank";
  for (int i = 0; i < 32; ++i) streams[i] = {0, i + 1};
  EXPECT_EQ(sectors_of(streams, 32, 8), 9) << "not aligned";
}

}  // namespace
}  // namespace skipper::testing
