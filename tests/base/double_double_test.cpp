// Double-double arithmetic against fixed point of 288 bits.
#include "base/double_double.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/fixed_point.h"

namespace skipper {
namespace {

TEST(DoubleDouble, ArithmeticKeepsOver100Bits) {
  std::mt19937_64 random(8);
  SCOPED_TRACE("seed 8");
  std::uniform_real_distribution<double> unit(0.5, 1);
  for (int round = 0; round < 5000; ++round) {
    auto const draw = [&] { return two_sum(unit(random), std::ldexp(unit(random) - 0.75, -54)); };
    DoubleDouble const a = draw(), b = draw();
    double const tiny = std::ldexp(1.0, -104);
    EXPECT_LE(std::fabs(approximate(fixed(a + b) - (fixed(a) + fixed(b)))), tiny);
    DoubleDouble const difference = a - b;
    EXPECT_LE(std::fabs(approximate(fixed(difference) - (fixed(a) - fixed(b)))),
              tiny * std::fabs(difference.high));
    EXPECT_LE(std::fabs(approximate(fixed(a * b) - fixed(a) * fixed(b))), tiny);
    EXPECT_LE(std::fabs(approximate(fixed(a / b) * fixed(b) - fixed(a))), tiny);
    for (DoubleDouble const& r : {a + b, difference, a * b, a / b}) EXPECT_EQ(r.high + r.low, r.high);
    EXPECT_EQ(a < b, (fixed(a) - fixed(b)).negative());
  }
}

TEST(DoubleDouble, IntegersAreExact) {
  std::mt19937_64 random(9);
  SCOPED_TRACE("seed 9");
  for (int round = 0; round < 5000; ++round) {
    Index const n = static_cast<Index>(random()) >> (1 + round % 60);  // of either sign
    DoubleDouble const a = wide(n);
    EXPECT_EQ(a.high, static_cast<double>(n));
    EXPECT_EQ(static_cast<Index>(a.high) + static_cast<Index>(a.low), n);
  }
  EXPECT_EQ(wide(std::numeric_limits<Index>::max()), DoubleDouble(0x1p63, -1));
  EXPECT_EQ(wide(std::numeric_limits<Index>::min()), DoubleDouble(-0x1p63));
}

TEST(DoubleDouble, ToFloatRoundsOnce) {
  double const tie = 1 + std::ldexp(1.0, -24);  // halfway between two floats; to even is downwards
  float const above = std::nextafter(1.0f, 2.0f);
  EXPECT_EQ(to_float({tie, 0}), 1.0f);
  EXPECT_EQ(to_float({tie, 1e-30}), above);
  EXPECT_EQ(to_float({tie, -1e-30}), 1.0f);
  EXPECT_EQ(to_float({-tie, -1e-30}), -above);
  EXPECT_EQ(to_float({-tie, 1e-30}), -1.0f);
  double const odd_tie = 1 + 3 * std::ldexp(1.0, -24);  // to even is upwards
  EXPECT_EQ(to_float({odd_tie, 0}), std::nextafter(above, 2.0f));
  EXPECT_EQ(to_float({odd_tie, -1e-30}), above);
  EXPECT_EQ(to_float({1.0, -1e-30}), 1.0f);
}

}  // namespace
}  // namespace skipper
