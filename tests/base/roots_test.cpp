// Roots of unity against the series over the whole turn in fixed point of 288 bits.
#include "base/roots.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <cmath>
#include <random>

#include "support/fixed_point.h"

namespace skipper {
namespace {

template <class T>
double error_in_ulps(T value, Fixed const& exact) {
  T const size = std::fabs(value);
  double const ulp = static_cast<double>(size) - static_cast<double>(std::nextafter(size, T(0)));
  double const error = std::fabs(approximate(fixed(static_cast<double>(value)) - exact));
  return error == 0 || size == 0 ? error * 1e60
                                 : error / ulp;  // zero allows no error but the reference's own
}

void expect_correctly_rounded(Index k, Index n) {
  Circle const exact = circle(((k % n) + n) % n, n);
  std::complex<double> const w = root64(k, n);
  std::complex<float> const v = root32(k, n);
  WideRoot const wide = wide_root(k, n);
  for (bool imaginary : {false, true}) {
    Fixed const& part = imaginary ? exact.im : exact.re;
    EXPECT_LE(error_in_ulps(imaginary ? w.imag() : w.real(), part), 0.5000001) << k << "/" << n;
    EXPECT_LE(error_in_ulps(imaginary ? v.imag() : v.real(), part), 0.5000001) << k << "/" << n;
    DoubleDouble const value = imaginary ? wide.im : wide.re;
    double const error = std::fabs(approximate(fixed(value) - part));
    EXPECT_LE(error, std::ldexp(std::fabs(value.high), -100) + 1e-60) << k << "/" << n;
  }
}

TEST(Roots, TheReferenceIsSound) {
  EXPECT_EQ(approximate(two_pi()), 6.283185307179586);
  Circle const diagonal = circle(1, 8);
  Fixed const half = diagonal.re * diagonal.re;
  EXPECT_LT(std::fabs(approximate(half - whole(1) / 2)), 1e-70);
  EXPECT_LT(std::fabs(approximate(diagonal.re + diagonal.im)), 1e-70);
  EXPECT_LT(std::fabs(approximate(circle(2, 3).im - (-circle(1, 3).im))), 1e-70);
}

TEST(Roots, CorrectlyRoundedForAllSmallOrders) {
  for (Index n = 1; n <= 40; ++n) {
    for (Index k = -1; k <= n; ++k) expect_correctly_rounded(k, n);
  }
}

TEST(Roots, CorrectlyRoundedForLargeAndAwkwardOrders) {
  Index const top = Index(1) << 62;
  for (Index n : {Index(4093), Index(65536), Index(1000003), (Index(1) << 31) - 1, Index(1) << 40,
                  Index(999999999989), top - 57, top - 1, top}) {
    for (Index k : {Index(0), Index(1), Index(2), Index(-1), n / 8, n / 8 + 1, n / 4 - 1, n / 4, n / 4 + 1,
                    n / 3, 3 * (n / 8), n / 2 - 1, n / 2, n / 2 + 1, n / 4 * 3, n - 1, n, -n}) {
      expect_correctly_rounded(k, n);
    }
  }
}

TEST(Roots, CorrectlyRoundedAtRandom) {
  std::mt19937_64 random(6);
  SCOPED_TRACE("seed 6");
  for (int round = 0; round < 2000; ++round) {
    Index const n = static_cast<Index>(random() >> (2 + round % 61)) + 1;
    Index const k = static_cast<Index>(random() >> (round % 64));  // of either sign
    expect_correctly_rounded(k, n);
  }
}

TEST(Roots, ExactWhereTheyCanBe) {
  for (Index n : {Index(24), Index(24) << 50, Index(1) << 62, Index(12) * 1009}) {
    EXPECT_EQ(wide_root(0, n), (WideRoot{1.0, 0.0}));
    EXPECT_EQ(wide_root(n / 4, n), (WideRoot{0.0, -1.0}));
    EXPECT_EQ(wide_root(n / 2, n), (WideRoot{-1.0, 0.0}));
    EXPECT_EQ(wide_root(n / 4 * 3, n), (WideRoot{0.0, 1.0}));
    for (Index quarter = 0; quarter < 4; ++quarter) {
      std::complex<double> const w = root64(quarter * (n / 4), n);
      EXPECT_FALSE(w.real() == 0 && std::signbit(w.real()));
      EXPECT_FALSE(w.imag() == 0 && std::signbit(w.imag()));
    }
    if (n % 8 == 0) {
      EXPECT_EQ(root64(n / 8, n), std::complex<double>(std::sqrt(0.5), -std::sqrt(0.5)));
      EXPECT_EQ(root32(n / 8, n), std::complex<float>(std::sqrt(0.5f), -std::sqrt(0.5f)));
    }
    if (n % 12 == 0) {
      EXPECT_EQ(root64(n / 12, n).imag(), -0.5);
      EXPECT_EQ(root64(n / 6, n).real(), 0.5);
    }
  }
}

TEST(Roots, SymmetriesHoldBitForBit) {
  std::mt19937_64 random(7);
  SCOPED_TRACE("seed 7");
  for (int round = 0; round < 2000; ++round) {
    Index const n = (static_cast<Index>(random() >> (7 + round % 56)) + 1) * 4;
    Index const k = static_cast<Index>(random() % static_cast<std::uint64_t>(n));
    std::complex<double> const w = root64(k, n);
    EXPECT_EQ(root64(n - k, n), std::conj(w));
    EXPECT_EQ(root64(k - n, n), w);
    EXPECT_EQ(root64(k + n / 2, n), -w);
    EXPECT_EQ(root64(k + n / 4, n), std::complex<double>(w.imag(), -w.real()));
    EXPECT_EQ(root64(n / 4 - k, n), std::complex<double>(-w.imag(), -w.real()));
    EXPECT_EQ(root64(3 * k, 3 * n), w);  // the same angle by other numbers
  }
}

TEST(Roots, TablesHoldTheSameRoots) {
  struct Case {
    Index n, count, step;
  };
  for (Case const& c :
       {Case{1, 5, 1}, Case{4, 9, 3}, Case{1024, 1024, 1}, Case{3000, 3000, 1}, Case{4093, 4093, 1},
        Case{4094, 3000, -5}, Case{8192, 5000, 8191}, Case{Index(1) << 62, 50, 3},
        Case{(Index(1) << 62) - 1, 50, Index(1) << 61}, Case{77, 400, 0}, Case{77, 0, 1}}) {
    auto const table = roots<double>(c.n, c.count, c.step);
    auto const narrow = roots<float>(c.n, c.count, c.step);
    ASSERT_EQ(table.size(), static_cast<std::size_t>(c.count));
    ASSERT_EQ(narrow.size(), table.size());
    Index k = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      ASSERT_EQ(table[i], root64(k, c.n)) << c.n << " at " << i;
      ASSERT_EQ(narrow[i], root32(k, c.n)) << c.n << " at " << i;
      k = (k + c.step % c.n) % c.n;
    }
  }
}

TEST(Roots, OrdersOutOfRangeAreRefused) {
  EXPECT_THROW(root64(1, 0), Error);
  EXPECT_THROW(root32(1, -8), Error);
  EXPECT_THROW(wide_root(1, (Index(1) << 62) + 1), Error);
  EXPECT_THROW(roots<double>(0, 1), Error);
  EXPECT_THROW(roots<double>(8, -1), Error);
}

TEST(Roots, ASourceGivesWhatTablesHold) {
  for (Index n : {Index(1), Index(2), Index(7), Index(12), Index(97), Index(1000), Index(4093), Index(65536),
                  Index(1) << 40}) {
    RootSource const source(n);
    for (Index k = 0; k < n; k += 1 + n / 500) {
      auto const exact = root64(k, n), wide = source.at<double>(k), near = source.at<float>(k);
      EXPECT_NEAR(wide.real(), exact.real(), std::ldexp(std::fabs(exact.real()), -52)) << k << "/" << n;
      EXPECT_NEAR(wide.imag(), exact.imag(), std::ldexp(std::fabs(exact.imag()), -52)) << k << "/" << n;
      EXPECT_LE(std::abs(near - exact), std::ldexp(1.0, -51)) << k << "/" << n;
      EXPECT_FALSE(std::signbit(near.real()) && near.real() == 0) << "no zero is negative";
    }
  }
  EXPECT_THROW(RootSource(0), Error);
}

}  // namespace
}  // namespace skipper
