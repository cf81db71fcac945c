// Boxes between layouts, against copies element by element.
#include "stream/copy.h"

#include <gtest/gtest.h>

#include <cstring>

namespace skipper::stream {
namespace {

Loop const alone = [](Index count, std::function<void(Index, Index)> const& body) { body(0, count); };

void expect_copied(std::vector<BoxDim> const& dims, Index bytes) {
  Index from_span = 1, to_span = 1, count = 1;
  for (BoxDim const& d : dims) {
    from_span += (d.size - 1) * d.from;
    to_span += (d.size - 1) * d.to;
    count *= d.size;
  }
  std::vector<std::byte> from(std::size_t(from_span * bytes)), to(std::size_t(to_span * bytes)), expected;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = std::byte(i * 31 % 251);
  expected = to;
  for (Index at = 0; at < count; ++at) {
    Index a = 0, b = 0, rest = at;
    for (BoxDim const& d : dims) {
      a += rest % d.size * d.from;
      b += rest % d.size * d.to;
      rest /= d.size;
    }
    std::memcpy(&expected[std::size_t(b * bytes)], &from[std::size_t(a * bytes)], std::size_t(bytes));
  }
  for (Stores const stores : {Stores::plain, Stores::streaming}) {
    std::fill(to.begin(), to.end(), std::byte(0));
    copy_box(dims, bytes, from.data(), to.data(), alone, stores);
    EXPECT_EQ(to, expected);
  }
}

TEST(Copy, AnyBox) {
  for (Index const bytes : {2, 4, 8, 16}) {
    expect_copied({}, bytes);
    expect_copied({{5, 1, 1}}, bytes);
    expect_copied({{5, 7, 2}}, bytes);
    expect_copied({{3, 20, 6}, {6, 1, 1}}, bytes);
    expect_copied({{6, 1, 3}, {3, 6, 1}}, bytes);
    expect_copied({{2, 100, 12}, {3, 10, 4}, {4, 1, 1}}, bytes);
    expect_copied({{4, 0, 1}}, bytes);
    expect_copied({{5, 70, 67}, {65, 1, 1}}, bytes);  // rows that begin and end amid lines
    expect_copied({{300001, 1, 1}}, bytes);
    expect_copied({{2, 150000, 140000}, {140000, 1, 1}}, bytes);
  }
}

TEST(Copy, MergesWhatContinues) {
  EXPECT_EQ(merged({{4, 30, 30}, {5, 6, 6}, {6, 1, 1}}), (std::vector<BoxDim>{{120, 1, 1}}));
  EXPECT_EQ(merged({{6, 1, 1}, {5, 8, 6}}), (std::vector<BoxDim>{{5, 8, 6}, {6, 1, 1}}));
  EXPECT_EQ(merged({{1, 5, 9}}), std::vector<BoxDim>{});
}

TEST(Copy, RowsOfABox) {
  EXPECT_EQ(rows_of({{4, 30, 30}, {30, 1, 1}}), (std::vector<RowsOfBox>{{0, 0, 120, 1, 120, 120}}));
  EXPECT_EQ(rows_of({{6, 1, 1}, {5, 8, 6}}), (std::vector<RowsOfBox>{{0, 0, 6, 5, 8, 6}}));
  EXPECT_EQ(rows_of({{6, 1, 1}, {5, 8, 6}, {2, 100, 30}}),
            (std::vector<RowsOfBox>{{0, 0, 6, 5, 8, 6}, {100, 30, 6, 5, 8, 6}}));
  EXPECT_TRUE(rows_of({{6, 2, 1}}).empty());
  EXPECT_TRUE(rows_of({{6, 1, 3}, {3, 6, 1}}).empty());
}

}  // namespace
}  // namespace skipper::stream
