// Number theory against definitions: sieves and plain loops for small n, multiplying back for large ones.
#include "base/numbers.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <limits>
#include <random>
#include <set>

namespace skipper {
namespace {

constexpr Index huge = std::numeric_limits<Index>::max();  // 7^2 * 73 * 127 * 337 * 92737 * 649657

bool prime_by_definition(Index n) {
  for (Index d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

// By addition and doubling alone, so that nothing needs more than 64 bits.
Index slow_product(Index a, Index b, Index m) {
  auto const modulus = static_cast<std::uint64_t>(m);
  std::uint64_t sum = 0;
  auto term = static_cast<std::uint64_t>(a) % modulus;
  for (; b != 0; b >>= 1) {
    if (b & 1) sum = (sum + term) % modulus;
    term = 2 * term % modulus;
  }
  return static_cast<Index>(sum);
}

Index multiplied_back(std::vector<Factor> const& factors) {
  Index product = 1;
  for (Factor const& factor : factors) {
    for (int i = 0; i < factor.power; ++i) product *= factor.prime;
  }
  return product;
}

void expect_factors(Index n) {
  std::vector<Factor> const factors = factorise(n);
  EXPECT_EQ(multiplied_back(factors), n);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    EXPECT_TRUE(is_prime(factors[i].prime)) << n << " has " << factors[i].prime;
    EXPECT_GE(factors[i].power, 1);
    EXPECT_LT(i > 0 ? factors[i - 1].prime : 1, factors[i].prime);
  }
}

TEST(Numbers, PrimesAgreeWithTheDefinition) {
  for (Index n = -3; n < 20000; ++n) EXPECT_EQ(is_prime(n), prime_by_definition(n)) << n;
}

TEST(Numbers, LargePrimesAndPseudoprimes) {
  for (Index p : {Index(2147483647), Index(4294967291), Index(999999999989), Index(2305843009213693951),
                  Index(9223372036854775783)}) {
    EXPECT_TRUE(is_prime(p)) << p;
    EXPECT_EQ(factorise(p), (std::vector<Factor>{{p, 1}}));
  }
  // Strong pseudoprimes to the first 4, 6, 8, 9 primes as bases, and Carmichael numbers.
  for (Index n : {Index(3215031751), Index(3474749660383), Index(341550071728321), Index(3825123056546413051),
                  Index(561), Index(1729), Index(825265), huge}) {
    EXPECT_FALSE(is_prime(n)) << n;
    expect_factors(n);
  }
}

TEST(Numbers, FactorsMultiplyBack) {
  EXPECT_TRUE(factorise(1).empty());
  EXPECT_EQ(factorise(360), (std::vector<Factor>{{2, 3}, {3, 2}, {5, 1}}));
  EXPECT_EQ(factorise(huge),
            (std::vector<Factor>{{7, 2}, {73, 1}, {127, 1}, {337, 1}, {92737, 1}, {649657, 1}}));
  for (Index n = 1; n < 20000; ++n) expect_factors(n);
  for (Index n = huge; n > huge - 30; --n) expect_factors(n);
  // The hardest: two primes of the same size, a square, a cube.
  EXPECT_EQ(factorise(Index(3037000493) * 3037000453),
            (std::vector<Factor>{{3037000453, 1}, {3037000493, 1}}));
  EXPECT_EQ(factorise(Index(3037000493) * 3037000493), (std::vector<Factor>{{3037000493, 2}}));
  EXPECT_EQ(factorise(Index(1009) * 1009 * 1009), (std::vector<Factor>{{1009, 3}}));
  EXPECT_EQ(factorise(Index(2097143) * 2097143 * 2097143), (std::vector<Factor>{{2097143, 3}}));
  EXPECT_THROW(factorise(0), Error);
  EXPECT_THROW(factorise(-4), Error);
}

TEST(Numbers, DivisorsAreAllOfThem) {
  for (Index n = 1; n <= 1000; ++n) {
    std::vector<Index> expected;
    for (Index d = 1; d <= n; ++d) {
      if (n % d == 0) expected.push_back(d);
    }
    EXPECT_EQ(divisors(n), expected) << n;
  }
  EXPECT_EQ(divisors(Index(1) << 62).size(), 63u);
  EXPECT_EQ(divisors(897612484786617600).size(), 103680u);  // the most that 60 bits allow
}

TEST(Numbers, SmoothAgreesWithTheDefinition) {
  std::vector<Index> const limits = {2, 3, 5, 7, 10, 13, 31, 127, 1000};
  for (Index largest : limits) {
    Index next = 0;  // downwards, so that the least smooth number above is at hand
    for (Index n = 4096; n >= 1; --n) {
      bool smooth = true;
      for (Index p = 2; p <= n; ++p)
        smooth = smooth && (n % p != 0 || p <= largest || !prime_by_definition(p));
      EXPECT_EQ(is_smooth(n, largest), smooth) << n << " with " << largest;
      if (smooth) next = n;
      if (next != 0 && n % 3 == 0) {
        EXPECT_EQ(next_smooth(n, largest), next) << n << " with " << largest;
      }
    }
  }
  EXPECT_TRUE(is_smooth(Index(1000003) * 1009, 1000003));
  EXPECT_FALSE(is_smooth(Index(1000003) * 1009, 1000002));
  EXPECT_TRUE(is_smooth(1, 1));
  EXPECT_FALSE(is_smooth(2, 1));
}

TEST(Numbers, NextSmoothOfLargeNumbers) {
  std::mt19937_64 random(3);
  SCOPED_TRACE("seed 3");
  for (int bits = 20; bits <= 61; bits += 3) {
    Index const n = static_cast<Index>(random() >> (64 - bits)) + 1;
    Index coarser = huge;
    for (Index largest : {2, 3, 5, 7, 11, 13, 31, 127}) {
      if (largest > 13 && bits > 44) continue;  // slower than a test may be
      Index const found = next_smooth(n, largest);
      EXPECT_GE(found, n);
      EXPECT_TRUE(is_smooth(found, largest));
      EXPECT_EQ(next_smooth(found, largest), found);
      EXPECT_LE(found, coarser);
      coarser = found;
      for (Index m = n; m < std::min(found, n + 2000); ++m) ASSERT_FALSE(is_smooth(m, largest)) << m;
    }
  }
  EXPECT_EQ(next_smooth((Index(1) << 61) + 1, 2), Index(1) << 62);
  EXPECT_THROW(next_smooth((Index(1) << 62) + 1, 2), Error);
  EXPECT_THROW(next_smooth(huge - 1, 7), Error);
  EXPECT_THROW(next_smooth(0, 7), Error);
  EXPECT_THROW(next_smooth(5, 1), Error);
  EXPECT_THROW(next_smooth(5, 1001), Error);
}

TEST(Numbers, GcdAndLcmNoticeOverflow) {
  EXPECT_EQ(gcd(12, -18), 6);
  EXPECT_EQ(gcd(0, -7), 7);
  EXPECT_EQ(gcd(0, 0), 0);
  EXPECT_EQ(gcd(std::numeric_limits<Index>::min(), 48), 16);
  EXPECT_THROW(gcd(std::numeric_limits<Index>::min(), 0), Error);
  EXPECT_EQ(lcm(4, -6), 12);
  EXPECT_EQ(lcm(0, 6), 0);
  EXPECT_EQ(lcm(huge, huge), huge);
  EXPECT_FALSE(lcm(huge, huge - 1));
  EXPECT_FALSE(lcm(std::numeric_limits<Index>::min(), 2));
}

TEST(Numbers, ModularArithmeticIsExact) {
  std::mt19937_64 random(4);
  SCOPED_TRACE("seed 4");
  for (int round = 0; round < 2000; ++round) {
    Index const m = static_cast<Index>(random() >> (1 + round % 60)) + 1;
    Index const a = static_cast<Index>(random()), b = static_cast<Index>(random() >> 1);
    Index const positive = a % m < 0 ? a % m + m : a % m;
    EXPECT_EQ(mulmod(a, b, m), slow_product(positive, b % m, m));
    Index const exponent = static_cast<Index>(random() >> (round % 64));
    if (exponent > 0) {
      EXPECT_EQ(powmod(a, exponent, m),
                mulmod(powmod(a, exponent / 2, m), powmod(a, (exponent + 1) / 2, m), m));
    }
    if (gcd(a, m) == 1) {
      EXPECT_EQ(mulmod(a, inverse(a, m), m), 1 % m);
      EXPECT_EQ(inverse(inverse(a, m), m), positive);
    } else {
      EXPECT_THROW(inverse(a, m), Error);
    }
  }
  EXPECT_EQ(powmod(-2, 3, 7), 6);
  EXPECT_EQ(powmod(5, 0, 1), 0);
  EXPECT_EQ(powmod(0, 0, 9), 1);
  EXPECT_EQ(powmod(3, 9223372036854775782, 9223372036854775783), 1);  // Fermat
  EXPECT_EQ(inverse(0, 1), 0);
  EXPECT_THROW(mulmod(1, 1, 0), Error);
  EXPECT_THROW(powmod(1, -1, 5), Error);
}

TEST(Numbers, GeneratorsGenerate) {
  for (Index p = 2; p < 600; ++p) {
    if (!prime_by_definition(p)) {
      EXPECT_THROW(generator(p), Error);
      continue;
    }
    auto const order = [p](Index g) {
      Index steps = 1;
      for (Index power = g % p; power != 1; power = power * g % p) ++steps;
      return steps;
    };
    Index const g = generator(p);
    EXPECT_EQ(order(g), p - 1) << p;
    for (Index smaller = 1; smaller < g; ++smaller) EXPECT_LT(order(smaller), p - 1) << p;
  }
  // Large: g^((p-1)/q) differs from 1 for every prime q of p - 1.
  for (Index p : {Index(65537), Index(998244353), Index(2305843009213693951), Index(9223372036854775783)}) {
    Index const g = generator(p);
    EXPECT_EQ(powmod(g, p - 1, p), 1);
    for (Factor const& factor : factorise(p - 1)) EXPECT_NE(powmod(g, (p - 1) / factor.prime, p), 1) << p;
  }
  EXPECT_EQ(generator(998244353), 3);
}

}  // namespace
}  // namespace skipper
