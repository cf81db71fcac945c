// Passes that need no buffer: single butterflies from user to user, whole lines of R W points, and the last pass of
// decimation in time.
#pragma once

#include "cpu/variant/passes.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// A whole line of R W points in registers: the first pass of a line, transposed, and a last one of radix W.
template <int R, class V, bool inverse>
[[gnu::always_inline]] inline void small_line(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  T const* const w = static_cast<T const*>(a.twiddles);
  for (Index line = 0; line < a.lines; ++line) {
    T const* const x = static_cast<T const*>(in) + line * a.in_line;
    T* const y = static_cast<T*>(out) + line * a.out_line;
    Complex<V> v[R];
    unrolled<R>([&](int j) { v[inverse ? (R - j) % R : j] = load_complex<V>(x + 2 * W * j); });
    kernel::dft(v);
    v[0] = Complex<V>{v[0].re * scale, v[0].im * scale};
    unrolled<R - 1>([&](int k) {
      v[k + 1] = v[k + 1] * Complex<V>{load<V>(w + 2 * W * k), load<V>(w + 2 * W * k + W)};
    });
    unrolled<(R + W - 1) / W>([&](int block) {
      int const first = (block + 1) * W <= R ? block * W : R - W;
      V re[W], im[W];
      unrolled<W>([&](int i) { re[i] = v[first + i].re, im[i] = v[first + i].im; });
      transpose(re);
      transpose(im);
      Complex<V> u[W];
      unrolled<W>([&](int i) { u[inverse ? (W - i) % W : i] = Complex<V>{re[i], im[i]}; });
      kernel::dft(u);
      unrolled<W>([&](int k) { store_complex(y + 2 * (k * R + first), u[k]); });
    });
  }
}
template <int R, class V>
[[gnu::flatten]] void small_line_pass(PassArgs const& a, void const* in, void* out) {
  if (a.in_step < 0)
    small_line<R, V, true>(a, in, out);
  else
    small_line<R, V, false>(a, in, out);
}

/// R lines become one that is R times as long: twiddles, and a butterfly across the lines.
template <int R, class V>
[[gnu::flatten]] void dit_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  T const* w = static_cast<T const*>(a.twiddles);
  for (Index next = 0; next < a.columns; next += W, w += 2 * W * (R - 1)) {
    Index const q = next + W <= a.columns ? next : a.columns - W;
    T const* const x = static_cast<T const*>(in) + 2 * q;
    Complex<V> v[R];
    v[0] = load_complex<V>(x);
    unrolled<R - 1>([&](int j) {
      // Inverse: the lines are read backwards, and their twiddles with them.
      Index const i = a.in_step < 0 ? R - 2 - j : Index(j);
      v[j + 1] = load_complex<V>(x + a.in_first + (j + 1) * a.in_step) *
                 Complex<V>{load<V>(w + 2 * W * i), load<V>(w + 2 * W * i + W)};
    });
    kernel::dft(v);
    unrolled<R>([&](int k) { store_complex(static_cast<T*>(out) + 2 * q + k * a.out_step, v[k]); });
  }
}

template <class V>
constexpr UnbufferedPasses unbuffered_passes() {
  UnbufferedPasses all;
  each<max_radix>([&](auto i) {
    constexpr int R = pass_radices[i];
    all.only[R] = pass<R, V, Interleaved, Interleaved>;
    if constexpr (R > 1) all.dit[R] = dit_pass<R, V>;
    if constexpr (R > 1 && R >= V::lanes) all.small_line[R] = small_line_pass<R, V>;
  });
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
