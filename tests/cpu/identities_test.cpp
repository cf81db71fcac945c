// What any transform must satisfy, checked where the definition would take too long: it is linear, an impulse becomes a
// wave, and a shift becomes a turn (the self-checks of Ergun, 1995). On random data together they leave no room for a
// wrong output.
#include <gtest/gtest.h>

#include "cpu/oracle.h"

namespace skipper::cpu::testing {
namespace {

using Array = std::vector<double>;  // interleaved

Array transformed(Transform const& t, Array const& x) {
  Array y = unset<double>(Index(x.size()));
  execute_unset(t, x.data(), y.data());
  return y;
}

double distance(Array const& a, Array const& b) {
  double wrong = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) wrong += (a[i] - b[i]) * (a[i] - b[i]), norm += b[i] * b[i];
  return std::sqrt(wrong / norm);
}

/// a x + b y, complex factors.
Array combined(std::complex<double> a, Array const& x, std::complex<double> b, Array const& y) {
  Array z(x.size());
  for (std::size_t i = 0; i < x.size(); i += 2) {
    auto const value = a * std::complex(x[i], x[i + 1]) + b * std::complex(y[i], y[i + 1]);
    z[i] = value.real(), z[i + 1] = value.imag();
  }
  return z;
}

void check(Index n) {
  Transform const t(c2c({n}, 1, Precision::f64), host_machine());
  double const limit = allowed(c2c({n}, 1, Precision::f64));
  Array const x = random_scalars<double>(2 * n, 1), y = random_scalars<double>(2 * n, 2);
  Array const fx = transformed(t, x);
  std::complex<double> const a(0.3, -1.1), b(0.7, 0.4);
  EXPECT_LE(distance(transformed(t, combined(a, x, b, y)), combined(a, fx, b, transformed(t, y))), 3 * limit)
      << "linear: " << n;

  Index const at = n / 3 + 1;
  Array impulse(2 * n, 0.0), wave(2 * n), rotated(2 * n), shifted(2 * n);
  impulse[2 * at] = 1;
  for (Index k = 0; k < n; ++k) {
    auto const w = root64(mulmod(k, at, n), n);
    wave[2 * k] = w.real(), wave[2 * k + 1] = w.imag();
    auto const v = w * std::complex(fx[2 * k], fx[2 * k + 1]);
    rotated[2 * k] = v.real(), rotated[2 * k + 1] = v.imag();
    Index const to = (k + at) % n;
    shifted[2 * to] = x[2 * k], shifted[2 * to + 1] = x[2 * k + 1];
  }
  EXPECT_LE(distance(transformed(t, impulse), wave), 3 * limit) << "impulse: " << n;
  EXPECT_LE(distance(transformed(t, shifted), rotated), 3 * limit) << "shift: " << n;
}

TEST(Identities, HoldForLongLines) {
  for (Index n :
       {4096, 10007, 10403, 12288, 30030, 44100, 65537, 100003, 131072, 32 * 1009, 2 * 10007, 17 * 6000})
    if (!quick() || n < 50000) check(n);
}

TEST(Identities, HoldForRandomLengths) {
  std::mt19937 random(11);
  for (int i = 0; i < (quick() ? 12 : 120); ++i) check(513 + static_cast<Index>(random() % 20000));
}

}  // namespace
}  // namespace skipper::cpu::testing
