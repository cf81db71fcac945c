// A real transform of n = 2h points from a complex one of h: with Z the transform of z_j = x_2j + i x_2j+1,
//   E_k = (Z_k + conj Z_h-k) / 2,  O_k = (Z_k - conj Z_h-k) / 2i,  X_k = E_k + w^k O_k,  X_h-k = conj(E_k - w^k O_k),
// w = exp(-2 pi i / n), k = 0..h/2, Z_h = Z_0. The way back gives 2 Z, so that no factor is left to anyone.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/vectors.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// X_k and conj X_h-k from a = Z_k, b = conj Z_h-k, with the factor 2 still in.
template <class V>
[[gnu::always_inline]] inline void mix_forward(Complex<V>& a, Complex<V>& b, Complex<V> w) {
  Complex<V> const even = a + b, turned = kernel::times_minus_i(a - b) * w;
  a = even + turned;
  b = even - turned;
}
/// 2 Z_k and 2 conj Z_h-k from a = X_k, b = conj X_h-k.
template <class V>
[[gnu::always_inline]] inline void mix_inverse(Complex<V>& a, Complex<V>& b, Complex<V> w) {
  Complex<V> const even = a + b, turned = kernel::times_i(a - b) * kernel::conj(w);
  a = even + turned;
  b = even - turned;
}

/// Runs mix over the pairs k, h-k of a line with begin <= k < end, W at a time and the rest one by one; `in` may be
/// `out`. The pair of k = 0 is the caller's.
template <class V, bool forward>
[[gnu::flatten]] void mix_line(typename V::Element const* x, typename V::Element* y, Index h, Index begin,
                               Index end, typename V::Element const* roots) {
  using T = typename V::Element;
  constexpr int W = V::lanes;
  V const half = broadcast<V>(forward ? T(0.5) : T(1));
  Index k = begin > 0 ? begin : 1;
  for (; k + W <= end && k + W <= h - k - W + 1;
       k += W) {  // [k, k+W) and its mirror (h-k-W, h-k] do not meet
    Complex<V> a = load_pairs<V>(x + 2 * k), b = load_pairs<V>(x + 2 * (h - k - W + 1));
    b = Complex<V>{reversed(b.re), -reversed(b.im)};
    Complex<V> const w = load_pairs<V>(roots + 2 * k);
    if constexpr (forward)
      mix_forward(a, b, w);
    else
      mix_inverse(a, b, w);
    store_pairs(y + 2 * k, Complex<V>{a.re * half, a.im * half});
    store_pairs(y + 2 * (h - k - W + 1), Complex<V>{reversed(b.re) * half, -(reversed(b.im) * half)});
  }
  for (; k < end && k <= h - k; ++k) {
    using One = Vec<T, 1>;
    Complex<One> a = {load<One>(x + 2 * k), load<One>(x + 2 * k + 1)};
    Complex<One> b = {load<One>(x + 2 * (h - k)), -load<One>(x + 2 * (h - k) + 1)};
    Complex<One> const w = {load<One>(roots + 2 * k), load<One>(roots + 2 * k + 1)};
    if constexpr (forward)
      mix_forward(a, b, w);
    else
      mix_inverse(a, b, w);
    One const one_half = broadcast<One>(forward ? T(0.5) : T(1));
    store(y + 2 * (h - k), b.re * one_half), store(y + 2 * (h - k) + 1, -(b.im * one_half));
    store(y + 2 * k, a.re * one_half), store(y + 2 * k + 1, a.im * one_half);
  }
}

template <class V>
void to_real_spectrum(HalvesArgs const& a) {
  using T = typename V::Element;
  for (Index line = 0; line < a.lines; ++line) {
    T const* const x = static_cast<T const*>(a.in) + line * a.in_line;
    T* const y = static_cast<T*>(a.out) + line * a.out_line;
    T const re = x[0], im = x[1];
    mix_line<V, true>(x, y, a.half, a.begin, a.end, static_cast<T const*>(a.roots));
    if (a.begin > 0) continue;
    y[0] = re + im, y[1] = 0;
    y[2 * a.half] = re - im, y[2 * a.half + 1] = 0;
  }
}

/// The imaginary parts of X_0 and X_h are taken as the zeros they should be.
template <class V>
void from_real_spectrum(HalvesArgs const& a) {
  using T = typename V::Element;
  for (Index line = 0; line < a.lines; ++line) {
    T const* const x = static_cast<T const*>(a.in) + line * a.in_line;
    T* const y = static_cast<T*>(a.out) + line * a.out_line;
    T const first = x[0], last = x[2 * a.half];
    mix_line<V, false>(x, y, a.half, a.begin, a.end, static_cast<T const*>(a.roots));
    if (a.begin == 0) y[0] = first + last, y[1] = first - last;
  }
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
