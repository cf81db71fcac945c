#pragma once
// Primes too long to be written out term by term: the sums of prime.h as loops over tables of constants, which a GPU's
// compiler unrolls and folds, and which a host's compiles in no time. If R = 1 mod 4 the matrix of cosines splits in two
// of half the size, as there.
#include "kernel/codelets/prime.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

template <int R>
struct PrimeTable {
  static constexpr int half = R / 2, pairs = R % 4 == 1 ? R / 4 : 0, alone = R % 4 == 1 ? 0 : half;
  int first[pairs + 1] = {}, second[pairs + 1] = {};  // indices that q pairs
  double even[pairs + 1][pairs + 1] = {},
                                 odd[pairs + 1][pairs + 1] = {};  // of their sums, of their differences
  double cosine[alone + 1][alone + 1] = {};                       // where there are no pairs
  double sine[half + 1][half + 1] = {};
};

template <int R>
constexpr PrimeTable<R> prime_table() {
  PrimeTable<R> t;
  auto const& w = roots<R>;
  for (int k = 1; k <= t.half; ++k)
    for (int j = 1; j <= t.half; ++j) {
      t.sine[k][j] = w.at[j * k % R].sin.high;
      if (t.alone) t.cosine[k % (t.alone + 1)][j % (t.alone + 1)] = w.at[j * k % R].cos.high;
    }
  if (t.pairs) {
    int found = 0;
    for (int j = 1; j <= t.half; ++j)
      if (j < partner<R>(j)) t.first[++found] = j, t.second[found] = partner<R>(j);
    for (int k = 1; k <= t.pairs; ++k)
      for (int j = 1; j <= t.pairs; ++j) {
        DoubleDouble const a = w.at[t.first[j] * t.first[k] % R].cos,
                           b = w.at[t.second[j] * t.first[k] % R].cos;
        t.even[k][j] = ((a + b) / wide(2)).high;
        t.odd[k][j] = ((a - b) / wide(2)).high;
      }
  }
  return t;
}
template <int R>
inline constexpr PrimeTable<R> prime_constants = prime_table<R>();

/// c[0] = X_0, c[k] = C_k from s[0] = v_0, s[j] = s_j, as in prime.h.
template <int R, class T>
constexpr void long_cosines(Complex<T> const (&s)[R / 2 + 1], Complex<T> (&c)[R / 2 + 1]) {
  using Table = PrimeTable<R>;
  auto const& table = prime_constants<R>;
  c[0] = s[0];
  repeat(Const<Table::half>{}, [&](int j) { c[0] = c[0] + s[j + 1]; });
  repeat(Const<Table::alone>{}, [&](int k) {
    Complex<T> sum = s[0];
    repeat(Const<Table::alone>{},
           [&](int j) { sum = sum + static_cast<Element<T>>(table.cosine[k + 1][j + 1]) * s[j + 1]; });
    c[k + 1] = sum;
  });
  Complex<T> sums[Table::pairs + 1], differences[Table::pairs + 1];
  repeat(Const<Table::pairs>{}, [&](int j) {
    sums[j] = s[table.first[j + 1]] + s[table.second[j + 1]];
    differences[j] = s[table.first[j + 1]] - s[table.second[j + 1]];
  });
  repeat(Const<Table::pairs>{}, [&](int k) {
    Complex<T> even = s[0], odd = zero<Complex<T>>();
    repeat(Const<Table::pairs>{}, [&](int j) {
      even = even + static_cast<Element<T>>(table.even[k + 1][j + 1]) * sums[j];
      odd = odd + static_cast<Element<T>>(table.odd[k + 1][j + 1]) * differences[j];
    });
    c[table.first[k + 1]] = even + odd;
    c[table.second[k + 1]] = even - odd;
  });
}

template <int R, class T>
constexpr void long_prime(Complex<T> (&v)[R]) {
  constexpr int half = R / 2;
  auto const& table = prime_constants<R>;
  Complex<T> sum[half + 1], difference[half + 1], c[half + 1];
  sum[0] = v[0];
  repeat(Const<half>{}, [&](int j) {
    sum[j + 1] = v[j + 1] + v[R - 1 - j];
    difference[j + 1] = v[j + 1] - v[R - 1 - j];
  });
  long_cosines<R>(sum, c);
  v[0] = c[0];
  repeat(Const<half>{}, [&](int k) {
    Complex<T> s = zero<Complex<T>>();
    repeat(Const<half>{},
           [&](int j) { s = s + static_cast<Element<T>>(table.sine[k + 1][j + 1]) * difference[j + 1]; });
    Complex<T> const rotated = times_i(s);
    v[k + 1] = c[k + 1] - rotated;
    v[R - 1 - k] = c[k + 1] + rotated;
  });
}

}  // namespace skipper::kernel
