// Whole lines in registers, W at a time, one a lane: transposed on the way in and out. With W = 1 no vector is
// shuffled at all, and a lone short line costs no more than its codelet. A real line of n = 2R points is a complex one
// of R and the mixing of halves.h, its roots now constants.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/halves.h"
#include "cpu/variant/vectors.h"
#include "kernel/codelets.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// N complex numbers of each of W lines. Blocks of W numbers, the last one overlapping where W does not divide N.
template <int N, class V>
[[gnu::always_inline]] inline void load_lines(typename V::Element const* x, Index line, Complex<V> (&v)[N]) {
  constexpr int W = V::lanes;
  each<(N + W - 1) / W>([&](auto block) __attribute__((always_inline)) {
    constexpr int k = (block + 1) * W <= N ? block * W : N - W;
    V re[W], im[W];
    each<W>([&](auto i) __attribute__((always_inline)) {
      Complex<V> const points = load_pairs<V>(x + i * line + 2 * k);
      re[i] = points.re, im[i] = points.im;
    });
    transpose(re);
    transpose(im);
    each<W>([&](auto i) __attribute__((always_inline)) { v[k + i] = Complex<V>{re[i], im[i]}; });
  });
}
template <int N, class V>
[[gnu::always_inline]] inline void store_lines(typename V::Element* y, Index line, Complex<V> const (&v)[N],
                                               V scale) {
  constexpr int W = V::lanes;
  each<(N + W - 1) / W>([&](auto block) __attribute__((always_inline)) {
    constexpr int k = (block + 1) * W <= N ? block * W : N - W;
    V re[W], im[W];
    each<W>([&](auto i)
                __attribute__((always_inline)) { re[i] = v[k + i].re * scale, im[i] = v[k + i].im * scale; });
    transpose(re);
    transpose(im);
    each<W>([&](auto i) __attribute__((always_inline)) {
      store_pairs(y + i * line + 2 * k, Complex<V>{re[i], im[i]});
    });
  });
}

template <int R, class V>
[[gnu::always_inline]] inline void swap_parts(Complex<V> (&v)[R]) {
  each<R>([&](auto i) __attribute__((always_inline)) { v[i] = kernel::swap(v[i]); });
}

template <int R, class V, bool inverse>
[[gnu::always_inline]] inline void short_lines(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  for (Index line = 0; line < a.lines; line += V::lanes) {
    Complex<V> v[R];
    load_lines(static_cast<T const*>(in) + line * a.in_line, a.in_line, v);
    if constexpr (inverse) swap_parts(v);
    kernel::dft(v);
    if constexpr (inverse) swap_parts(v);
    store_lines(static_cast<T*>(out) + line * a.out_line, a.out_line, v, scale);
  }
}
template <int R, class V>
[[gnu::flatten]] void only_lines_pass(PassArgs const& a, void const* in, void* out) {
  if (a.in_step < 0)
    short_lines<R, V, true>(a, in, out);
  else
    short_lines<R, V, false>(a, in, out);
}

/// 2R reals to R+1 complex numbers.
template <int R, class V>
[[gnu::flatten]] void from_real_lines_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  V const scale = broadcast<V>(static_cast<T>(a.scale)), half = broadcast<V>(static_cast<T>(a.scale / 2));
  V const zero = broadcast<V>(T(0));
  for (Index line = 0; line < a.lines; line += V::lanes) {
    Complex<V> z[R], x[R + 1];
    load_lines(static_cast<T const*>(in) + line * a.in_line, a.in_line, z);
    kernel::dft(z);
    x[0] = Complex<V>{(z[0].re + z[0].im) * scale, zero};
    x[R] = Complex<V>{(z[0].re - z[0].im) * scale, zero};
    each<R / 2>([&](auto i) {
      constexpr int k = i + 1;
      Complex<V> const b = kernel::conj(z[R - k]), even = z[k] + b;
      Complex<V> const turned = kernel::rotate<2 * R, k>(kernel::times_minus_i(z[k] - b));
      Complex<V> const low = even + turned, high = kernel::conj(even - turned);
      x[k] = Complex<V>{low.re * half, low.im * half};
      if constexpr (2 * k < R) x[R - k] = Complex<V>{high.re * half, high.im * half};
    });
    store_lines(static_cast<T*>(out) + line * a.out_line, a.out_line, x, broadcast<V>(T(1)));
  }
}

/// And back, the imaginary parts of the first and the last taken as zero.
template <int R, class V>
[[gnu::flatten]] void to_real_lines_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  for (Index line = 0; line < a.lines; line += V::lanes) {
    Complex<V> x[R + 1], z[R];
    load_lines(static_cast<T const*>(in) + line * a.in_line, a.in_line, x);
    z[0] = Complex<V>{x[0].re + x[R].re, x[0].re - x[R].re};
    each<R / 2>([&](auto i) {
      constexpr int k = i + 1;
      Complex<V> const b = kernel::conj(x[R - k]), even = x[k] + b;
      // i conj(w) d, as the conjugate of w (-i conj d)
      Complex<V> const turned =
          kernel::conj(kernel::rotate<2 * R, k>(kernel::times_minus_i(kernel::conj(x[k] - b))));
      z[k] = even + turned;
      if constexpr (2 * k < R) z[R - k] = kernel::conj(even - turned);
    });
    swap_parts(z);
    kernel::dft(z);
    swap_parts(z);
    store_lines(static_cast<T*>(out) + line * a.out_line, a.out_line, z, scale);
  }
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
