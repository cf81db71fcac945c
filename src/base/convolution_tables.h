// Tables for transforms by convolution (Rader, Bluestein). Two forward transforms of length m with a product between them
// compute a correlation:
//   sum_k w_m^(kt) S_k sum_u w_m^(ku) a_u = sum_u a_u sigma_(u+t),   sigma the transform of S, indices modulo m;
// so neither an inverse transform nor a reversal is needed. Bluestein: with c_v = w_2n^(v^2),
//   w_n^(jk) = c_(j+k) / (c_j c_k),   sigma = c_0 .. c_(2n-2), then zeros.
// Rader: with a generator g of 1..p-1 modulo the prime p, w_p^(g^r g^s) = sigma_(r+s), sigma_v = w_p^(g^v), m = p - 1;
// point 0 is added apart. Where the radices of m are coprime, the digits of an exponent are its remainders modulo each radix (the
// prime-factor algorithm, Good 1958), so that the transforms have no twiddles.
// Of reals, with sigma_v = (cos + sin)(2 pi g^v / p), m = (p - 1) / 2 complex numbers z_u = a_2u + i a_(2u+1) suffice:
//   y_2t + i y_(2t+1) = sum_k w_m^(kt) (S_k Z_k + S'_k Z*_(-k)),   Z the transform of z,
// where S and S' transform to (sigma_2v + sigma_(2v+2)) / 2 and (sigma_2v - sigma_(2v+2)) / 2 + i sigma_(2v+1).
#pragma once

#include <complex>
#include <vector>

#include "base/index.h"

namespace skipper {

// For T float or double; each value is computed beyond T and rounded once. Exponents are exact integers modulo 2n,
// 1 <= n <= 2^60.
Index chirp_exponent(Index v, Index n);  // v^2 modulo 2n, so that c_v = w_2n^exponent
template <class T>
std::vector<std::complex<T>> chirp(Index n);  // 1 / c_j, 0 <= j < n

// S for the chirp, m >= 2n - 1; a smaller m gives only the first m - n + 1 outputs.
template <class T>
std::vector<std::complex<T>> chirp_spectrum(Index n, Index m);

// The radices of m = p - 1, or of reals (p - 1) / 2, are given in the order of their radix stages, the first digit of
// an entry being the slowest. For each radix: what one unit of its digit adds to the exponent, modulo m.
std::vector<Index> exponent_weights(std::vector<Index> const& radices);

// g^exponent modulo p for each entry; of reals g^(2 exponent).
std::vector<Index> rader_order(Index p, std::vector<Index> const& radices);

// S, with the first digit of its index the fastest.
template <class T>
std::vector<std::complex<T>> rader_spectrum(Index p, std::vector<Index> const& radices);

// The S, or with `partners` the S', of reals, in the same order.
template <class T>
std::vector<std::complex<T>> real_rader_spectrum(Index p, std::vector<Index> const& radices, bool partners);

}  // namespace skipper
