// Lengths of convolutions: long enough, smooth, and not much longer than need be.
#include "plan/lengths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/numbers.h"
#include "base/stopwatch.h"

namespace skipper {
namespace {

TEST(Lengths, OfConvolutionsOnChipFitAndAreSmooth) {
  for (Index n = 33; n < 10000; n += 1 + n / 50)
    for (Index element : {8, 16}) {
      Index const m = convolution_length(2 * n - 1, element);
      EXPECT_GE(m, 2 * n - 1);
      EXPECT_LT(m, 4 * n);
      EXPECT_TRUE(is_smooth(m, 7)) << m;
    }
  EXPECT_EQ(convolution_length(2 * 1009 - 1, 8), 2048);
  EXPECT_EQ(convolution_length(2 * 127 - 1, 8), 256);
  EXPECT_EQ(convolution_length(2 * 509 - 1, 8), 1024);  // two radices of 32
}

/// Lengths about the largest have thousands of divisors and more orders of radices than can be tried.
TEST(Lengths, OfHugeConvolutionsAreFoundSoon) {
  Index const n = (Index(1) << 53) + 1;
  Stopwatch watch;
  for (Index element : {8, 16}) {
    Index const m = convolution_length(2 * n - 1, element);
    EXPECT_GE(m, 2 * n - 1);
    EXPECT_LT(m, 4 * n);
    EXPECT_TRUE(is_smooth(m, 7)) << m;
  }
  watch.lap("both");
  EXPECT_LT(watch.parts()[0].seconds, 20);
}

TEST(Lengths, ToWeighAreLongEnoughSmoothAndDifferent) {
  for (Index n = 33; n < 10000; n += 1 + n / 50) {
    auto const lengths = convolution_lengths(2 * n - 1, 8);
    EXPECT_EQ(lengths.front(), convolution_length(2 * n - 1, 8));
    EXPECT_EQ(std::set<Index>(lengths.begin(), lengths.end()).size(), lengths.size());
    for (Index m : lengths) {
      EXPECT_GE(m, 2 * n - 1);
      EXPECT_LT(m, 4 * n);
      EXPECT_TRUE(is_smooth(m, 7)) << m;
    }
  }
  auto const lengths = convolution_lengths(2 * 3671 - 1, 8);
  EXPECT_NE(std::find(lengths.begin(), lengths.end(), 8192), lengths.end());
}

TEST(Lengths, OverSweepsAreCloseToTheLeast) {
  for (Index n : {20011, 65537, 524287, 1000003, 16777259}) {
    auto const lengths = spread_lengths(2 * n - 1);
    ASSERT_EQ(lengths.size(), 3u);
    for (Index m : lengths) {
      EXPECT_GE(m, 2 * n - 1);
      EXPECT_LE(double(m), 2.3 * double(n));
      EXPECT_TRUE(is_smooth(m, 7)) << m;
    }
    EXPECT_LT(lengths[0], lengths[1]);
  }
  EXPECT_EQ(spread_lengths(2 * 524287 - 1).front(), 1 << 20);
}

TEST(Lengths, NonSmoothAreThoseWithALargePrime) {
  for (Index n : {1, 2, 31, 32 * 31 * 29, 4096})
    EXPECT_FALSE(is_non_smooth(n, 16) || is_non_smooth(n, 8)) << n;
  for (Index n : {37, 74, 31 * 61}) EXPECT_TRUE(is_non_smooth(n, 16) && !is_non_smooth(n, 8)) << n;
  for (Index n : {67, 1009, 31 * 67}) EXPECT_TRUE(is_non_smooth(n, 16) && is_non_smooth(n, 8)) << n;
}

}  // namespace
}  // namespace skipper
