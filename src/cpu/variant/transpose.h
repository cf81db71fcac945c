// What stands between the passes of different sweeps: the transposing copy that brings lines into columns, with or without
// the twiddles between two digits of an axis; and a product with factors.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/interleaved.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <class V>
[[gnu::flatten]] void multiply(MultiplyArgs const& args) {
  MultiplyArgs const a = args;  // a copy that no store can reach
  using T = typename V::Element;
  constexpr int W = V::lanes;
  auto const* f = static_cast<T const*>(a.factors);
  if (a.columns == 1 && a.in_row == 2 && a.out_row == 2) {
    auto const* x = static_cast<T const*>(a.in);
    auto* y = static_cast<T*>(a.out);
    Index i = 0;
    for (; i + W <= a.rows; i += W)
      store_complex(y + 2 * i, load_complex<V>(x + 2 * i) * load_complex<V>(f + 2 * i));
    for (; i < a.rows; ++i) {
      T const re = x[2 * i], im = x[2 * i + 1];
      y[2 * i] = re * f[2 * i] - im * f[2 * i + 1];
      y[2 * i + 1] = re * f[2 * i + 1] + im * f[2 * i];
    }
    return;
  }
  if (a.columns == 1) {
    for (Index i = 0; i < a.rows; ++i) {
      T const* const x = static_cast<T const*>(a.in) + i * a.in_row;
      T* const y = static_cast<T*>(a.out) + i * a.out_row;
      T const re = x[0], im = x[1];
      y[0] = re * f[2 * i] - im * f[2 * i + 1];
      y[1] = re * f[2 * i + 1] + im * f[2 * i];
    }
    return;
  }
  for (Index row = 0; row < a.rows; ++row) {
    T const* x = static_cast<T const*>(a.in) + row * a.in_row;
    T* y = static_cast<T*>(a.out) + row * a.out_row;
    T const c = f[2 * row], s = f[2 * row + 1];
    Index q = 0;
    Complex<V> const w = {broadcast<V>(c), broadcast<V>(s)};
    for (; q + W <= a.columns; q += W) store_complex(y + 2 * q, load_complex<V>(x + 2 * q) * w);
    for (; q < a.columns; ++q) {
      T const re = x[2 * q], im = x[2 * q + 1];
      y[2 * q] = re * c - im * s;
      y[2 * q + 1] = re * s + im * c;
    }
  }
}

/// Tiles of P x P complex numbers, P to a vector; the last ones of a row and of a column overlap those before. What has
/// fewer than P rows or columns goes one by one.
template <class V>
[[gnu::flatten]] void transpose_numbers(TransposeArgs const& args) {
  TransposeArgs const a = args;
  using T = typename V::Element;
  constexpr int P = V::lanes / 2;
  auto const* x = static_cast<T const*>(a.in);
  auto* y = static_cast<T*>(a.out);
  if (a.rows < P || a.columns < P) {
    for (Index q = 0; q < a.columns; ++q)
      for (Index j = 0; j < a.rows; ++j) {
        y[j * a.out_row + 2 * q] = x[q * a.in_column + 2 * j];
        y[j * a.out_row + 2 * q + 1] = x[q * a.in_column + 2 * j + 1];
      }
    return;
  }
  for (Index next_q = 0; next_q < a.columns; next_q += P) {
    Index const q = next_q + P <= a.columns ? next_q : a.columns - P;
    for (Index next = 0; next < a.rows; next += P) {
      Index const j = next + P <= a.rows ? next : a.rows - P;
      T const* from = x + q * a.in_column + 2 * j;
      T* to = y + j * a.out_row + 2 * q;
      V rows[P];
      unrolled<P>([&](int i) {
        if (a.prefetch_in) __builtin_prefetch(from + a.prefetch_in, 0, 2);
        rows[i] = load<V>(from);
        from += a.in_column;
      });
      transpose_pairs(rows);
      unrolled<P>([&](int i) {
        if (a.prefetch_out) __builtin_prefetch(to + a.prefetch_out, 1, 2);
        store(to, rows[i]);
        to += a.out_row;
      });
    }
  }
}

/// The same with twiddles, W x W numbers at a time; what is left at the edges goes one by one.
template <class V>
[[gnu::flatten]] void transpose_twiddled(TransposeArgs const& args) {
  TransposeArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  auto const* x = static_cast<T const*>(a.in);
  auto* y = static_cast<T*>(a.out);
  auto const* fine = static_cast<T const*>(a.fine);
  auto const* coarse = static_cast<T const*>(a.coarse);
  Index const mask = (Index(1) << a.shift) - 1;
  auto one = [&](Index q, Index j) __attribute__((always_inline)) {
    T const re = x[q * a.in_column + 2 * j], im = x[q * a.in_column + 2 * j + 1];
    T const* f = fine + q * a.fine_column + 2 * ((a.first + j) & mask);
    T const* c = coarse + q * a.coarse_column + 2 * ((a.first + j) >> a.shift);
    T const wr = f[0] * c[0] - f[1] * c[1], wi = f[0] * c[1] + f[1] * c[0];
    y[j * a.out_row + 2 * q] = re * wr - im * wi;
    y[j * a.out_row + 2 * q + 1] = re * wi + im * wr;
  };
  Index q = 0;
  for (; q + W <= a.columns; q += W) {
    Index j = 0;
    for (; j + W <= a.rows; j += W) {
      V re[W], im[W];
      unrolled<W>([&](int i) {
        // 2^shift is a multiple of W, so j..j+W-1 share the coarse factor
        T const* f = fine + (q + i) * a.fine_column + 2 * ((a.first + j) & mask);
        T const* c = coarse + (q + i) * a.coarse_column + 2 * ((a.first + j) >> a.shift);
        Complex<V> const v = load_complex<V>(x + (q + i) * a.in_column + 2 * j) *
                             (load_complex<V>(f) * Complex<V>{broadcast<V>(c[0]), broadcast<V>(c[1])});
        re[i] = v.re, im[i] = v.im;
      });
      transpose(re);
      transpose(im);
      unrolled<W>([&](int i) { store_complex(y + (j + i) * a.out_row + 2 * q, Complex<V>{re[i], im[i]}); });
    }
    for (; j < a.rows; ++j)
      for (int i = 0; i < W; ++i) one(q + i, j);
  }
  for (; q < a.columns; ++q)
    for (Index j = 0; j < a.rows; ++j) one(q, j);
}

template <class V>
void transpose_any(TransposeArgs const& a) {
  if (a.fine)
    transpose_twiddled<V>(a);
  else
    transpose_numbers<V>(a);
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
