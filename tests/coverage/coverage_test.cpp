// The choice of problems: what is rare comes first, what cannot be planned before all, and each group is the same wherever it is made.
#include "coverage/coverage.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <algorithm>

namespace skipper::coverage {
namespace {

Sizes const small{.small = 4096, .chip = 4096, .large_least = 4096, .large_most = 8192, .most = 8192};

/// Problems whose points are a multiple of 11 have a mechanism that others lack.
Uses uses_for_test(Problem const& p) {
  Index all = 1;
  for (Axis const& a : p.axes) all *= a.size;
  return all % 11 == 0 ? Uses{{"usual", ""}, {"rare", ""}} : Uses{{"usual", ""}};
}

TEST(Group, IsTheSameEveryTime) {
  auto const first = group(5, 3, group_size, small, uses_for_test);
  auto const again = group(5, 3, group_size, small, uses_for_test);
  ASSERT_EQ(first.size(), std::size_t(group_size));
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].problem, again[i].problem);
  EXPECT_NE(first[0].problem, group(6, 3, group_size, small, uses_for_test)[0].problem);
  EXPECT_NE(first[0].problem, group(5, 4, group_size, small, uses_for_test)[0].problem);
}

TEST(Group, TakesWhatIsRare) {
  Index there = 0, taken = 0;
  for (Index i = 0; i < group_size * drawn_for_each; ++i)
    there += uses_for_test(drawn(5, std::uint64_t(i), small)).contains({"rare", ""});
  for (Chosen const& c : group(5, 0, group_size, small, uses_for_test))
    taken += c.uses.contains({"rare", ""});
  ASSERT_GT(there, 0);
  EXPECT_EQ(taken, std::min(there, group_size));
}

TEST(Group, TakesWhatCannotBePlanned) {
  auto const chosen = group(5, 0, 8, small, [](Problem const& p) -> Uses {
    if (p.precision == Precision::f64) throw Error("problem", "is in f64");
    return {{"usual", ""}};
  });
  EXPECT_NE(chosen[0].refusal.find("is in f64"), std::string::npos);
  EXPECT_TRUE(chosen[0].uses.empty());
}

TEST(CoverageTable, ListsWhatNeverOccurred) {
  Counts counts;
  add(counts, {{"a", ""}, {"a", "odd"}});
  add(counts, {{"a", ""}, {"p", ""}});
  auto const rows = table(counts, {.mechanisms = {"a", "b"}, .problems = {"p"}, .with = {"odd", "even"}});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].problems, 2);
  EXPECT_EQ(rows[0].with, (std::vector<Index>{1, 0}));
  EXPECT_EQ(rows[1].problems, 0);
  EXPECT_EQ(rows[2].problems, 1);
  EXPECT_TRUE(rows[2].with.empty());
}

}  // namespace
}  // namespace skipper::coverage
