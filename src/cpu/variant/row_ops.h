// See cpu/row_ops.h: row ops in vectors.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/vectors.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <class V>
[[gnu::always_inline]] inline Complex<V> everywhere(typename V::Element const (&w)[2]) {
  return {broadcast<V>(w[0]), broadcast<V>(w[1])};
}

/// The Hermitian split (hermitian_split.h): 2 V_k and 2 conj V_h-k from a = Z_k, b = conj Z_h-k.
template <class V>
[[gnu::always_inline]] inline void split_forward(Complex<V>& a, Complex<V>& b, Complex<V> w) {
  Complex<V> const even = a + b, rotated = kernel::times_minus_i(a - b) * w;
  a = even + rotated;
  b = even - rotated;
}
/// 2 Z_k and 2 conj Z_h-k from a = V_k, b = conj V_h-k.
template <class V>
[[gnu::always_inline]] inline void split_inverse(Complex<V>& a, Complex<V>& b, Complex<V> w) {
  Complex<V> const even = a + b, rotated = kernel::times_i(a - b) * kernel::conj(w);
  a = even + rotated;
  b = even - rotated;
}

/// A table entry with the rows it is about.
template <RowOp op, class T>
struct RowEntry {
  RowPair<T> m;
  T const *x, *y;
  T *u, *v;

  [[gnu::always_inline]] RowEntry(PassArgs const& a, T const* in, T* out, Index i)
      : m(static_cast<RowPair<T> const*>(a.weights)[i]),
        x(m.from[0] < 0 ? nullptr : in + m.from[0] * a.in_row),
        y(m.from[1] < 0 ? nullptr : in + m.from[1] * a.in_row),
        u(out + m.to[0] * a.out_row),
        v(out + m.to[1] * a.out_row) {}

  /// All reads come before all writes.
  template <class V>
  [[gnu::always_inline]] inline void run(Index q) const {
    V const c0 = broadcast<V>(m.c[0]), c1 = broadcast<V>(m.c[1]);
    V const s0 = broadcast<V>(m.s[0]), s1 = broadcast<V>(m.s[1]);
    if constexpr (op == RowOp::combine) {
      V const a = load<V>(x + q), b = load<V>(y + q);
      store(v + q, a * c1 + b * s1);
      store(u + q, a * c0 + b * s0);
    } else if constexpr (op == RowOp::pack) {
      V const zero = broadcast<V>(0);
      Complex<V> const z = {x ? load<V>(x + q) * c1 : zero, y ? load<V>(y + q) * s1 : zero};
      store_complex(u + 2 * q, z * Complex<V>{c0, s0});
    } else {
      Complex<V> const z = load_complex<V>(x + 2 * q) * Complex<V>{c0, s0};
      store(v + q, z.im * s1);
      store(u + q, z.re * c1);
    }
  }
};

template <RowOp op, class T>
requires(op == RowOp::split || op == RowOp::merge) struct RowEntry<op, T> {
  RowQuad<T> m;
  T const* in;
  T* out;
  Index in_row, out_row;

  [[gnu::always_inline]] RowEntry(PassArgs const& a, T const* x, T* y, Index i)
      : m(static_cast<RowQuad<T> const*>(a.weights)[i]),
        in(x),
        out(y),
        in_row(a.in_row),
        out_row(a.out_row) {}

  template <class V>
  [[gnu::always_inline]] inline void run(Index q) const {
    Complex<V> const w = everywhere<V>(m.w), t0 = everywhere<V>(m.t0), t1 = everywhere<V>(m.t1);
    auto factor = [&](int i) __attribute__((always_inline)) { return broadcast<V>(m.f[i]); };
    if constexpr (op == RowOp::split) {
      Complex<V> a = load_complex<V>(in + m.complex[0] * in_row + 2 * q);
      Complex<V> b = kernel::conj(load_complex<V>(in + m.complex[1] * in_row + 2 * q));
      split_forward(a, b, w);
      Complex<V> const p = a * t0, s = kernel::conj(b) * t1;
      store(out + m.real[3] * out_row + q, -(s.im * factor(3)));
      store(out + m.real[1] * out_row + q, -(p.im * factor(1)));
      store(out + m.real[2] * out_row + q, s.re * factor(2));
      store(out + m.real[0] * out_row + q, p.re * factor(0));
    } else {
      auto get = [&](int i) __attribute__((always_inline)) {
        return load<V>(in + m.real[i] * in_row + q) * factor(i);
      };
      Complex<V> a = Complex<V>{get(0), -get(1)} * kernel::conj(t0);
      Complex<V> b = kernel::conj(Complex<V>{get(2), -get(3)} * kernel::conj(t1));
      split_inverse(a, b, w);
      store_complex(out + m.complex[1] * out_row + 2 * q, kernel::conj(b));
      store_complex(out + m.complex[0] * out_row + 2 * q, a);
    }
  }
};

