// Chirps and spectra by what they are for: the correlation they make of two transforms is the transform wanted.
#include "base/chirps.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Chirps, AreExactForHugeLengths) {
  Index const n = (Index(1) << 20) + 7;
  auto const c = chirp<double>(n);
  for (Index j : {Index(1), n / 3, n / 2, n / 2 + 1, n - 2, n - 1})
    EXPECT_EQ(c[j], std::conj(root64(mulmod(j, j, 2 * n), 2 * n))) << j;
}

}  // namespace
}  // namespace skipper
