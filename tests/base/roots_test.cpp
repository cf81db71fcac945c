// Roots of unity and double-double arithmetic against fixed-point numbers of 288 bits: no octants, no
// constants, no floating point, so nothing in common with what is tested.
#include "base/roots.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <array>
#include <cmath>
#include <random>

#include "base/double_double.h"

namespace skipper {
namespace {

// A number modulo 2^32 with 256 bits behind the point, two's complement, the lowest limb first.
struct Fixed {
  std::array<std::uint32_t, 9> limb{};

  bool negative() const { return limb[8] >> 31; }
};

Fixed operator+(Fixed const& a, Fixed const& b) {
  Fixed sum;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    carry += std::uint64_t(a.limb[i]) + b.limb[i];
    sum.limb[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return sum;
}

Fixed operator-(Fixed a) {
  for (auto& limb : a.limb) limb = ~limb;
  Fixed last;
  last.limb[0] = 1;
  return a + last;
}

Fixed operator-(Fixed const& a, Fixed const& b) { return a + -b; }

// For factors that are not negative.
Fixed operator*(Fixed const& a, Fixed const& b) {
  std::array<std::uint32_t, 19> all{};
  for (std::size_t i = 0; i < 9; ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 9; ++j) {
      carry += std::uint64_t(a.limb[i]) * b.limb[j] + all[i + j];
      all[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    all[i + 9] = static_cast<std::uint32_t>(carry);
  }
  Fixed product;
  for (std::size_t i = 0; i < 9; ++i) product.limb[i] = all[i + 8];
  return product;
}

Fixed operator/(Fixed a, std::uint32_t b) {
  std::uint64_t rest = 0;
  for (std::size_t i = 9; i-- > 0;) {
    rest = rest << 32 | a.limb[i];
    a.limb[i] = static_cast<std::uint32_t>(rest / b);
    rest %= b;
  }
  return a;
}

Fixed whole(std::uint32_t n) {
  Fixed a;
  a.limb[8] = n;
  return a;
}

// k/n for 0 <= k < n <= 2^62, a bit at a time.
Fixed fraction(Index k, Index n) {
  Fixed a;
  for (std::size_t bit = 256; bit-- > 0;) {
    k *= 2;
    if (k < n) continue;
    k -= n;
    a.limb[bit / 32] |= std::uint32_t(1) << (bit % 32);
  }
  return a;
}

// Exact for |value| < 2^31 whose last bit is not below 2^-256.
Fixed fixed(double value) {
  Fixed a;
  double rest = std::fabs(value);
  for (std::size_t i = 9; i-- > 0; rest = std::ldexp(rest, 32)) {
    a.limb[i] = static_cast<std::uint32_t>(rest);
    rest -= a.limb[i];
  }
  return value < 0 ? -a : a;
}

Fixed fixed(DoubleDouble value) { return fixed(value.high) + fixed(value.low); }

double approximate(Fixed a) {
  bool const negative = a.negative();
  if (negative) a = -a;
  double sum = 0;
  for (std::size_t i = 0; i < 9; ++i) sum += std::ldexp(a.limb[i], 32 * (static_cast<int>(i) - 8));
  return negative ? -sum : sum;
}

Fixed arctangent_of_inverse(std::uint32_t n) {
  Fixed sum, power = whole(1) / n;
  for (std::uint32_t k = 1; k < 400; k += 2, power = power / n / n) {
    sum = k % 4 == 1 ? sum + power / k : sum - power / k;
  }
  return sum;
}

// Machin: pi/4 = 4 arctan(1/5) - arctan(1/239).
Fixed two_pi() {
  static Fixed const value = whole(32) * arctangent_of_inverse(5) - whole(8) * arctangent_of_inverse(239);
  return value;
}

struct Circle {
  Fixed re, im;
};

// exp(-2 pi i k/n) by the series over the whole turn, 0 <= k < n.
Circle reference(Index k, Index n) {
  Fixed const angle = two_pi() * fraction(k, n);
  Circle sum;
  Fixed term = whole(1);
  for (std::uint32_t j = 0; j < 90; term = term * angle / ++j) {
    Fixed& part = j % 2 ? sum.im : sum.re;
    bool const minus = j % 4 == 1 || j % 4 == 2;  // 1, -i, -1, i
    part = minus ? part - term : part + term;
  }
  return sum;
}

template <class T>
double error_in_ulps(T value, Fixed const& exact) {
  T const size = std::fabs(value);
  double const ulp = static_cast<double>(size) - static_cast<double>(std::nextafter(size, T(0)));
  double const error = std::fabs(approximate(fixed(static_cast<double>(value)) - exact));
  return error == 0 || size == 0 ? error * 1e60
                                 : error / ulp;  // zero allows no error but the reference's own
}

void expect_correctly_rounded(Index k, Index n) {
  Circle const exact = reference(((k % n) + n) % n, n);
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
  Circle const diagonal = reference(1, 8);
  Fixed const half = diagonal.re * diagonal.re;
  EXPECT_LT(std::fabs(approximate(half - whole(1) / 2)), 1e-70);
  EXPECT_LT(std::fabs(approximate(diagonal.re + diagonal.im)), 1e-70);
  EXPECT_LT(std::fabs(approximate(reference(2, 3).im - (-reference(1, 3).im))), 1e-70);
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
