// What passes read and write, for each kind and placement.
#include "stream/passes.h"

#include <gtest/gtest.h>

namespace skipper::stream {
namespace {

std::string line(Pass const& pass) {
  char const* const names[] = {"in", "out", "work"};
  return std::string(names[int(pass.from)]) + " to " + names[int(pass.to)] + ": " + skipper::text(pass.whole);
}

TEST(Passes, ComplexDataStayInTheOutput) {
  auto const passes = passes_over(c2c({4, 6, 8}), {{2}, {1, 0}}, {false, true});
  ASSERT_EQ(passes.size(), 2u);
  EXPECT_FALSE(passes[0].on_device);
  EXPECT_EQ(line(passes[0]), "in to out: c2c f32 forward 8 batch 4x6");
  EXPECT_EQ(passes[1].from, Array::out);
  EXPECT_EQ(passes[1].whole.placement, Placement::in_place);
  EXPECT_EQ(passes[1].whole.axes.size(), 2u);
  EXPECT_EQ(work_bytes(passes), 0);
}

TEST(Passes, RealSidesAreMetOnce) {
  auto const there = passes_over(r2c({4, 6, 8}), {{2, 1}, {0}}, {true, true});
  EXPECT_EQ(there[0].whole.kind, Kind::r2c);
  EXPECT_EQ(there[1].whole.kind, Kind::c2c);
  EXPECT_EQ(work_bytes(there), 0);
  auto const back = passes_over(c2r({4, 6, 8}), {{0}, {2, 1}}, {true, true});
  EXPECT_EQ(back[0].whole.kind, Kind::c2c);
  EXPECT_EQ(back[1].whole.kind, Kind::c2r);
  EXPECT_EQ(back[0].to, Array::work);
  EXPECT_EQ(work_bytes(back), 4 * 6 * 5 * 8);
  auto const here = passes_over(in_place(c2r({4, 6, 8})), {{0}, {2, 1}}, {true, true});
  EXPECT_EQ(work_bytes(here), 0);
  for (Pass const& pass : here) EXPECT_NO_THROW(check(pass.whole));
}

TEST(Passes, OnlyTheLastScales) {
  Problem p = c2c({4, 6});
  p.scale = 3;
  auto const passes = passes_over(p, {{1}, {0}}, {true, true});
  EXPECT_EQ(passes[0].whole.scale, 1);
  EXPECT_EQ(passes[1].whole.scale, 3);
}

TEST(Passes, NeighboursComeFirstAndTheHalvedAxisBeforeAll) {
  EXPECT_EQ(axes_by_distance(c2c({4, 6, 8})), (std::vector<std::size_t>{2, 1, 0}));
  Problem p = c2c({4, 6, 8});
  std::swap(p.axes[0], p.axes[2]);
  EXPECT_EQ(axes_by_distance(p), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(axes_by_distance(r2c({4, 6, 8})).front(), 2u);
}

TEST(Passes, FourStepCutsNearTheRoot) {
  auto const passes = four_step(c2c({60}));
  ASSERT_TRUE(passes);
  EXPECT_EQ((*passes)[0].whole.axes[0].size, 6);
  EXPECT_EQ((*passes)[1].whole.axes[0].size, 10);
  EXPECT_EQ((*passes)[0].twiddled, 60);
  EXPECT_EQ(work_bytes(*passes), 60 * 8);
  EXPECT_FALSE(four_step(c2c({61})));
}

}  // namespace
}  // namespace skipper::stream
