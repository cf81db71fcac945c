// Transforms over ranks that are drawn: the same for the same numbers, of every sort, and planned by all numbers of ranks.
#include "coverage/exchanges.h"

#include <gtest/gtest.h>

#include "coverage/random_sort.h"

namespace skipper::coverage {
namespace {

TEST(Exchanges, AreOfEverySortWithABoxForEachRank) {
  Sizes const sizes = sizes_for(machine("xeon-avx512"), Index(1) << 18);
  expect_every_property(exchange_properties(), [&](std::uint64_t i) { return drawn_exchange(1, i, sizes); });
  for (std::uint64_t i = 0; i < 300; ++i) {
    ExchangeProblem const e = drawn_exchange(1, i, sizes);
    EXPECT_EQ(text(e), text(drawn_exchange(1, i, sizes)));
    EXPECT_NO_THROW(check(e.problem)) << text(e);
    if (!e.in.empty()) EXPECT_NO_THROW(bricks(in_sizes(e.problem), e.in, e.ranks)) << text(e);
    if (!e.out.empty()) EXPECT_NO_THROW(bricks(out_sizes(e.problem), e.out, e.ranks)) << text(e);
  }
}

}  // namespace
}  // namespace skipper::coverage
