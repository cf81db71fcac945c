// The two ends of a long convolution by Bluestein's rule (long_columns.h): points and results times the chirp, and the
// twiddles between columns and rows.
#pragma once

#include "cpu/kernels.h"
#include "cpu/variant/vector_runs.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// Calls body(vector type, i) over whole vectors and then one by one.
template <class V, class Body>
[[gnu::always_inline]] inline void each_vector(Index count, Body const& body) {
  using One = Vec<typename V::Element, 1>;
  Index i = 0;
  for (; i + V::lanes <= count; i += V::lanes) body(V{}, i);
  if constexpr (V::lanes > 1)
    for (; i < count; ++i) body(One{}, i);
}

template <class V>
[[gnu::always_inline]] inline Complex<V> broadcast_complex(typename V::Element const* at) {
  return {broadcast<V>(at[0]), broadcast<V>(at[1])};
}
template <class V>
[[gnu::always_inline]] inline Complex<V> chirp_of(typename V::Element const* chirp,
                                                  typename V::Element const* step, Index i) {
  Complex<V> const c = load_complex<V>(chirp + 2 * i);
  return step ? c * load_complex<V>(step + 2 * i) : c;
}

template <class V, bool reals>
[[gnu::flatten]] void chirp(ChirpArgs const& args) {
  ChirpArgs const a = args;
  using T = typename V::Element;
  auto const* const x = static_cast<T const*>(a.x);
  auto const* const partner = static_cast<T const*>(a.partner);
  auto const* const c = static_cast<T const*>(a.chirp);
  auto const* const step = static_cast<T const*>(a.step);
  auto const* const rotations = static_cast<T const*>(a.rotations);
  auto *const even = static_cast<T*>(a.even), *const odd = static_cast<T*>(a.odd);
  T const sign = static_cast<T>(a.sign);
  each_vector<V>(
      a.count, [&](auto vector, Index i) __attribute__((always_inline)) {
        using W = decltype(vector);
        Complex<W> z = chirp_of<W>(c, step, i);
        if constexpr (reals) {
          W y = load<W>(x + i);
          if (partner) {
            if constexpr (W::lanes == 1)
              y = y + sign * load<W>(partner - i);
            else
              y = y + sign * load_run<W, false>(partner - i);
          }
          z = {z.re * y, z.im * y};
        } else {
          z = z * load_complex<W>(x + 2 * i);
        }
        store_complex(even + 2 * i, z * broadcast_complex<W>(rotations));
        store_complex(odd + 2 * i, z * broadcast_complex<W>(rotations + 2));
      });
}

/// What of a result is written.
enum class Part { both, re, im };

template <class V, Part part>
[[gnu::flatten]] void dechirp(DechirpArgs const& args) {
  DechirpArgs const a = args;
  using T = typename V::Element;
  auto const *const even = static_cast<T const*>(a.even), *const odd = static_cast<T const*>(a.odd);
  auto const* const c = static_cast<T const*>(a.chirp);
  auto const* const step = static_cast<T const*>(a.step);
  auto const* const rotations = static_cast<T const*>(a.rotations);
  auto* const out = static_cast<T*>(a.out);
  each_vector<V>(
      a.count, [&](auto vector, Index i) __attribute__((always_inline)) {
        using W = decltype(vector);
        Complex<W> const sum = load_complex<W>(even + 2 * i) * broadcast_complex<W>(rotations) +
                               load_complex<W>(odd + 2 * i) * broadcast_complex<W>(rotations + 2);
        Complex<W> const z = sum * chirp_of<W>(c, step, i);
        if constexpr (part == Part::both)
          store_complex(out + 2 * i, z);
        else
          store(out + i, part == Part::re ? z.re : z.im);
      });
}

template <class V, bool conjugate>
[[gnu::always_inline]] inline void twiddle_rows(TwiddleArgs const& args) {
  TwiddleArgs const a = args;
  using T = typename V::Element;
  constexpr Index ahead = 8, line = 64 / sizeof(T);
  auto const* f = static_cast<T const*>(a.factors);
  auto const* w = static_cast<T const*>(a.within);
  auto const* x = static_cast<T const*>(a.in);
  auto* y = static_cast<T*>(a.out);
  for (Index row = 0; row < a.rows;
       ++row, f += a.factor_step, w += a.within_row, x += a.in_row, y += a.out_row) {
    // Rows of the array lie too far apart for the machine to see what comes next.
    if (row + ahead < a.rows)
      for (Index i = 0; i < 2 * a.columns; i += line) {
        if (a.in_row > a.out_row)
          __builtin_prefetch(x + ahead * a.in_row + i);
        else
          __builtin_prefetch(y + ahead * a.out_row + i, 1);
      }
    each_vector<V>(
        a.columns, [&](auto vector, Index i) __attribute__((always_inline)) {
          using W = decltype(vector);
          Complex<W> const factor = broadcast_complex<W>(f) * load_complex<W>(w + 2 * i);
          store_complex(y + 2 * i, load_complex<W>(x + 2 * i) * (conjugate ? kernel::conj(factor) : factor));
        });
  }
}
template <class V>
[[gnu::flatten]] void twiddle(TwiddleArgs const& args) {
  args.conjugate ? twiddle_rows<V, true>(args) : twiddle_rows<V, false>(args);
}

template <class V>
[[gnu::flatten]] void multiply_hermitian(MultiplyArgs const& args) {
  MultiplyArgs const a = args;
  using T = typename V::Element;
  auto const* const x = static_cast<T const*>(a.in);
  auto* const y = static_cast<T*>(a.out);
  auto const* const f = static_cast<T const*>(a.factors);
  each_vector<V>(
      a.rows, [&](auto vector, Index i) __attribute__((always_inline)) {
        using W = decltype(vector);
        constexpr Index last = W::lanes - 1;
        if constexpr (W::lanes == 1)
          store_complex(y + 2 * i, load_complex<W>(x + 2 * i) * load_complex<W>(f - 2 * i));
        else
          store_complex(y + 2 * i, load_complex<W>(x + 2 * i) * load_complex_reversed<W>(f - 2 * (i + last)));
      });
}

template <class V>
constexpr ChirpKernels chirp_kernels() {
  ChirpKernels all;
  all.real_points = chirp<V, true>;
  all.complex_points = chirp<V, false>;
  all.result = dechirp<V, Part::both>;
  all.real_part = dechirp<V, Part::re>;
  all.imaginary_part = dechirp<V, Part::im>;
  all.twiddle = twiddle<V>;
  all.multiply_hermitian = multiply_hermitian<V>;
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
