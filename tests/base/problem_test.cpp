// Problem as a value: the Error type, builders, dense and padded layouts, stored sizes and bytes.
#include <skipper/problem.h>

#include <gtest/gtest.h>

#include <limits>

namespace skipper {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

using Sizes = std::vector<std::int64_t>;

TEST(Error, SaysArgumentThenMessage) {
  Error const error("axes[1].size", "is 0");
  EXPECT_STREQ(error.what(), "axes[1].size: is 0");
  EXPECT_EQ(error.argument(), "axes[1].size");
}

TEST(Builders, GiveDenseRowMajorLayouts) {
  Problem const p = c2c({4, 5, 6}, 7, Precision::f64, Direction::inverse);
  EXPECT_EQ(p.axes, (std::vector<Axis>{{4, 30, 30}, {5, 6, 6}, {6, 1, 1}}));
  EXPECT_EQ(p.batch, (std::vector<Dim>{{7, 120, 120}}));
  EXPECT_EQ(p.precision, Precision::f64);
  EXPECT_EQ(p.direction, Direction::inverse);
  EXPECT_TRUE(c2c({8}).batch.empty());

  Problem const r = r2c({4, 6}, 3);
  EXPECT_EQ(r.axes, (std::vector<Axis>{{4, 6, 4}, {6, 1, 1}}));
  EXPECT_EQ(r.batch, (std::vector<Dim>{{3, 24, 16}}));
  Problem const c = c2r({4, 7}, 3);
  EXPECT_EQ(c.axes, (std::vector<Axis>{{4, 4, 7}, {7, 1, 1}}));
  EXPECT_EQ(c.batch, (std::vector<Dim>{{3, 16, 28}}));
  EXPECT_EQ(c.direction, Direction::inverse);
  Problem const d = r2r({4, 6}, {AxisKind::dct2, AxisKind::dst3});
  EXPECT_EQ(d.axes, (std::vector<Axis>{{4, 6, 6, AxisKind::dct2}, {6, 1, 1, AxisKind::dst3}}));
}

TEST(Layout, DenseStridesAreRowMajorAndSaturate) {
  EXPECT_EQ(dense_strides({}), Sizes{});
  EXPECT_EQ(dense_strides({3, 1, 5}), (Sizes{5, 5, 1}));
  EXPECT_EQ(dense_strides({2, largest, 3, 0, 7}), (Sizes{largest, 21, 7, 7, 1}));
}

TEST(Layout, InPlacePadsTheRealSide) {
  Problem const r = in_place(r2c({4, 6}, 3));
  EXPECT_EQ(r.placement, Placement::in_place);
  EXPECT_EQ(r.axes, (std::vector<Axis>{{4, 8, 4}, {6, 1, 1}}));
  EXPECT_EQ(r.batch, (std::vector<Dim>{{3, 32, 16}}));
  Problem const c = in_place(c2r({4, 7}, 3));
  EXPECT_EQ(c.axes, (std::vector<Axis>{{4, 4, 8}, {7, 1, 1}}));
  EXPECT_EQ(c.batch, (std::vector<Dim>{{3, 16, 32}}));
  EXPECT_EQ(in_place(c2c({4, 6}, 3)).axes, c2c({4, 6}, 3).axes);

  // A DCT axis inside: the halved axis still is the contiguous one.
  Problem mixed = r2c({4, 6, 5});
  mixed.axes[2].kind = AxisKind::dct2;
  mixed = in_place(mixed);
  EXPECT_EQ(halved_axis(mixed), 1u);
  EXPECT_EQ(mixed.axes, (std::vector<Axis>{{4, 40, 20}, {6, 1, 1}, {5, 8, 4, AxisKind::dct2}}));
  for (Problem const& p : {r, c, mixed, in_place(c2c({4, 6}, 3))}) EXPECT_NO_THROW(check(p));
}

TEST(Measures, StoredSizesAndBytes) {
  Problem const r = r2c({4, 7}, 3, Precision::f64);
  EXPECT_EQ(halved_axis(r), 1u);
  EXPECT_EQ(in_size(r, 0), 4);
  EXPECT_EQ(out_size(r, 0), 4);
  EXPECT_EQ(in_size(r, 1), 7);
  EXPECT_EQ(out_size(r, 1), 4);
  EXPECT_EQ(in_element_bytes(r), 8);
  EXPECT_EQ(out_element_bytes(r), 16);
  EXPECT_EQ(in_bytes(r), 3 * 4 * 7 * 8);
  EXPECT_EQ(out_bytes(r), 3 * 4 * 4 * 16);
  Problem const c = c2r({1});
  EXPECT_EQ(in_bytes(c), 8);
  EXPECT_EQ(out_bytes(c), 4);
  EXPECT_EQ(in_size(c2r({7}), 0), 4);
  EXPECT_EQ(halved_axis(c2c({4})), std::nullopt);
  EXPECT_EQ(in_element_bytes(r2r({4}, {AxisKind::dct4})), 4);
  // In place, the padded reals end where the complex numbers end, or before.
  EXPECT_EQ(out_bytes(in_place(r2c({4, 6}))), 4 * 4 * 8);
  EXPECT_LE(in_bytes(in_place(r2c({4, 6}))), 4 * 4 * 8);
}

TEST(Problem, LayoutsOfSizesThatMakeNoSenseDoNotOverflow) {
  Problem p;
  p.kind = Kind::r2c;
  p.axes = {{6, 0, 0}, {std::numeric_limits<std::int64_t>::min() + 2, 0, 0}};
  EXPECT_THROW(check(dense_layout(p)), Error);
  EXPECT_THROW(check(in_place(p)), Error);
}

}  // namespace
}  // namespace skipper
