// Compile-time cosines and sines against the long double library, reduced to an octant here too.
#include "kernel/constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "kernel/unroll.h"

namespace {

using namespace skipper::kernel;

struct Exact {
  long double cos, sin;
};

/// 2 pi k / n by the symmetries of the circle: Hermitian split the lower half, then the left half, then the diagonal.
Exact exact(long long k, long long n) {
  k %= n;
  if (2 * k > n) {
    Exact const e = exact(n - k, n);
    return {e.cos, -e.sin};
  }
  if (4 * k > n) {
    Exact const e = exact(n - 2 * k, 2 * n);
    return {-e.cos, e.sin};
  }
  if (8 * k > n) {
    Exact const e = exact(n - 4 * k, 4 * n);
    return {e.sin, e.cos};
  }
  long double const x =
      2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
  return {std::cos(x), std::sin(x)};
}

/// What hi + lo may be off by: the reference's own error, or that of double-double where long double is wider.
long double tolerance(long double value) {
  return std::abs(value) * std::max(4 * std::numeric_limits<long double>::epsilon(), 0x1p-100L);
}

void expect_close(DoubleDouble actual, long double expected) {
  long double const wide_error = static_cast<long double>(actual.high) + actual.low - expected;
  EXPECT_LE(std::abs(wide_error), tolerance(expected));
  double const next = std::nextafter(std::abs(actual.high), 2.0);
  long double const ulp = static_cast<long double>(next) - std::abs(actual.high);
  EXPECT_LE(std::abs(actual.high - expected), 0.5L * ulp + tolerance(expected)) << "not the nearest double";
}

template <int n>
void expect_all_roots() {
  for (int k = 0; k < n; ++k) {
    SCOPED_TRACE(testing::Message() << k << " of " << n);
    expect_close(roots<n>.at[k].cos, exact(k, n).cos);
    expect_close(roots<n>.at[k].sin, exact(k, n).sin);
  }
}

TEST(Constants, EveryRootUpToSixtyFourIsTheNearestDouble) {
#ifdef SKIPPER_QUICK_BUILD  // the compiler takes long for the others
  each<13>([](auto i) { expect_all_roots<5 * i + 1>(); });
#else
  each<64>([](auto i) { expect_all_roots<i + 1>(); });
#endif
}

TEST(Constants, RootsAreThoseComputedOneByOne) {
  auto const expect_same = []<int n>(Const<n>) {
    for (int k = 0; k < n; ++k) {
      Root const a = roots<n>.at[k], b = root(k, n);
      SCOPED_TRACE(testing::Message() << k << " of " << n);
      for (auto const& [in_list, alone] : {std::pair{a.cos, b.cos}, std::pair{a.sin, b.sin}}) {
        EXPECT_EQ(in_list.high, alone.high);
        EXPECT_EQ(std::signbit(in_list.high), std::signbit(alone.high));
        EXPECT_EQ(in_list.low, alone.low);
      }
    }
  };
  expect_same(Const<1>{});
  expect_same(Const<2>{});
  expect_same(Const<16>{});
  expect_same(Const<31>{});
  expect_same(Const<36>{});
}

TEST(Constants, LargeOrdersKeepTheirAccuracy) {
  constexpr long long n = (1LL << 40) + 15;
  constexpr Root first = root(1, n), quarter = root(n / 4, n), most = root(n - 1, n);
  expect_close(first.cos, exact(1, n).cos);
  expect_close(first.sin, exact(1, n).sin);
  expect_close(quarter.cos, exact(n / 4, n).cos);
  expect_close(quarter.sin, exact(n / 4, n).sin);
  expect_close(most.cos, exact(n - 1, n).cos);
  expect_close(most.sin, exact(n - 1, n).sin);
}

TEST(Constants, AxesAndDiagonalAreExact) {
  static_assert(cosine<12, 0> == 1.0 && sine<12, 0> == 0.0);
  static_assert(cosine<12, 3> == 0.0 && sine<12, 3> == 1.0);
  static_assert(cosine<12, 6> == -1.0 && sine<12, 6> == 0.0);
  static_assert(cosine<12, 9> == 0.0 && sine<12, 9> == -1.0);
  static_assert(cosine<12, 2> == 0.5 && sine<12, 1> == 0.5);
  static_assert(cosine<8, 1> == sine<8, 1> && cosine<8, 3> == -sine<8, 3>);
}

TEST(Constants, IndicesWrapBothWays) {
  static_assert(cosine<7, 2> == cosine<7, 9> && sine<7, 2> == sine<7, -5>);
  static_assert(sine<7, 2> == -sine<7, -2> && cosine<7, 2> == cosine<7, -2>);
}

TEST(Constants, WideArithmeticCarriesBeyondDouble) {
  constexpr DoubleDouble third = wide(1) / wide(3);
  static_assert(third.high == 1.0 / 3.0 && third.low != 0.0);
  constexpr DoubleDouble rest = third * wide(3) - wide(1);
  EXPECT_LE(std::abs(rest.high), 0x1p-104);
  constexpr DoubleDouble odd = wide((1LL << 59) + 1);  // does not fit a double
  static_assert(odd.high == 0x1p59 && odd.low == 1.0);
}

}  // namespace
