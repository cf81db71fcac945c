#pragma once
// Powers of two by the conjugate-pair split radix (Kamar and Elcherif 1989): the even samples make one transform of R/2, the
// samples 4j+1 and 4j-1 two of R/4, whose twiddles w^k and w^-k lean by the same slope and share one
// stretch. The least known additions and multiplications that are still a plain recursion; with FMAs
// every multiplication vanishes in an addition.
#include "kernel/unroll.h"
#include "kernel/codelets/rotate.h"

namespace skipper::kernel {

template <int R, class T>
constexpr void dft(Complex<T> (&v)[R]);

/// Outputs k, k + R/4, k + R/2 and k + 3R/4 of the three parts.
template <int R, int k, class T>
constexpr void join_split(Complex<T> const (&even)[R / 2], Complex<T> up, Complex<T> down,
                          Complex<T> (&v)[R]) {
  constexpr int quarter = R / 4;
  Complex<T> const a = lean<R, k>(up);
  Complex<T> const b = lean<R, -k>(down);
  Complex<T> const sum = stretch<R, k>(a + b);
  Complex<T> const difference = times_minus_i(stretch<R, k>(a - b));
  v[k] = even[k] + sum;
  v[k + quarter] = even[k + quarter] + difference;
  v[k + 2 * quarter] = even[k] - sum;
  v[k + 3 * quarter] = even[k + quarter] - difference;
}

/// Written as lists of indices: a lambda for each would cost NVRTC a tenth of all its time.
template <int R, class T, int... J, int... K>
constexpr void split_radix(Complex<T> (&v)[R], Seq<J...>, Seq<K...>) {
  Complex<T> even[R / 2] = {v[2 * J]...}, up[R / 4] = {v[4 * K + 1]...},
                      down[R / 4] = {v[(4 * K + R - 1) % R]...};
  dft(even);
  dft(up);
  dft(down);
  (join_split<R, K>(even, up[K], down[K], v), ...);
}
template <int R, class T>
constexpr void split_radix(Complex<T> (&v)[R]) {
  split_radix(v, typename Counted<R / 2>::type{}, typename Counted<R / 4>::type{});
}

template <class T>
constexpr void butterfly(Complex<T> (&v)[2]) {
  Complex<T> const difference = v[0] - v[1];
  v[0] = v[0] + v[1];
  v[1] = difference;
}

}  // namespace skipper::kernel
