#pragma once
// Powers of two by the conjugate-pair split radix: the even samples make one transform of R/2, the
// samples 4j+1 and 4j-1 two of R/4, whose twiddles w^k and w^-k lean by the same slope and share one
// stretch. The least known additions and multiplications that are still a plain recursion; with FMAs
// every multiplication vanishes in an addition.
#include "kernel/unroll.h"
#include "kernel/codelets/rotate.h"

namespace skipper::kernel {

template <int R, class T>
constexpr void dft(Complex<T> (&v)[R]);

template <int R, class T>
constexpr void split_radix(Complex<T> (&v)[R]) {
  Complex<T> even[R / 2], up[R / 4], down[R / 4];
  each<R / 2>([&](auto j) { even[j] = v[2 * j]; });
  each<R / 4>([&](auto j) { up[j] = v[4 * j + 1]; });
  each<R / 4>([&](auto j) { down[j] = v[(4 * j + R - 1) % R]; });
  dft(even);
  dft(up);
  dft(down);
  each<R / 4>([&](auto k) {
    constexpr int quarter = R / 4;
    Complex<T> const a = lean<R, k.value>(up[k]);
    Complex<T> const b = lean<R, -k.value>(down[k]);
    Complex<T> const sum = stretch<R, k.value>(a + b);
    Complex<T> const difference = times_minus_i(stretch<R, k.value>(a - b));
    v[k] = even[k] + sum;
    v[k + quarter] = even[k + quarter] + difference;
    v[k + 2 * quarter] = even[k] - sum;
    v[k + 3 * quarter] = even[k + quarter] - difference;
  });
}

template <class T>
constexpr void butterfly(Complex<T> (&v)[2]) {
  Complex<T> const difference = v[0] - v[1];
  v[0] = v[0] + v[1];
  v[1] = difference;
}

}  // namespace skipper::kernel
