// Primes by symmetry against the definition: one part of all outputs of a line, together and apart, with the length known when
// compiling and when running.
#include "kernel/codelets/symmetric_prime.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

namespace skipper::kernel {
namespace {

using Line = std::vector<std::complex<double>>;

Line random_line(int n) {
  std::mt19937_64 random(n);
  std::normal_distribution<double> normal;
  Line x(n);
  for (auto& v : x) v = {normal(random), normal(random)};
  return x;
}

std::complex<double> defined(Line const& x, int k) {
  int const n = int(x.size());
  std::complex<double> sum = 0;
  for (int j = 0; j < n; ++j) sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * (j * k % n) / n);
  return sum;
}

double part_of(std::complex<double> v, int part) { return part ? v.imag() : v.real(); }

template <class N>
void expect_together(N n) {
  Line const x = random_line(n);
  for (int part : {0, 1}) {
    std::vector<double> found(n, NAN);
    HalfLine<double, N> line{n, 0};
    line.gather([&](int j) { return part_of(x[j], part); }, [&](int j) { return part_of(x[j], 1 - part); });
    line.scatter(part ? -1.0 : 1.0, [&](int k, double y) { found[k] = y; });
    for (int k = 0; k < n; ++k)
      EXPECT_NEAR(found[k], part_of(defined(x, k), part), 1e-12) << n << " points, output " << k;
  }
}

/// Sums over cosines stand at k, those over sines at n - k.
template <class N>
void expect_apart(N n) {
  Line const x = random_line(n);
  std::vector<double> found(n, NAN);
  auto const& table = half_weights(n);
  int const t = part_of_half(n);
  HalfParts<double> sums{}, differences{};
  for (int b = 0; b < n / 2; ++b) {
    int const j = table.power[b];
    sums[b / t][b % t] = x[j].real() + x[n - j].real();
    differences[b / t][b % t] = x[j].imag() - x[n - j].imag();
  }
  HalfOfLine<double, N, false>{n, sums}.scatter(x[0].real(), [&](int k, double y) { found[k] = y; });
  HalfOfLine<double, N, true>{n, differences}.scatter(x[0].real(), [&](int k, double y) { found[k] = y; });
  EXPECT_NEAR(found[0], defined(x, 0).real(), 1e-12);
  for (int k = 1; k <= n / 2; ++k) {
    EXPECT_NEAR(found[k] + found[n - k], defined(x, k).real(), 1e-12) << n << " points, output " << k;
    EXPECT_NEAR(found[k] - found[n - k], defined(x, n - k).real(), 1e-12) << n << " points, output " << n - k;
  }
}

TEST(HalfPrime, EveryPrimeIsItsDefinition) {
  for (int n : {17, 19, 23, 29, 31, 37, 41,  43,  47,  53,  59,  61, 67,
                71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127}) {
    expect_together(n);
    expect_apart(n);
  }
}

TEST(HalfPrime, TheSameWhereTheLengthIsKnownWhenCompiling) {
  expect_together(Const<19>{});
  expect_together(Const<29>{});
  expect_apart(Const<23>{});
  expect_apart(Const<37>{});
}

}  // namespace
}  // namespace skipper::kernel
