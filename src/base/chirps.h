// Tables for transforms by convolution. Two forward transforms of length m with a product between them correlate:
//   sum_k w_m^(kt) S_k sum_u w_m^(ku) a_u = sum_u a_u sigma_(u+t),   sigma the transform of S, indices modulo m;
// so no inverse transform, no swap and no reversal is needed anywhere. Bluestein: with c_v = w_2n^(v^2),
//   w_n^(jk) = c_(j+k) / (c_j c_k),   sigma = c_0 .. c_(2n-2), then zeros.
#pragma once

#include <complex>
#include <vector>

#include "base/index.h"

namespace skipper {

// For T float or double; each value computed beyond T and rounded once. Exponents are exact: integers modulo 2n,
// 1 <= n <= 2^60.
template <class T>
std::vector<std::complex<T>> chirp(Index n);  // 1 / c_j, 0 <= j < n

// S of the chirp, m >= 2n - 1.
template <class T>
std::vector<std::complex<T>> chirp_spectrum(Index n, Index m);

}  // namespace skipper
