// Double-double arithmetic against fixed point of 288 bits.
#include "base/double_double.h"

#include <gtest/gtest.h>

#include <cmath>
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
    double const tiny = std::ldexp(1.0, -102);
    EXPECT_LE(std::fabs(approximate(fixed(a + b) - (fixed(a) + fixed(b)))), tiny);
    DoubleDouble const difference = a - b;
    EXPECT_LE(std::fabs(approximate(fixed(difference) - (fixed(a) - fixed(b)))),
              tiny * std::fabs(difference.high));
    EXPECT_LE(std::fabs(approximate(fixed(a * b) - fixed(a) * fixed(b))), tiny);
    EXPECT_LE(std::fabs(approximate(fixed(a / b) * fixed(b) - fixed(a))), tiny);
    for (DoubleDouble const& r : {a + b, difference, a * b, a / b}) EXPECT_EQ(r.high + r.low, r.high);
    EXPECT_EQ(a < b, (fixed(a) - fixed(b)).negative());
    Index const integer = static_cast<Index>(random());
    EXPECT_EQ(wide(integer >> 11), DoubleDouble(static_cast<double>(integer >> 11)));
    DoubleDouble const exact = wide(integer);
    // Wraps to the right value even where high alone is 2^63.
    std::uint64_t const back = static_cast<std::uint64_t>(static_cast<Index>(exact.high / 2)) * 2 +
                               static_cast<std::uint64_t>(static_cast<Index>(exact.low));
    EXPECT_EQ(static_cast<Index>(back), integer);
  }
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
