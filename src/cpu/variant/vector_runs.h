// Row ops on consecutive entries of one line, by vectors: see VectorRun in cpu/row_ops.h.
#pragma once

#include "cpu/variant/row_ops.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <int W>
struct Reverse {
  static constexpr int of(int l) { return W - 1 - l; }
};
template <class V>
[[gnu::always_inline]] inline V reverse(V a) {
  return shuffle<Reverse<V::lanes>>(a, a);
}

/// Loads, or stores, a vector of numbers from `at` on, upwards or downwards.
template <class V, bool up>
[[gnu::always_inline]] inline V load_run(typename V::Element const* at) {
  if constexpr (up)
    return load<V>(at);
  else
    return reverse(load<V>(at - (V::lanes - 1)));
}
template <class V, bool up>
[[gnu::always_inline]] inline void store_run(typename V::Element* at, V v) {
  if constexpr (up)
    store(at, v);
  else
    store(at - (V::lanes - 1), reverse(v));
}

/// The rotations w, t0, t1 of a vector of entries.
template <class V>
struct Rotations {
  Complex<V> w, t0, t1;
  [[gnu::always_inline]] explicit Rotations(typename V::Element const* at)
      : w(get(at, 0)), t0(get(at, 1)), t1(get(at, 2)) {}
  /// The rotations of the entries from k on.
  template <bool coarse>
  [[gnu::always_inline]] static Rotations of(VectorRun<typename V::Element> const& r, Index k) {
    if constexpr (!coarse) return Rotations(r.table + 6 * k);
    Rotations rotations(r.table + 6 * (k & (r.block - 1)));
    typename V::Element const* const c = r.coarse + 6 * (k / r.block);
    rotations.w = rotations.w * Complex<V>{broadcast<V>(c[0]), broadcast<V>(c[1])};
    rotations.t0 = rotations.t0 * Complex<V>{broadcast<V>(c[2]), broadcast<V>(c[3])};
    rotations.t1 = rotations.t1 * Complex<V>{broadcast<V>(c[4]), broadcast<V>(c[5])};
    return rotations;
  }

 private:
  [[gnu::always_inline]] static Complex<V> get(typename V::Element const* at, Index i) {
    return {load<V>(at + 2 * i * V::lanes), load<V>(at + (2 * i + 1) * V::lanes)};
  }
};

template <class V, bool up, bool coarse, class T>
[[gnu::always_inline]] inline void split_run(VectorRun<T> const& r, T const* in, T* out) {
  constexpr Index W = V::lanes;
  V const factor = broadcast<V>(r.factor[0]);
  for (Index k = 0; k < r.count; k += W) {
    Rotations<V> const rotations = Rotations<V>::template of<coarse>(r, k);
    Complex<V> a = load_complex<V>(in + 2 * (r.complex[0] + k));
    Complex<V> b = kernel::conj(load_complex_reversed<V>(in + 2 * (r.complex[1] - k - (W - 1))));
    split_forward(a, b, rotations.w);
    Complex<V> const p = a * rotations.t0, s = kernel::conj(b) * rotations.t1;
    Index const step = up ? k : -k;
    store_run<V, up>(out + r.real[0] + step, p.re * factor);
    store_run<V, !up>(out + r.real[1] - step, -(p.im * factor));
    store_run<V, !up>(out + r.real[2] - step, s.re * factor);
    store_run<V, up>(out + r.real[3] + step, -(s.im * factor));
  }
}

template <class V, bool up, bool coarse, class T>
[[gnu::always_inline]] inline void merge_run(VectorRun<T> const& r, T const* in, T* out) {
  constexpr Index W = V::lanes;
  V const factor = broadcast<V>(r.factor[0]);
  for (Index k = 0; k < r.count; k += W) {
    Rotations<V> const rotations = Rotations<V>::template of<coarse>(r, k);
    Index const step = up ? k : -k;
    V const x0 = load_run<V, up>(in + r.real[0] + step) * factor,
            x1 = load_run<V, !up>(in + r.real[1] - step) * factor,
            x2 = load_run<V, !up>(in + r.real[2] - step) * factor,
            x3 = load_run<V, up>(in + r.real[3] + step) * factor;
    Complex<V> a = Complex<V>{x0, -x1} * kernel::conj(rotations.t0);
    Complex<V> b = kernel::conj(Complex<V>{x2, -x3} * kernel::conj(rotations.t1));
    split_inverse(a, b, rotations.w);
    store_complex(out + 2 * (r.complex[0] + k), a);
    store_complex_reversed(out + 2 * (r.complex[1] - k - (W - 1)), kernel::conj(b));
  }
}

