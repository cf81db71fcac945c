// The Stockham pass of one radix, in its five sorts (kernels.h). With columns q in the lanes,
//   y[q + s (R p + k)] = w^(p k) sum_j w_R^(j k) x[q + s (p + m j)],
// no vector is ever shuffled but to split or join the parts of the user's complex numbers. The first pass over a
// single contiguous line has s = 1: there lanes run along p, and its W outputs of every k are transposed.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/vectors.h"
#include "kernel/codelets.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// Where a side of a pass lives: interleaved (the user's) or split (scratch).
struct Interleaved {
  static constexpr int width = 2;
  template <class V>
  [[gnu::always_inline]] static Complex<V> get(typename V::Element const* at, Index) {
    return load_pairs<V>(at);
  }
  template <class V>
  [[gnu::always_inline]] static void put(typename V::Element* at, Index, Complex<V> v) {
    store_pairs(at, v);
  }
};
struct Split {
  static constexpr int width = 1;
  template <class V>
  [[gnu::always_inline]] static Complex<V> get(typename V::Element const* at, Index plane) {
    return {load<V>(at), load<V>(at + plane)};
  }
  template <class V>
  [[gnu::always_inline]] static void put(typename V::Element* at, Index plane, Complex<V> v) {
    store(at, v.re);
    store(at + plane, v.im);
  }
};

template <int R, class V, class From, class To>
[[gnu::flatten]] void pass(PassArgs const& a) {
  using T = typename V::Element;
  constexpr bool only = From::width == 2 && To::width == 2, twiddled = To::width == 1;
  constexpr bool scaled = From::width == 2;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  for (Index line = 0; line < a.lines; ++line)
    for (Index row = 0; row < a.rows; ++row) {
      T const* const from = static_cast<T const*>(a.in) + line * a.in_line + row * a.in_row;
      T* const to = static_cast<T*>(a.out) + line * a.out_line + row * a.out_row;
      T const* const w = static_cast<T const*>(a.twiddles) + 2 * row * (R - 1);
      for (Index next = 0; next < a.columns; next += V::lanes) {
        Index const q = next + V::lanes <= a.columns ? next : a.columns - V::lanes;
        T const* const x = from + q * From::width;
        T const* const rest = x + a.in_first;
        T* const y = to + q * To::width;
        Complex<V> v[R];
        v[0] = From::template get<V>(x, a.in_plane);
        each<R - 1>([&](auto j) { v[j + 1] = From::template get<V>(rest + (j + 1) * a.in_step, a.in_plane); });
        kernel::dft(v);
        if constexpr (only) {
          each<R>([&](auto k) { v[k] = Complex<V>{v[k].re * scale, v[k].im * scale}; });
        } else if constexpr (twiddled) {
          if constexpr (scaled) v[0] = Complex<V>{v[0].re * scale, v[0].im * scale};
          each<R - 1>([&](auto k) {
            Complex<V> const turn = {broadcast<V>(w[2 * k]), broadcast<V>(w[2 * k + 1])};
            v[k + 1] = v[k + 1] * turn;
          });
        }
        each<R>([&](auto k) { To::template put<V>(y + k * a.out_step, a.out_plane, v[k]); });
      }
    }
}

/// W rows of R numbers from R vectors of W rows: blocks of W numbers, the last one overlapping where W does not
/// divide R.
template <int R, class V>
[[gnu::always_inline]] inline void put_transposed(typename V::Element* y, V const (&v)[R]) {
  constexpr int W = V::lanes;
  each<(R + W - 1) / W>([&](auto block) __attribute__((always_inline)) {
    constexpr int k = (block + 1) * W <= R ? block * W : R - W;
    V rows[W];
    each<W>([&](auto i) __attribute__((always_inline)) { rows[i] = v[k + i]; });
    transpose(rows);
    each<W>([&](auto i) __attribute__((always_inline)) { store(y + i * R + k, rows[i]); });
  });
}

template <int R, class V>
[[gnu::flatten]] void first_line_pass(PassArgs const& a) {
  using T = typename V::Element;
  constexpr int W = V::lanes;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  for (Index line = 0; line < a.lines; ++line) {
    T const* const from = static_cast<T const*>(a.in) + line * a.in_line;
    T* const to = static_cast<T*>(a.out) + line * a.out_line;
    T const* w = static_cast<T const*>(a.twiddles);
    for (Index next = 0; next < a.rows; next += W, w += 2 * W * (R - 1)) {
      Index const p = next + W <= a.rows ? next : a.rows - W;
      T const* const x = from + 2 * p;
      T const* const rest = x + a.in_first;
      Complex<V> v[R];
      v[0] = load_pairs<V>(x);
      each<R - 1>([&](auto j) { v[j + 1] = load_pairs<V>(rest + (j + 1) * a.in_step); });
      kernel::dft(v);
      v[0] = Complex<V>{v[0].re * scale, v[0].im * scale};
      each<R - 1>([&](auto k) {
        Complex<V> const turn = {load<V>(w + 2 * W * k), load<V>(w + 2 * W * k + W)};
        v[k + 1] = v[k + 1] * turn;
      });
      V re[R], im[R];
      each<R>([&](auto k) { re[k] = v[k].re, im[k] = v[k].im; });
      put_transposed<R>(to + p * R, re);
      put_transposed<R>(to + p * R + a.out_plane, im);
    }
  }
}

template <class V>
constexpr PassTable pass_table() {
  PassTable table;
  table.lanes = V::lanes;
  each<most_radix>([&](auto i) {
    constexpr int R = pass_radices[i];
    table.only[R] = pass<R, V, Interleaved, Interleaved>;
    if constexpr (R > 1) {
      table.first[R] = pass<R, V, Interleaved, Split>;
      table.inner[R] = pass<R, V, Split, Split>;
      table.last[R] = pass<R, V, Split, Interleaved>;
      if constexpr (R >= V::lanes) table.first_line[R] = first_line_pass<R, V>;
    }
  });
  return table;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