/// Columns from q on, in vectors of W, of half as many down to 16 bytes, and then one by one.
template <class T, int W, class Entry>
[[gnu::always_inline]] inline void run_columns(Entry const& entry, Index q, Index columns) {
  for (; q + W <= columns; q += W) entry.template run<Vec<T, W>>(q);
  if constexpr (W > 1)
    if (q < columns) run_columns<T, (W * sizeof(T) > 16 ? W / 2 : 1)>(entry, q, columns);
}

template <RowOp op, class V>
[[gnu::flatten]] void rows(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  for (Index i = 0; i < a.rows; ++i)
    run_columns<T, V::lanes>(RowEntry<op, T>(a, static_cast<T const*>(in), static_cast<T*>(out), i), 0,
                             a.columns);
}

/// Tiles of W x W; what is left at the edges goes one by one.
template <class V>
[[gnu::flatten]] void transpose_rows(TransposeRowsArgs const& args) {
  TransposeRowsArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  auto const* const x = static_cast<T const*>(a.in);
  auto* const y = static_cast<T*>(a.out);
  Index q = 0;
  for (; q + W <= a.columns; q += W) {
    Index j = 0;
    for (; j + W <= a.rows; j += W) {
      V block[W];
      unrolled<W>([&](int i) { block[i] = load<V>(x + (q + i) * a.in_column + j); });
      transpose(block);
      unrolled<W>([&](int i) { store(y + (j + i) * a.out_row + q, block[i]); });
    }
    for (; j < a.rows; ++j)
      for (int i = 0; i < W; ++i) y[j * a.out_row + q + i] = x[(q + i) * a.in_column + j];
  }
  for (; q < a.columns; ++q)
    for (Index j = 0; j < a.rows; ++j) y[j * a.out_row + q] = x[q * a.in_column + j];
}

/// N vectors of outputs; `length`, where it is not 0, is the n that is known.
template <class V, int N, Index length = 0>
[[gnu::always_inline]] inline void product_part(typename V::Element const* x, typename V::Element* y,
                                                typename V::Element const* matrix, Index n, Index row) {
  V sum[N] = {};
  auto const add = [&](Index j) __attribute__((always_inline)) {
    V const factor = broadcast<V>(x[j]);
    unrolled<N>([&](int i) { sum[i] = sum[i] + factor * load<V>(matrix + j * row + i * V::lanes); });
  };
  if constexpr (length > 0)
    unrolled<int(length)>([&](int j) { add(j); });
  else
    for (Index j = 0; j < n; ++j) add(j);
  unrolled<N>([&](int i) { store(y + i * V::lanes, sum[i]); });
}

/// All that lies between in and out is in registers, so these may be the same.
template <class V, Index n>
[[gnu::always_inline]] inline void product_of(typename V::Element const* in, typename V::Element* out,
                                              typename V::Element const* matrix, Index row) {
  product_part<V, int(n / V::lanes), n>(in, out, matrix, n, row);
}

template <class V>
[[gnu::flatten]] void product(PassArgs const& args, void const* from, void* to) {
  using T = typename V::Element;
  constexpr Index W = V::lanes;
  Index const n = args.radix, row = args.in_row, in_step = args.in_step, out_step = args.out_step;
  auto const* const in = static_cast<T const*>(from);
  auto* const out = static_cast<T*>(to);
  auto const* const matrix = static_cast<T const*>(args.weights);
  if constexpr (W <= 8)
    if (n == 8 && in_step == 1 && out_step == 1) return product_of<V, 8>(in, out, matrix, row);
  T x[max_product], y[max_product + 8 * W];
  for (Index j = 0; j < n; ++j) x[j] = in[j * in_step];
  T* const result = out_step == 1 && n % W == 0 ? out : y;
  Index k = 0;  // several sums at once hide the time that each addition takes
  for (; k + 8 * W <= n; k += 8 * W) product_part<V, 8>(x, result + k, matrix + k, n, row);
  for (; k + 4 * W <= n; k += 4 * W) product_part<V, 4>(x, result + k, matrix + k, n, row);
  for (; k + 2 * W <= n; k += 2 * W) product_part<V, 2>(x, result + k, matrix + k, n, row);
  for (; k < n; k += W) product_part<V, 1>(x, result + k, matrix + k, n, row);
  for (k = 0; result == y && k < n; ++k) out[k * out_step] = y[k];
}

template <class V>
constexpr void add_runs(RowKernels& all);

template <class V>
constexpr RowKernels row_kernels() {
  RowKernels all;
  if constexpr (V::lanes > 1) add_runs<V>(all);
  all.op[int(RowOp::combine)] = rows<RowOp::combine, V>;
  all.op[int(RowOp::pack)] = rows<RowOp::pack, V>;
  all.op[int(RowOp::unpack)] = rows<RowOp::unpack, V>;
  all.op[int(RowOp::split)] = rows<RowOp::split, V>;
  all.op[int(RowOp::merge)] = rows<RowOp::merge, V>;
  all.transpose = transpose_rows<V>;
  all.product = product<V>;
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
