// A real transform of n = 2h points from a complex one of h: with Z the transform of z_j = x_2j + i x_2j+1,
//   E_k = (Z_k + conj Z_h-k) / 2,  O_k = (Z_k - conj Z_h-k) / 2i,  X_k = E_k + w^k O_k,  X_h-k = conj(E_k - w^k O_k),
// w = exp(-2 pi i / n), k = 0..h/2, Z_h = Z_0. The inverse gives 2 Z, so that both directions are unscaled. Either way
// is one combination a, b -> c (a + b) +- u_k (a - b) of a number and its conjugate partner, where c = 1/2, u = -i w^k / 2
// going forward and c = 1, u = i conj w^k coming back.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/interleaved.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// y_k and y_h-k from a = x_k and m = x_h-k, the partner, not yet conjugated, in interleaved lanes (interleaved.h).
template <bool forward, class V>
[[gnu::always_inline]] inline void split_numbers(V& a, V& m, V u) {
  using T = typename V::Element;
  V const signs = alternating<V>(1, -1);
  V const even = a + signs * m, d = a - signs * m;
  V const re = shuffle<DuplicateEven>(u, u), im = alternating<V>(-1, 1) * shuffle<DuplicateOdd>(u, u);
  V const t = re * d + im * shuffle<SwapParts>(d, d);
  constexpr T c = forward ? T(0.5) : T(1);
  a = c * even + t;
  m = alternating<V>(c, -c) * even - signs * t;
}

/// Splits the pairs k, h-k of a line with begin <= k < end, as many at a time as a vector holds and the rest one by one;
/// `x` may be `y`. The caller does the pair of k = 0. `factors` begin with that of k = first.
template <class V, bool forward>
[[gnu::flatten]] void split_line(typename V::Element const* x, typename V::Element* y, Index h, Index begin,
                                 Index end, typename V::Element const* factors, Index first) {
  using One = Vec<typename V::Element, 2>;
  constexpr int P = V::lanes / 2;
  Index k = begin > 0 ? begin : 1;
  // [k, k+P) and its partner (h-k-P, h-k] meet at most in the middle, where both give the same number.
  for (; k + P <= end && k + P - 1 <= h - k - P + 1; k += P) {
    Index const partner = h - k - P + 1;
    V a = load<V>(x + 2 * k), m = reverse_pairs(load<V>(x + 2 * partner));
    split_numbers<forward>(a, m, load<V>(factors + 2 * (k - first)));
    store(y + 2 * k, a);
    store(y + 2 * partner, reverse_pairs(m));
  }
  for (; P > 1 && k < end && k <= h - k; ++k) {
    One a = load<One>(x + 2 * k), m = load<One>(x + 2 * (h - k));
    split_numbers<forward>(a, m, load<One>(factors + 2 * (k - first)));
    store(y + 2 * (h - k), m);
    store(y + 2 * k, a);
  }
}

template <class V>
void to_real_spectrum(PassArgs const& a, void const* in, void* out) {
  using T = typename V::Element;
  Index const h = a.columns;
  for (Index line = 0; line < a.lines; ++line) {
    T const* const x = static_cast<T const*>(in) + line * a.in_line;
    T* const y = static_cast<T*>(out) + line * a.out_line;
    bool const has_ends =
        a.begin == 0;  // other pieces, which may run at the same time in place, touch neither end
    T const re = has_ends ? x[0] : T(0), im = has_ends ? x[1] : T(0);
    split_line<V, true>(x, y, h, a.begin, a.end, static_cast<T const*>(a.twiddles), a.first_twiddle);
    if (!has_ends) continue;
    y[0] = re + im, y[1] = 0;
    y[2 * h] = re - im, y[2 * h + 1] = 0;
  }
}

/// The imaginary parts of X_0 and X_h are taken as the zeros they should be.
template <class V>
void from_real_spectrum(PassArgs const& a, void const* in, void* out) {
  using T = typename V::Element;
  Index const h = a.columns;
  for (Index line = 0; line < a.lines; ++line) {
    T const* const x = static_cast<T const*>(in) + line * a.in_line;
    T* const y = static_cast<T*>(out) + line * a.out_line;
    bool const has_ends = a.begin == 0;
    T const first = has_ends ? x[0] : T(0), last = has_ends ? x[2 * h] : T(0);
    split_line<V, false>(x, y, h, a.begin, a.end, static_cast<T const*>(a.twiddles), a.first_twiddle);
    if (has_ends) y[0] = first + last, y[1] = first - last;
  }
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
