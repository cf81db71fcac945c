// See cpu/rows.h: row ops in vectors.
#pragma once

#include "cpu/rows.h"
#include "cpu/variant/vectors.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <class V>
[[gnu::always_inline]] inline Complex<V> everywhere(typename V::Element const (&w)[2]) {
  return {broadcast<V>(w[0]), broadcast<V>(w[1])};
}

/// 2 V_k and 2 conj V_h-k from a = Z_k, b = conj Z_h-k, as in halves.h.
template <class V>
[[gnu::always_inline]] inline void mix_forward(Complex<V>& a, Complex<V>& b, Complex<V> w) {
  Complex<V> const even = a + b, turned = kernel::times_minus_i(a - b) * w;
  a = even + turned;
  b = even - turned;
}
/// 2 Z_k and 2 conj Z_h-k from a = V_k, b = conj V_h-k.
template <class V>
[[gnu::always_inline]] inline void mix_inverse(Complex<V>& a, Complex<V>& b, Complex<V> w) {
  Complex<V> const even = a + b, turned = kernel::times_i(a - b) * kernel::conj(w);
  a = even + turned;
  b = even - turned;
}

/// Pairs, also of a single one.
template <class V>
[[gnu::always_inline]] inline Complex<V> load_complex(typename V::Element const* at) {
  if constexpr (V::lanes == 1)
    return {load<V>(at), load<V>(at + 1)};
  else
    return load_pairs<V>(at);
}
template <class V>
[[gnu::always_inline]] inline void store_complex(typename V::Element* at, Complex<V> v) {
  if constexpr (V::lanes == 1)
    store(at, v.re), store(at + 1, v.im);
  else
    store_pairs(at, v);
}

/// A table entry with the rows it is about.
template <RowOp op, class T>
struct Rows {
  RowMove<T> m;
  T const *x, *y;
  T *u, *v;

  [[gnu::always_inline]] Rows(RowsArgs const& a, Index i)
      : m(static_cast<RowMove<T> const*>(a.moves)[i]),
        x(m.from[0] < 0 ? nullptr : static_cast<T const*>(a.in) + m.from[0] * a.in_row),
        y(m.from[1] < 0 ? nullptr : static_cast<T const*>(a.in) + m.from[1] * a.in_row),
        u(static_cast<T*>(a.out) + m.to[0] * a.out_row),
        v(static_cast<T*>(a.out) + m.to[1] * a.out_row) {}

  /// All reads come before all writes.
  template <class V>
  [[gnu::always_inline]] inline void run(Index q) const {
    V const c0 = broadcast<V>(m.c[0]), c1 = broadcast<V>(m.c[1]);
    V const s0 = broadcast<V>(m.s[0]), s1 = broadcast<V>(m.s[1]);
    if constexpr (op == RowOp::mix) {
      V const a = load<V>(x + q), b = load<V>(y + q);
      store(v + q, a * c1 + b * s1);
      store(u + q, a * c0 + b * s0);
    } else if constexpr (op == RowOp::zip) {
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
requires(op == RowOp::split || op == RowOp::join) struct Rows<op, T> {
  RowQuad<T> m;
  T const* in;
  T* out;
  Index in_row, out_row;

  [[gnu::always_inline]] Rows(RowsArgs const& a, Index i)
      : m(static_cast<RowQuad<T> const*>(a.moves)[i]),
        in(static_cast<T const*>(a.in)),
        out(static_cast<T*>(a.out)),
        in_row(a.in_row),
        out_row(a.out_row) {}

  template <class V>
  [[gnu::always_inline]] inline void run(Index q) const {
    Complex<V> const w = everywhere<V>(m.w), t0 = everywhere<V>(m.t0), t1 = everywhere<V>(m.t1);
    auto factor = [&](int i) __attribute__((always_inline)) { return broadcast<V>(m.f[i]); };
    if constexpr (op == RowOp::split) {
      Complex<V> a = load_complex<V>(in + m.complex[0] * in_row + 2 * q);
      Complex<V> b = kernel::conj(load_complex<V>(in + m.complex[1] * in_row + 2 * q));
      mix_forward(a, b, w);
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
      mix_inverse(a, b, w);
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
[[gnu::flatten]] void rows(RowsArgs const& args) {
  RowsArgs const a = args;
  for (Index i = 0; i < a.count; ++i)
    run_columns<typename V::Element, V::lanes>(Rows<op, typename V::Element>(a, i), 0, a.columns);
}

/// Tiles of W x W; what is left at the edges goes one by one.
template <class V>
[[gnu::flatten]] void turn(TurnArgs const& args) {
  TurnArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  auto const* const x = static_cast<T const*>(a.in);
  auto* const y = static_cast<T*>(a.out);
  Index q = 0;
  for (; q + W <= a.columns; q += W) {
    Index j = 0;
    for (; j + W <= a.rows; j += W) {
      V block[W];
      each<W>([&](auto i) { block[i] = load<V>(x + (q + i) * a.in_column + j); });
      transpose(block);
      each<W>([&](auto i) { store(y + (j + i) * a.out_row + q, block[i]); });
    }
    for (; j < a.rows; ++j)
      for (int i = 0; i < W; ++i) y[j * a.out_row + q + i] = x[(q + i) * a.in_column + j];
  }
  for (; q < a.columns; ++q)
    for (Index j = 0; j < a.rows; ++j) y[j * a.out_row + q] = x[q * a.in_column + j];
}

template <class V>
constexpr RowKernels row_kernels() {
  RowKernels all;
  all.op[int(RowOp::mix)] = rows<RowOp::mix, V>;
  all.op[int(RowOp::zip)] = rows<RowOp::zip, V>;
  all.op[int(RowOp::unzip)] = rows<RowOp::unzip, V>;
  all.op[int(RowOp::split)] = rows<RowOp::split, V>;
  all.op[int(RowOp::join)] = rows<RowOp::join, V>;
  all.turn = turn<V>;
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
