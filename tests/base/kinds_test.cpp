// The table of kinds against the definitions of include/skipper/problem.h.
#include "base/kinds.h"

#include <gtest/gtest.h>

#include <set>

namespace skipper {
namespace {

using enum AxisKind;

TEST(Kinds, EveryKindHasARowOfItsOwn) {
  std::set<std::string_view> names;
  for (AxisKind kind : all_axis_kinds) {
    EXPECT_TRUE(names.insert(facts(kind).name).second) << facts(kind).name;
    EXPECT_EQ(inverse_kind(inverse_kind(kind)), kind) << facts(kind).name;
  }
  for (Kind kind : all_kinds) EXPECT_EQ(facts(facts(kind).inverse).inverse, kind) << facts(kind).name;
  EXPECT_EQ(all_kinds.size(), 4u);
  EXPECT_EQ(facts(AxisKind(-1)).name, "?");
  EXPECT_EQ(facts(AxisKind(int(all_axis_kinds.size()))).name, "?");
}

/// The inverse of a transform between two grids goes the other way between them.
TEST(Kinds, InversesSwapTheSides) {
  for (AxisKind kind : all_axis_kinds) {
    KindFacts const there = facts(kind), back = facts(there.inverse);
    EXPECT_EQ(there.in, back.out) << there.name;
    EXPECT_EQ(there.out, back.in) << there.name;
    EXPECT_EQ(there.basis, back.basis) << there.name;
    EXPECT_EQ(logical_size(kind, 10), logical_size(there.inverse, 10)) << there.name;
  }
}

TEST(Kinds, LogicalSizesAreThoseOfFftw) {
  EXPECT_EQ(logical_size(fourier, 10), 10);
  EXPECT_EQ(logical_size(dct1, 10), 18);
  EXPECT_EQ(logical_size(dst1, 10), 22);
  EXPECT_EQ(logical_size(dht, 10), 10);
  for (AxisKind kind : {dct2, dct3, dct4, dst2, dst3, dst4}) EXPECT_EQ(logical_size(kind, 10), 20);
  EXPECT_EQ(smallest_size(dct1), 2);
  for (AxisKind kind : all_axis_kinds) {
    EXPECT_GE(logical_size(kind, smallest_size(kind)), 1) << facts(kind).name;
    EXPECT_EQ(round_trip_factor({10, 1, 1, kind}), double(logical_size(kind, 10))) << facts(kind).name;
  }
}

/// As the comment on Norm lists them.
TEST(Kinds, EndPointsOfTheOrthonormalKinds) {
  auto const is = [](EndPoints points, bool first, bool last) {
    return points.first == first && points.last == last && points(0, 5) == first && points(4, 5) == last &&
           !points(2, 5);
  };
  for (AxisKind kind : all_axis_kinds) {
    bool const both = kind == dct1;
    EXPECT_TRUE(is(in_end_points(kind), both || kind == dct3, both || kind == dst3)) << facts(kind).name;
    EXPECT_TRUE(is(out_end_points(kind), both || kind == dct2, both || kind == dst2)) << facts(kind).name;
  }
}

}  // namespace
}  // namespace skipper
