// The Stockham pass of one radix, in all its forms (kernels.h). With columns q in the lanes,
//   y[q + s (R p + k)] = w^(p k) sum_j w_R^(j k) x[q + s (p + m j)],
// vectors are shuffled only to separate or interleave the parts of the user's complex numbers. The first pass over one
// contiguous line has s = 1: there lanes run along p, and the W outputs of every k are transposed.
#pragma once

#include <type_traits>

#include "cpu/variant/pass_tables.h"
#include "kernel/codelets.h"

namespace skipper::cpu::SKIPPER_VARIANT {

// The formats of a pass's input and output: interleaved in the user's arrays, planar or blocked in a buffer.
struct Interleaved {
  static constexpr int width = 2;
  template <class V>
  [[gnu::always_inline]] static Complex<V> get(typename V::Element const* at, Index) {
    return load_complex<V>(at);
  }
  template <class V>
  [[gnu::always_inline]] static void put(typename V::Element* at, Index, Complex<V> v) {
    store_complex(at, v);
  }
};
struct Planar {
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

/// Blocks of a vector of real and one of imaginary parts: both parts have one address, and on NEON one instruction.
struct Blocked {
  static constexpr int width = 2;
  template <class V>
  [[gnu::always_inline]] static Complex<V> get(typename V::Element const* at, Index) {
    return {load<V>(at), load<V>(at + V::lanes)};
  }
  template <class V>
  [[gnu::always_inline]] static void put(typename V::Element* at, Index, Complex<V> v) {
    store(at, v.re);
    store(at + V::lanes, v.im);
  }
};

/// The twiddles of a row, one at a time. NEON multiplies by a lane, so there they come by whole vectors (and tables
/// are padded by one); elsewhere a broadcast is part of the load.
template <int R, class V>
struct RowOfTwiddles {
#ifdef __aarch64__
  static constexpr int W = V::lanes, vectors = (2 * (R - 1) + W - 1) / W;
  V w[vectors > 0 ? vectors : 1];
  [[gnu::always_inline]] explicit RowOfTwiddles(typename V::Element const* at) {
    unrolled<vectors>([&](int i) __attribute__((always_inline)) { w[i] = load<V>(at + W * i); });
  }
  template <int i>
  [[gnu::always_inline]] V part() const {
    return shuffle<BroadcastLane<i % W>>(w[i / W], w[i / W]);
  }
#else
  typename V::Element const* at;
  [[gnu::always_inline]] explicit RowOfTwiddles(typename V::Element const* row) : at(row) {}
  template <int i>
  [[gnu::always_inline]] V part() const {
    return broadcast<V>(at[i]);
  }
#endif
};

template <int R, class V, class From, class To>
[[gnu::flatten]] void pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;  // a copy that no store can reach, so it stays in registers
  using T = typename V::Element;
  constexpr bool user_in = std::is_same_v<From, Interleaved>, user_out = std::is_same_v<To, Interleaved>;
  constexpr bool only = user_in && user_out, twiddled = !user_out, scaled = user_in;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  for (Index line = 0; line < a.lines; ++line)
    for (Index row = 0; row < a.rows; ++row) {
      T const* const from = static_cast<T const*>(in) + line * a.in_line + row * a.in_row;
      T* const to = static_cast<T*>(out) + line * a.out_line + row * a.out_row;
      T const* const w = static_cast<T const*>(a.twiddles) + 2 * row * (R - 1);
      for (Index next = 0; next < a.columns; next += V::lanes) {
        Index const q = next + V::lanes <= a.columns ? next : a.columns - V::lanes;
        T const* const x = from + q * From::width;
        T const* const rest = x + a.in_first;
        T* const y = to + q * To::width;
        if constexpr (user_in)
          if (a.prefetch_in) {
            __builtin_prefetch(x + a.prefetch_in, 0, 2);
            unrolled<R - 1>(
                [&](int j) { __builtin_prefetch(rest + (j + 1) * a.in_step + a.prefetch_in, 0, 2); });
          }
        if constexpr (user_out)
          if (a.prefetch_out)
            unrolled<R>([&](int k) { __builtin_prefetch(y + k * a.out_step + a.prefetch_out, 1, 2); });
        Complex<V> v[R];
        v[0] = From::template get<V>(x, a.in_imag);
        unrolled<R - 1>(
            [&](int j) { v[j + 1] = From::template get<V>(rest + (j + 1) * a.in_step, a.in_imag); });
        kernel::dft(v);
        if constexpr (only) {
          if (a.scale != 1) unrolled<R>([&](int k) { v[k] = Complex<V>{v[k].re * scale, v[k].im * scale}; });
        } else if constexpr (twiddled) {
          if constexpr (scaled) v[0] = Complex<V>{v[0].re * scale, v[0].im * scale};
          RowOfTwiddles<R, V> const row_of(w);
          each<R - 1>([&](auto k) {
            v[k + 1] =
                v[k + 1] * Complex<V>{row_of.template part<2 * k>(), row_of.template part<2 * k + 1>()};
          });
        }
        unrolled<R>([&](int k) { To::template put<V>(y + k * a.out_step, a.out_imag, v[k]); });
      }
    }
}

/// W rows of R numbers from R vectors of W rows: blocks of W numbers, the last one overlapping where W does not
/// divide R.
template <int R, class V, int width = 1>
[[gnu::always_inline]] inline void put_transposed(typename V::Element* y, V const (&v)[R]) {
  constexpr int W = V::lanes;
  static_assert(width == 1 || R % W == 0);
  unrolled<(R + W - 1) / W>([&](int block) __attribute__((always_inline)) {
    int const k = (block + 1) * W <= R ? block * W : R - W;
    V rows[W];
    unrolled<W>([&](int i) __attribute__((always_inline)) { rows[i] = v[k + i]; });
    transpose(rows);
    unrolled<W>([&](int i) __attribute__((always_inline)) { store(y + width * (i * R + k), rows[i]); });
  });
}

template <int R, class V, class To>
[[gnu::flatten]] void first_line_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  constexpr int W = V::lanes;
  V const scale = broadcast<V>(static_cast<T>(a.scale));
  for (Index line = 0; line < a.lines; ++line) {
    T const* const from = static_cast<T const*>(in) + line * a.in_line;
    T* const to = static_cast<T*>(out) + line * a.out_line;
    T const* w = static_cast<T const*>(a.twiddles);
    for (Index next = 0; next < a.rows; next += W, w += 2 * W * (R - 1)) {
      Index const p = next + W <= a.rows ? next : a.rows - W;
      T const* const x = from + 2 * p;
      T const* const rest = x + a.in_first;
      if (a.prefetch_in) {
        __builtin_prefetch(x + a.prefetch_in, 0, 3);
        unrolled<R - 1>([&](int j) { __builtin_prefetch(rest + (j + 1) * a.in_step + a.prefetch_in, 0, 3); });
      }
      Complex<V> v[R];
      v[0] = load_complex<V>(x);
      unrolled<R - 1>([&](int j) { v[j + 1] = load_complex<V>(rest + (j + 1) * a.in_step); });
      kernel::dft(v);
      v[0] = Complex<V>{v[0].re * scale, v[0].im * scale};
      unrolled<R - 1>([&](int k) {
        Complex<V> const twiddle = {load<V>(w + 2 * W * k), load<V>(w + 2 * W * k + W)};
        v[k + 1] = v[k + 1] * twiddle;
      });
      V re[R], im[R];
      unrolled<R>([&](int k) { re[k] = v[k].re, im[k] = v[k].im; });
      Index const plane = std::is_same_v<To, Blocked> ? W : a.out_imag;
      put_transposed<R, V, To::width>(to + To::width * p * R, re);
      put_transposed<R, V, To::width>(to + To::width * p * R + plane, im);
    }
  }
}

/// The passes whose buffer has the format `Buffer`.
template <class V, class Buffer>
constexpr PassSet pass_set() {
  PassSet set;
  constexpr bool blocks = std::is_same_v<Buffer, Blocked>;
  each<max_radix>([&](auto i) {
    constexpr int R = pass_radices[i];
    if constexpr (R > 1) {
      set.first[R] = pass<R, V, Interleaved, Buffer>;
      set.inner[R] = pass<R, V, Buffer, Buffer>;
      set.last[R] = pass<R, V, Buffer, Interleaved>;
      if constexpr (blocks ? R % V::lanes == 0 : R >= V::lanes)
        set.first_line[R] = first_line_pass<R, V, Buffer>;
    }
  });
  return set;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
