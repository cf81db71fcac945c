// Programs as public values.
#include <gtest/gtest.h>

#include <skipper/planning.h>

#include <cmath>

namespace skipper {
namespace {

TEST(Planning, ProgramsAreRankedAndAddUp) {
  for (char const* shape :
       {"c2c f32 forward 512x512x512", "c2c f32 forward 64x64x64 batch 512", "c2c f64 forward 1000"}) {
    auto const programs = planned(parse_problem(shape), "h200");
    ASSERT_FALSE(programs.empty());
    for (std::size_t i = 0; i < programs.size(); ++i) {
      PlannedProgram const& p = programs[i];
      EXPECT_GE(p.estimate, programs[i ? i - 1 : 0].estimate);
      double sum = 0;
      for (PlannedSweep const& s : p.sweeps) {
        sum += s.estimate;
        EXPECT_GT(s.tile_bytes, 0);
        EXPECT_FALSE(s.sub_transforms.empty());
        EXPECT_NE(p.text.find(s.text), std::string::npos);
        EXPECT_NE(s.text.find(s.sub_transforms[0]), std::string::npos);
      }
      EXPECT_NEAR(sum, p.estimate, 1e-9) << p.text;
      EXPECT_GT(p.seconds, 0);
    }
  }
}

TEST(Planning, OptionsAreHeeded) {
  PlanningOptions options;
  options.clusters = options.l2_blocks = false;
  options.max_candidates = 1;
  auto const programs = planned(c2c({512, 512, 512}), "h200", options);
  ASSERT_EQ(programs.size(), 1u);
  for (PlannedSweep const& s : programs[0].sweeps) {
    EXPECT_NE(s.tier, "cluster");
    EXPECT_EQ(s.l2_block_bytes, 0);
  }
  options.max_candidates = 0;
  EXPECT_THROW(planned(c2c({8}), "h200", options), Error);
}

TEST(Planning, MachinesByNameTextAndHost) {
  for (std::string const& name : machine_names())
    EXPECT_EQ(machine_text(machine_text(name)), machine_text(name));
  EXPECT_NE(machine_text("host").find(" cpu "), std::string::npos);
  EXPECT_FALSE(planned(c2c({4096}), "host").empty());
  EXPECT_EQ(planned(c2c({4096}), "h200")[0].text, planned(c2c({4096}), machine_text("h200"))[0].text);
  EXPECT_THROW(machine_text("abacus"), Error);
  EXPECT_THROW(planned(c2c({8}), "abacus"), Error);
}

}  // namespace
}  // namespace skipper
