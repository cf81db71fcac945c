// Every length from 1 to 2048, complex and real, against a reference of twice the digits; and that primes, which take
// detours, are as exact as powers of two.
#include <gtest/gtest.h>

#include "cpu/oracle.h"
#include "reference/fine_transform.h"

namespace skipper::cpu::testing {
namespace {

using reference::Fine;
using reference::fine_transform;

constexpr Index longest = 2048;

template <class T>
std::vector<Fine> noise(Index n, unsigned seed) {
  std::vector<T> const x = random_scalars<T>(2 * n, seed);
  std::vector<Fine> z;
  for (Index j = 0; j < n; ++j) z.push_back({double(x[2 * j]), double(x[2 * j + 1])});
  return z;
}

/// What the engine makes of `in`, relative to what it should; the input must still be there.
template <class T>
double error(Problem const& p, std::vector<T> const& in, std::vector<DoubleDouble> const& right) {
  std::vector<T> const kept = in;
  std::vector<T> out = unset<T>(Index(right.size()));
  execute_unset(Transform(p, host_machine(), {1, ""}), in.data(), out.data());
  EXPECT_EQ(in, kept) << "input changed: " << text(p);
  double wrong = 0, norm = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    double const difference = (right[i] - DoubleDouble(double(out[i]))).high;
    wrong += difference * difference;
    norm += right[i].high * right[i].high;
  }
  return std::sqrt(wrong / norm);
}

template <class T>
double complex_error(Index n, std::vector<Fine> const& z, std::vector<Fine> const& spectrum,
                     Direction direction) {
  double const sign = direction == Direction::forward ? 1 : -1;  // the inverse of conjugates is the conjugate
  std::vector<T> in;
  std::vector<DoubleDouble> right;
  for (Fine const& v : z) in.push_back(T(v.re.high)), in.push_back(T(sign * v.im.high));
  for (Fine const& v : spectrum) right.push_back(v.re), right.push_back(DoubleDouble(sign) * v.im);
  return error(c2c({n}, 1, sizeof(T) == 4 ? Precision::f32 : Precision::f64, direction), in, right);
}

/// The spectrum of the real parts is half of z's and half of its mirror image, conjugated.
template <class T>
void expect_real(Index n, std::vector<Fine> const& z, std::vector<Fine> const& spectrum) {
  Precision const precision = sizeof(T) == 4 ? Precision::f32 : Precision::f64;
  std::vector<T> real, half;
  std::vector<DoubleDouble> right, back;
  for (Fine const& v : z) real.push_back(T(v.re.high)), back.push_back(v.re * DoubleDouble(double(n)));
  for (Index k = 0; k <= n / 2; ++k) {
    Fine const &a = spectrum[k], &b = spectrum[(n - k) % n];
    right.push_back((a.re + b.re) * DoubleDouble(0.5)), right.push_back((a.im - b.im) * DoubleDouble(0.5));
    half.push_back(T(right.end()[-2].high)), half.push_back(T(right.back().high));
  }
  Problem const there = r2c({n}, 1, precision), again = c2r({n}, 1, precision);
  EXPECT_LE(error(there, real, right), allowed(there)) << text(there);
  half[1] = T(3);  // must be zero, and is ignored
  if (n % 2 == 0) half[n + 1] = T(-5);
  double const rounded = std::numeric_limits<T>::epsilon() / 2;  // the spectrum it is given
  EXPECT_LE(error(again, half, back), allowed(again) + rounded) << text(again);
}

TEST(Lengths, EveryOneTo2048) {
  for (Index n = 1; n <= longest; n += quick() ? 29 : 1) {
    // Numbers that f32 holds too: one reference for both precisions.
    auto const z = noise<float>(n, unsigned(n)), spectrum = fine_transform(z);
    Direction const direction = n % 2 ? Direction::forward : Direction::inverse;
    EXPECT_LE(complex_error<float>(n, z, spectrum, direction), allowed(c2c({n})));
    EXPECT_LE(complex_error<double>(n, z, spectrum, direction), allowed(c2c({n}, 1, Precision::f64)));
    expect_real<float>(n, z, spectrum);
    expect_real<double>(n, z, spectrum);
    if (HasFailure()) FAIL() << n;
  }
}

/// Over several inputs: one alone may be lucky.
template <class T>
double mean_error(Index n) {
  double sum = 0;
  int const seeds = n < 100 ? 16 : 3;
  for (int seed = 1; seed <= seeds; ++seed) {
    auto const z = noise<T>(n, unsigned(seed));
    sum += std::pow(complex_error<T>(n, z, fine_transform(z), Direction::forward), 2);
  }
  return std::sqrt(sum / seeds);
}

template <class T>
void compare_primes() {
  for (Index power = 2; power <= longest; power *= 2) {
    double const limit = 3 * mean_error<T>(power);
    Index const step = power <= (quick() ? 32 : 256) ? 1 : quick() ? 17 : 5;  // of the primes
    Index count = 0;
    for (Index n = power / 2 + 1; n < power; ++n) {
      if (!is_prime(n) || count++ % step != 0) continue;
      EXPECT_LE(mean_error<T>(n), limit) << n << " beside " << power;
    }
  }
}

TEST(Lengths, PrimesAreNoWorseThanThreeTimesTheNextPowerOfTwo) {
  compare_primes<float>();
  compare_primes<double>();
}

TEST(Lengths, TheReferenceIsTheDefinition) {
  for (Index n : {1, 2, 6, 53, 64, 106, 127, 210}) {
    auto const z = noise<double>(n, 3), fine = fine_transform(z);
    for (Index k = 0; k < n; ++k) {
      Fine sum{0.0, 0.0};
      for (Index j = 0; j < n; ++j) {
        auto const [re, im] = wide_root(j * k, n);
        sum = sum + z[j] * Fine{re, im};
      }
      Fine const difference = sum - fine[k];
      EXPECT_LT(std::abs(difference.re.high) + std::abs(difference.im.high), 1e-28) << n;
    }
  }
}

}  // namespace
}  // namespace skipper::cpu::testing
