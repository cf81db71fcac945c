#pragma once
// R = A B from shorter transforms. Coprime A and B: the prime-factor map of Good (1958) and Thomas (1963), a
// reordering without twiddles. Otherwise the step of Cooley and Tukey (1965) with constant twiddles.
#include "kernel/unroll.h"
#include "kernel/codelets/rotate.h"

namespace skipper::kernel {

template <int R, class T>
constexpr void dft(Complex<T> (&v)[R]);

/// X_k with k = k1 mod A, k = k2 mod B is the A by B transform of v at (B j1 + A j2) mod R.
template <int A, int B, class T>
constexpr void good_thomas(Complex<T> (&v)[A * B]) {
  constexpr int R = A * B;
  Complex<T> rows[B][A];
  each<B>([&](auto j2) {
    each<A>([&](auto j1) { rows[j2][j1] = v[(B * j1 + A * j2) % R]; });
    dft(rows[j2]);
  });
  each<A>([&](auto k1) {
    Complex<T> column[B];
    each<B>([&](auto j2) { column[j2] = rows[j2][k1]; });
    dft(column);
    // By k mod B in place of k2: the k below R that leave k1 are k1 + A m, m = 0..B-1.
    each<B>([&](auto m) { v[k1 + A * m] = column[(k1 + A * m) % B]; });
  });
}

/// X_{k1 + A k2} = sum_j2 w_B^{j2 k2} w_R^{j2 k1} sum_j1 w_A^{j1 k1} v_{B j1 + j2}.
template <int A, int B, class T>
constexpr void cooley_tukey(Complex<T> (&v)[A * B]) {
  constexpr int R = A * B;
  Complex<T> rows[B][A];
  each<B>([&](auto j2) {
    each<A>([&](auto j1) { rows[j2][j1] = v[B * j1 + j2]; });
    dft(rows[j2]);
  });
  each<A>([&](auto k1) {
    constexpr int k = k1;
    Complex<T> column[B];
    each<B>([&](auto j2) { column[j2] = rotate<R, j2 * k>(rows[j2][k]); });
    dft(column);
    each<B>([&](auto k2) { v[k + A * k2] = column[k2]; });
  });
}

}  // namespace skipper::kernel
