// Chirps and spectra by what they are for: the correlation they make of two transforms is the transform wanted.
#include "base/convolution_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/numbers.h"
#include "base/roots.h"

namespace skipper {
namespace {

using Values = std::vector<std::complex<double>>;

/// sigma_t = sum_k w_m^(kt) S_k, by the definition.
template <class T>
Values transformed(std::vector<std::complex<T>> const& s) {
  Index const m = Index(s.size());
  Values sigma(s.size());
  for (Index t = 0; t < m; ++t)
    for (Index k = 0; k < m; ++k) sigma[t] += std::complex<double>(s[k]) * root64(k * t % m, m);
  return sigma;
}

template <class T>
void expect_bluestein(Index n, Index m) {
  SCOPED_TRACE(std::to_string(n) + " in " + std::to_string(m));
  double const near = sizeof(T) == 4 ? 1e-6 : 1e-14;
  auto const c = chirp<T>(n);
  auto const sigma = transformed(chirp_spectrum<T>(n, m));
  ASSERT_EQ(Index(c.size()), n);
  ASSERT_EQ(Index(sigma.size()), m);
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; k += 1 + n / 8)
      ASSERT_NEAR(std::abs(sigma[j + k] * std::complex<double>(c[j]) * std::complex<double>(c[k]) -
                           root64(j * k % n, n)),
                  0, near)
          << j << " " << k;
}

TEST(Chirps, MakeEveryRootOfUnity) {
  for (auto [n, m] :
       {std::pair<Index, Index>{1, 1}, {2, 3}, {3, 5}, {17, 35}, {37, 80}, {50, 99}, {101, 210}}) {
    expect_bluestein<float>(n, m);
    expect_bluestein<double>(n, m);
  }
}

Index product(std::vector<Index> const& radices) {
  Index m = 1;
  for (Index r : radices) m *= r;
  return m;
}

/// w_m^((r+s) k), for coprime radices, which have no twiddles, the product of w_r^((r_r + s_r) k_r); r and s have the first
/// digit slowest, k fastest.
std::complex<double> factor(std::vector<Index> const& radices, Index r, Index s, Index k) {
  Index const m = product(radices);
  bool coprime = true;
  for (std::size_t i = 0; i < radices.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) coprime = coprime && gcd(radices[i], radices[j]) == 1;
  if (!coprime) return root64((r + s) * k % m, m);
  std::complex<double> w = 1;
  Index below = m;
  for (Index radix : radices) {
    below /= radix;
    w *= root64((r / below + s / below) % radix * (k % radix) % radix, radix);
    k /= radix;
  }
  return w;
}

template <class T>
constexpr double near = sizeof(T) == 4 ? 1e-6 : 1e-13;

/// X at g^s = sum over r of x at g^r times sigma_(r+s), where exponents are added digit by digit.
template <class T>
void expect_rader(std::vector<Index> const& radices) {
  Index const m = product(radices), p = m + 1;
  SCOPED_TRACE(std::to_string(p) + " by " + std::to_string(radices.size()) + " radices");
  auto const order = rader_order(p, radices);
  auto const spectrum = rader_spectrum<T>(p, radices);
  ASSERT_EQ(Index(order.size()), m);
  ASSERT_EQ(Index(spectrum.size()), m);
  for (Index r = 0; r < m; r += 1 + m / 7)
    for (Index s = 0; s < m; s += 1 + m / 8) {
      std::complex<double> sigma = 0;
      for (Index k = 0; k < m; ++k) sigma += std::complex<double>(spectrum[k]) * factor(radices, r, s, k);
      EXPECT_NEAR(std::abs(sigma - root64(order[r] * order[s] % p, p)), 0, near<T>) << r << " " << s;
    }
}

/// The same of reals, two in a complex number: one of them is 1.
template <class T>
void expect_real_rader(std::vector<Index> const& radices) {
  Index const m = product(radices), p = 2 * m + 1, g = generator(p);
  SCOPED_TRACE(std::to_string(p) + " by " + std::to_string(radices.size()) + " radices");
  auto const order = rader_order(p, radices);
  auto const own = real_rader_spectrum<T>(p, radices, false),
             partners = real_rader_spectrum<T>(p, radices, true);
  ASSERT_EQ(Index(own.size()), m);
  ASSERT_EQ(Index(partners.size()), m);
  auto const wave = [&](Index power) { return root64(power, p).real() - root64(power, p).imag(); };
  for (Index r = 0; r < m; r += 1 + m / 7)
    for (Index s = 0; s < m; s += 1 + m / 8)
      for (bool odd : {false, true}) {
        std::complex<double> const z = odd ? std::complex<double>(0, 1) : 1;
        std::complex<double> sigma = 0;
        for (Index k = 0; k < m; ++k)
          sigma += factor(radices, r, s, k) *
                   (z * std::complex<double>(own[k]) + std::conj(z) * std::complex<double>(partners[k]));
        Index const even = order[r] * order[s] % p * (odd ? g : 1) % p;
        std::complex<double> const due(wave(even), wave(even * g % p));
        EXPECT_NEAR(std::abs(sigma - due), 0, near<T>) << r << " " << s << " " << odd;
      }
}

TEST(Powers, MakeEveryRootOfUnity) {
  for (auto const& radices : std::vector<std::vector<Index>>{
           {4}, {12, 3}, {12, 5}, {5, 12}, {14, 9}, {10, 25}, {5, 4, 9}, {16, 9, 7}}) {
    expect_rader<float>(radices);
    expect_rader<double>(radices);
  }
}

TEST(Powers, MakeEverySumOfCosineAndSineOfReals) {
  for (auto const& radices :
       std::vector<std::vector<Index>>{{2}, {6, 3}, {6, 5}, {5, 6}, {7, 9}, {9, 8, 7}}) {
    expect_real_rader<float>(radices);
    expect_real_rader<double>(radices);
  }
}

TEST(Chirps, AreExactForHugeLengths) {
  Index const n = (Index(1) << 20) + 7;
  auto const c = chirp<double>(n);
  for (Index j : {Index(1), n / 3, n / 2, n / 2 + 1, n - 2, n - 1})
    EXPECT_EQ(c[j], std::conj(root64(mulmod(j, j, 2 * n), 2 * n))) << j;
}

/// v^2 modulo m by doubling and adding, so that nothing grows past 2m.
Index square_modulo(Index v, Index m) {
  Index sum = 0, power = v % m;
  for (Index bits = v; bits > 0; bits /= 2, power = 2 * power % m)
    if (bits % 2) sum = (sum + power) % m;
  return sum;
}

/// Tables of such lengths fit no memory; their exponents, and the roots at them, are what must hold.
TEST(Chirps, HaveExactExponentsForLengthsPastTwoToTheFortieth) {
  std::mt19937_64 random(40);
  for (Index n : {(Index(1) << 30) + 3, (Index(1) << 40) - 1, Index(1) << 40, (Index(1) << 40) + 15,
                  (Index(1) << 52) + 21, Index(1) << 60}) {
    for (int i = 0; i < 200; ++i) {
      Index const j = Index(random() % std::uint64_t(n)), k = Index(random() % std::uint64_t(n));
      ASSERT_EQ(chirp_exponent(j, n), square_modulo(j, 2 * n)) << j << " of " << n;
      // w_n^(jk) = c_(j+k) / (c_j c_k), in exponents and in numbers
      Index const product =
          (chirp_exponent(j + k, n) - chirp_exponent(j, n) - chirp_exponent(k, n)) % (2 * n);
      ASSERT_EQ((product + 2 * n) % (2 * n), 2 * mulmod(j, k, n)) << j << " " << k << " of " << n;
      auto const c = [n](Index v) { return root64(chirp_exponent(v, n), 2 * n); };
      ASSERT_NEAR(std::abs(c(j) * c(k) * root64(mulmod(j, k, n), n) - c(j + k)), 0, 1e-15);
    }
    for (Index v : {Index(0), Index(1), n - 1, n})
      EXPECT_EQ(chirp_exponent(v, n), square_modulo(v, 2 * n)) << v << " of " << n;
  }
}

}  // namespace
}  // namespace skipper
