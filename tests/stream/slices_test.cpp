// Boxes, packed problems and offsets of slices.
#include "stream/slices.h"

#include <gtest/gtest.h>

namespace skipper::stream {
namespace {

TEST(Slices, BoxesCoverEveryIndexOnce) {
  Problem p;
  p.axes = {{4, 1, 1}};
  p.batch = {{5, 100, 100}, {7, 10, 10}};
  std::vector<Index> const extents = {1, 3};
  ASSERT_EQ(slice_count(p, extents), 15);
  std::vector<int> seen(35);
  for (Index s = 0; s < 15; ++s) {
    Box const box = slice_box(p, extents, s);
    for (Index i = 0; i < box.count[0]; ++i)
      for (Index j = 0; j < box.count[1]; ++j) ++seen[std::size_t((box.first[0] + i) * 7 + box.first[1] + j)];
    EXPECT_EQ(in_offset(p, box), 100 * box.first[0] + 10 * box.first[1]);
  }
  EXPECT_EQ(seen, std::vector<int>(35, 1));
}

// The paper's slices: all of Z and Y, some neighbours in X, packed in the order [z][y][x].
TEST(Slices, ArePackedInTheOrderOfTheHost) {
  Problem p;
  p.axes = {{8, 600, 600}, {6, 100, 100}};
  p.batch = {{100, 1, 1}};
  Problem const slice = slice_problem(p, {16});
  EXPECT_EQ(slice.batch, (std::vector<Dim>{{16, 1, 1}}));
  EXPECT_EQ(slice.axes[1].in_stride, 16);
  EXPECT_EQ(slice.axes[0].in_stride, 96);
  EXPECT_EQ(slice.placement, Placement::in_place);
  EXPECT_EQ(merged(gather_dims(p, slice)), (std::vector<BoxDim>{{48, 100, 16}, {16, 1, 1}}));
  EXPECT_EQ(merged(scatter_dims(p, slice)), (std::vector<BoxDim>{{48, 16, 100}, {16, 1, 1}}));
}

TEST(Slices, SidesThatDifferNeedTwoBuffers) {
  Problem p;
  p.axes = {{8, 1, 20}};
  p.batch = {{20, 8, 1}};
  EXPECT_EQ(slice_problem(p, {5}).placement, Placement::out_of_place);
  EXPECT_EQ(slice_problem(p, {5}).axes[0].out_stride, 5);
  Problem real = r2c({10}, 6);
  EXPECT_EQ(slice_problem(real, {2}).placement, Placement::out_of_place);
  EXPECT_EQ(in_bytes(slice_problem(real, {2})), 2 * 10 * 4);
  EXPECT_EQ(out_bytes(slice_problem(real, {2})), 2 * 6 * 8);
}

// What is padded and cropped goes out of place, even where it stores as much as it loads.
TEST(Slices, PartsOfAnAxisNeedTwoBuffers) {
  Problem p = c2c({8}, 6);
  p.axes[0].in_count = p.axes[0].out_count = 5;
  Problem const slice = slice_problem(dense_layout(p), {2});
  EXPECT_EQ(slice.placement, Placement::out_of_place);
  EXPECT_NO_THROW(check(slice));
}

}  // namespace
}  // namespace skipper::stream
