#pragma once
// Codelets: straight-line transforms of a short array in registers, forward, natural order in and
// out: X[k] = sum over j of v[j] exp(-2 pi i j k / R). Each length takes the cheapest rule that fits;
// for the inverse, `swap` the parts on the way in and out.
#include "kernel/codelets/composite.h"
#include "kernel/codelets/long_prime.h"
#include "kernel/codelets/power_of_two.h"
#include "kernel/codelets/prime.h"
#include "kernel/complex.h"
#include "kernel/radices.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

constexpr int smallest_factor(int n) {
  for (int f = 2; f * f <= n; ++f)
    if (n % f == 0) return f;
  return n;
}

/// The full power of its smallest prime that divides n: 24 = 8 * 3.
constexpr int smallest_power(int n) {
  int const f = smallest_factor(n);
  int power = f;
  while (n / power % f == 0) power *= f;
  return power;
}

/// Host code in a hurry calls it from a function marked [[gnu::flatten]] and contracts to FMAs: GCC
/// would otherwise keep parts of the longer ones as calls, and with them the array in memory.
template <int R, class T>
constexpr void dft(Complex<T> (&v)[R]) {
  static_assert(has_codelet(R), "no codelet of this length: see radices");
  constexpr int factor = R == 1 ? 1 : smallest_factor(R), power = R == 1 ? 1 : smallest_power(R);
  if constexpr (R == 1) {
  } else if constexpr (R == 2) {
    butterfly(v);
  } else if constexpr (factor == 2 && power == R) {
    split_radix(v);
  } else if constexpr (factor == R && R > 13) {
    long_prime(v);
  } else if constexpr (factor == R) {
    prime(v);
  } else if constexpr (power < R) {
    good_thomas<power, R / power>(v);
  } else {
    cooley_tukey<factor, R / factor>(v);
  }
}

/// Calls f(Const<radix>{}); a radix without a codelet calls nothing.
template <auto R, class F>
constexpr void with_radix(Const<R> radix, F f) {
  f(radix);
}
template <class F>
constexpr void with_radix(int radix, F f) {
  each<radix_count>([&](auto i) {
    if (radices[i] == radix) f(Const<radices[i]>{});
  });
}

}  // namespace skipper::kernel