/// real: from[0], from[1], to[0], to[1].
template <class V, bool up, class T>
[[gnu::always_inline]] inline void combine_run(VectorRun<T> const& r, T const* in, T* out) {
  for (Index k = 0; k < r.count; k += V::lanes) {
    Index const step = up ? k : -k;
    V const x = load_run<V, up>(in + r.real[0] + step), y = load_run<V, !up>(in + r.real[1] - step);
    store_run<V, up>(out + r.real[2] + step, r.factor[0] * x + r.factor[1] * y);
    store_run<V, !up>(out + r.real[3] - step, r.factor[2] * x + r.factor[3] * y);
  }
}

template <class V, class T>
[[gnu::always_inline]] inline void pack_run(VectorRun<T> const& r, Index begin, Index end, T const* x, T* v) {
  constexpr Index W = V::lanes;
  Index const n = r.count;
  Index j = begin;
  for (; j + W <= end; j += W) {
    V const low = load<V>(x + 2 * j), high = load<V>(x + 2 * j + W);
    store(v + j, r.factor[0] * shuffle<EvenLanes>(low, high));
    store_run<V, false>(v + n - 1 - j, r.factor[1] * shuffle<OddLanes>(low, high));
  }
  for (; j < end; ++j) v[j] = r.factor[0] * x[2 * j], v[n - 1 - j] = r.factor[1] * x[2 * j + 1];
}

template <class V, class T>
[[gnu::always_inline]] inline void unpack_run(VectorRun<T> const& r, Index begin, Index end, T const* v,
                                              T* x) {
  constexpr Index W = V::lanes;
  Index const n = r.count;
  Index j = begin;
  for (; j + W <= end; j += W) {
    V const even = r.factor[0] * load<V>(v + j), odd = r.factor[1] * load_run<V, false>(v + n - 1 - j);
    store(x + 2 * j, shuffle<InterleaveLow<int(W)>>(even, odd));
    store(x + 2 * j + W, shuffle<InterleaveHigh<int(W)>>(even, odd));
  }
  for (; j < end; ++j) x[2 * j] = r.factor[0] * v[j], x[2 * j + 1] = r.factor[1] * v[n - 1 - j];
}

/// t_k for a vector of k, and those of the partners, in the same order.
template <class V>
struct Dct4Rotations {
  Complex<V> t, partner;
  template <class T>
  [[gnu::always_inline]] Dct4Rotations(VectorRun<T> const& r, Index k) {
    T const* const c = r.coarse + 2 * (k / r.block);
    t = load_complex<V>(r.table + 2 * (k & (r.block - 1))) *
        Complex<V>{broadcast<V>(c[0]), broadcast<V>(c[1])};
    partner =
        kernel::times_minus_i(kernel::conj(t * Complex<V>{broadcast<V>(r.last[0]), broadcast<V>(r.last[1])}));
  }
};

template <class V, bool up, class T>
[[gnu::always_inline]] inline void pack_rotated(VectorRun<T> const& r, Index begin, Index end, T const* x,
                                                T* z) {
  constexpr Index W = V::lanes;
  Index const n = 2 * r.count;
  for (Index k = begin; k < end; k += W) {
    Dct4Rotations<V> const rotations(r, k);
    Complex<V> const low = load_complex<V>(x + 2 * k);                        // x_2k and x_2k+1
    Complex<V> const high = load_complex_reversed<V>(x + n - 2 * k - 2 * W);  // x_(n-2-2k) and x_(n-1-2k)
    Complex<V> const a = up ? Complex<V>{r.factor[0] * low.re, r.factor[1] * high.im}
                            : Complex<V>{r.factor[0] * high.im, r.factor[1] * low.re};
    Complex<V> const b = up ? Complex<V>{r.factor[0] * high.re, r.factor[1] * low.im}
                            : Complex<V>{r.factor[0] * low.im, r.factor[1] * high.re};
    store_complex(z + 2 * k, a * rotations.t);
    store_complex_reversed(z + n - 2 * k - 2 * W, b * rotations.partner);
  }
}

