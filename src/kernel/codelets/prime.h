#pragma once
// Odd primes R by real symmetry. With the sums s_j = v_j + v_{R-j}, the differences d_j = v_j - v_{R-j}
// and the angle t = 2 pi / R:
//   X_k, X_{R-k} = C_k -+ i S_k,  C_k = v_0 + sum_j cos(t j k) s_j,  S_k = sum_j sin(t j k) d_j,
// over j, k = 1..(R-1)/2. If R = 1 mod 4 there is a q with q^2 = -1 mod R; it pairs j with qj, and
// the matrix of cosines splits into two of half the size: of sums s_j + s_qj, and of differences.
#include "kernel/complex.h"
#include "kernel/constants.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

/// The index in 0..R/2 that has the cosine of j.
template <int R>
constexpr int real_axis(int j) {
  return j % R <= R / 2 ? j % R : R - j % R;
}

/// The index that q pairs with j.
template <int R>
constexpr int partner(int j) {
  int q = 1;
  while (q * q % R != R - 1) ++q;
  return real_axis<R>(q * j);
}

/// Rows of constant weights for `weighted`.
template <int R, int k>
struct SineRow {
  static constexpr bool has(int j) { return j > 0; }
  static constexpr DoubleDouble weight(int j) { return roots<R>.at[j * k % R].sin; }
};
template <int R, int k>
struct CosineRow {
  static constexpr bool has(int j) { return j > 0; }
  static constexpr DoubleDouble weight(int j) { return roots<R>.at[j * k % R].cos; }
};
template <int R, int k, int sign>  // half the sum or half the difference of two paired cosines
struct PairedRow {
  static constexpr bool has(int j) { return 0 < j && j < partner<R>(j); }
  static constexpr DoubleDouble weight(int j) {
    DoubleDouble const a = CosineRow<R, k>::weight(j), b = CosineRow<R, k>::weight(partner<R>(j));
    return (sign > 0 ? a + b : a - b) / wide(2);
  }
};

/// a + the sum over j of weight(j) x[j]: every multiplication fuses with an addition.
template <class Row, int N, class T>
constexpr Complex<T> weighted(Complex<T> a, Complex<T> const (&x)[N]) {
  each<N>([&](auto j) {
    if constexpr (Row::has(j)) {
      constexpr double w = Row::weight(j).high;
      a = a + static_cast<Element<T>>(w) * x[j];
    }
  });
  return a;
}

template <class Row, int N>
constexpr int heaviest() {
  int best = 0;
  for (int j = 0; j < N; ++j)
    if (Row::has(j) &&
        (!Row::has(best) || magnitude(Row::weight(j)).high > magnitude(Row::weight(best)).high))
      best = j;
  return best;
}

/// The same without a start. The largest weight is taken out and applied to the sum, so that it can
/// fuse with the two additions that follow: one operation less a row than a plain sum.
template <class Row, int N, class T>
constexpr Complex<T> weighted(Complex<T> const (&x)[N]) {
  constexpr int peak = heaviest<Row, N>();
  Complex<T> sum = x[peak];
  each<N>([&](auto j) {
    if constexpr (Row::has(j) && j != peak) {
      constexpr double ratio = (Row::weight(j) / Row::weight(peak)).high;
      sum = sum + static_cast<Element<T>>(ratio) * x[j];
    }
  });
  constexpr double factor = Row::weight(peak).high;
  return static_cast<Element<T>>(factor) * sum;
}

/// c[0] = X_0, c[k] = C_k from s[0] = v_0, s[j] = s_j.
template <int R, int N, class T>
constexpr void cosines(Complex<T> const (&s)[N], Complex<T> (&c)[N]) {
  c[0] = s[0];
  if constexpr (R % 4 == 3) {
    each<N>([&](auto k) {
      if constexpr (k > 0) {
        c[0] = c[0] + s[k];
        c[k] = weighted<CosineRow<R, k>>(s[0], s);
      }
    });
  } else {
    Complex<T> sum[N]{}, difference[N]{};
    each<N>([&](auto j) {
      if constexpr (PairedRow<R, 1, 1>::has(j)) {
        sum[j] = s[j] + s[partner<R>(j)];
        difference[j] = s[j] - s[partner<R>(j)];
        c[0] = c[0] + sum[j];
      }
    });
    each<N>([&](auto k) {
      if constexpr (PairedRow<R, 1, 1>::has(k)) {
        Complex<T> const even = weighted<PairedRow<R, k, 1>>(s[0], sum);
        Complex<T> const odd = weighted<PairedRow<R, k, -1>>(difference);
        c[k] = even + odd;
        c[partner<R>(k)] = even - odd;
      }
    });
  }
}

template <int R, class T>
constexpr void prime(Complex<T> (&v)[R]) {
  constexpr int N = R / 2 + 1;
  Complex<T> sum[N], difference[N], c[N];  // [0] is the sample that pairs with itself
  sum[0] = difference[0] = v[0];
  each<N>([&](auto j) {
    if constexpr (j > 0) {
      sum[j] = v[j] + v[R - j];
      difference[j] = v[j] - v[R - j];
    }
  });
  cosines<R>(sum, c);
  v[0] = c[0];
  each<N>([&](auto k) {
    if constexpr (k > 0) {
      Complex<T> const rotated = times_i(weighted<SineRow<R, k>>(difference));
      v[k] = c[k] - rotated;
      v[R - k] = c[k] + rotated;
    }
  });
}

}  // namespace skipper::kernel