template <class V, class T>
[[gnu::always_inline]] inline void unpack_rotated(VectorRun<T> const& r, Index begin, Index end, T const* z,
                                                  T* x) {
  constexpr Index W = V::lanes;
  Index const n = 2 * r.count;
  for (Index k = begin; k < end; k += W) {
    Dct4Rotations<V> const rotations(r, k);
    Complex<V> const a = load_complex<V>(z + 2 * k) * rotations.t;
    Complex<V> const b = load_complex_reversed<V>(z + n - 2 * k - 2 * W) * rotations.partner;
    store_complex(x + 2 * k, Complex<V>{r.factor[0] * a.re, r.factor[1] * b.im});
    store_complex_reversed(x + n - 2 * k - 2 * W, Complex<V>{r.factor[0] * b.re, r.factor[1] * a.im});
  }
}

template <RowOp op, class V>
[[gnu::flatten]] void rotated_rows(PassArgs const& args, void const* from, void* to) {
  using T = typename V::Element;
  VectorRun<T> const r = *static_cast<VectorRun<T> const*>(args.weights);
  auto const* const in = static_cast<T const*>(from);
  auto* const out = static_cast<T*>(to);
  if constexpr (op == RowOp::unpack)
    unpack_rotated<V>(r, args.begin, args.end, in, out);
  else
    r.up ? pack_rotated<V, true>(r, args.begin, args.end, in, out)
         : pack_rotated<V, false>(r, args.begin, args.end, in, out);
}

/// Split or merge of a run, with one-level or two-level rotations.
template <RowOp op, class V, bool up, class T>
[[gnu::always_inline]] inline void quads_run(VectorRun<T> const& r, T const* in, T* out) {
  if constexpr (op == RowOp::split)
    r.coarse ? split_run<V, up, true>(r, in, out) : split_run<V, up, false>(r, in, out);
  else
    r.coarse ? merge_run<V, up, true>(r, in, out) : merge_run<V, up, false>(r, in, out);
}

template <RowOp op, class V>
[[gnu::flatten]] void run_rows(PassArgs const& args, void const* from, void* to) {
  using T = typename V::Element;
  VectorRun<T> const r = *static_cast<VectorRun<T> const*>(args.weights);
  auto const* const in = static_cast<T const*>(from);
  auto* const out = static_cast<T*>(to);
  if constexpr (op == RowOp::pack)
    pack_run<V>(r, args.begin, args.end, in, out);
  else if constexpr (op == RowOp::unpack)
    unpack_run<V>(r, args.begin, args.end, in, out);
  else if constexpr (op == RowOp::split || op == RowOp::merge)
    r.up ? quads_run<op, V, true>(r, in, out) : quads_run<op, V, false>(r, in, out);
  else
    r.up ? combine_run<V, true>(r, in, out) : combine_run<V, false>(r, in, out);
}

template <class V>
constexpr void add_runs(RowKernels& all) {
  all.run[int(RowOp::combine)] = run_rows<RowOp::combine, V>;
  all.run[int(RowOp::pack)] = run_rows<RowOp::pack, V>;
  all.run[int(RowOp::unpack)] = run_rows<RowOp::unpack, V>;
  all.run[int(RowOp::split)] = run_rows<RowOp::split, V>;
  all.run[int(RowOp::merge)] = run_rows<RowOp::merge, V>;
  all.rotated[int(RowOp::pack)] = rotated_rows<RowOp::pack, V>;
  all.rotated[int(RowOp::unpack)] = rotated_rows<RowOp::unpack, V>;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
