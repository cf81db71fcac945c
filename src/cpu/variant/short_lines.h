// Whole lines in registers, as many at a time as a vector holds complex numbers: transposed on the way in and out, by
// whole numbers (interleaved.h). Where a vector is one number, only products with i shuffle, and one short line costs no
// more than its codelet. A real line of n = 2R points is a complex one of R and the Hermitian split (hermitian_split.h), its
// roots now constants.
#pragma once

#include "cpu/variant/pass_tables.h"
#include "cpu/variant/interleaved.h"
#include "kernel/codelets.h"

namespace skipper::cpu::SKIPPER_VARIANT {

/// N complex numbers of each of P lines. Blocks of P numbers, the last one overlapping where P does not divide N.
template <int N, class V>
[[gnu::always_inline]] inline void load_lines(typename V::Element const* x, Index line,
                                              InterleavedComplex<V> (&v)[N]) {
  constexpr int P = V::lanes / 2;
  unrolled<(N + P - 1) / P>([&](int block) __attribute__((always_inline)) {
    int const k = (block + 1) * P <= N ? block * P : N - P;
    V rows[P];
    unrolled<P>([&](int i) __attribute__((always_inline)) { rows[i] = load<V>(x + i * line + 2 * k); });
    transpose_pairs(rows);
    unrolled<P>([&](int i) __attribute__((always_inline)) { v[k + i] = InterleavedComplex<V>{rows[i]}; });
  });
}
template <int N, class V>
[[gnu::always_inline]] inline void store_lines(typename V::Element* y, Index line,
                                               InterleavedComplex<V> const (&v)[N]) {
  constexpr int P = V::lanes / 2;
  unrolled<(N + P - 1) / P>([&](int block) __attribute__((always_inline)) {
    int const k = (block + 1) * P <= N ? block * P : N - P;
    V rows[P];
    unrolled<P>([&](int i) __attribute__((always_inline)) { rows[i] = v[k + i].both; });
    transpose_pairs(rows);
    unrolled<P>([&](int i) __attribute__((always_inline)) { store(y + i * line + 2 * k, rows[i]); });
  });
}

template <int N, class V>
[[gnu::always_inline]] inline void scale_all(InterleavedComplex<V> (&v)[N], V scale) {
  unrolled<N>([&](int i) __attribute__((always_inline)) { v[i].both = v[i].both * scale; });
}
/// An inverse is a forward transform of the numbers in reverse order, which costs nothing here.
template <int N, class V>
[[gnu::always_inline]] inline void reverse_order(InterleavedComplex<V> (&v)[N]) {
  unrolled<(N - 1) / 2>([&](int i) __attribute__((always_inline)) {
    InterleavedComplex<V> const low = v[i + 1];
    v[i + 1] = v[N - 1 - i];
    v[N - 1 - i] = low;
  });
}

template <int R, class V, bool inverse>
[[gnu::always_inline]] inline void short_lines(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  for (Index line = 0; line < a.lines; line += V::lanes / 2) {
    InterleavedComplex<V> v[R];
    load_lines(static_cast<T const*>(in) + line * a.in_line, a.in_line, v);
    if constexpr (inverse) reverse_order(v);
    kernel::dft(v);
    if (a.scale != 1) scale_all(v, broadcast<V>(static_cast<T>(a.scale)));
    store_lines(static_cast<T*>(out) + line * a.out_line, a.out_line, v);
  }
}
template <int R, class V>
[[gnu::flatten]] void only_lines_pass(PassArgs const& a, void const* in, void* out) {
  if (a.in_step < 0)
    short_lines<R, V, true>(a, in, out);
  else
    short_lines<R, V, false>(a, in, out);
}

/// The Hermitian split (hermitian_split.h) for n = 2R and one k: a and m to c (a + conj m) + t and the conjugate of c (a + conj m) - t,
/// where t = u (a - conj m).
template <int R, int k, bool forward, class V>
[[gnu::always_inline]] inline void split_pair(InterleavedComplex<V>& a, InterleavedComplex<V>& m) {
  using T = typename V::Element;
  if constexpr (2 * k == R) {  // one number, with itself
    a.both = alternating<V>(forward ? 1 : 2, forward ? -1 : -2) * a.both;
    return;
  }
  constexpr double half = forward ? 0.5 : 1, cosine = kernel::roots<2 * R>.at[k].cos.high,
                   sine = kernel::roots<2 * R>.at[k].sin.high;
  constexpr T re = static_cast<T>(-half * sine), im = static_cast<T>(forward ? -half * cosine : cosine);
  constexpr T c = static_cast<T>(half);
  V const even = a.both + alternating<V>(1, -1) * m.both, d = a.both - alternating<V>(1, -1) * m.both;
  V const t = re * d + alternating<V>(-im, im) * shuffle<SwapParts>(d, d);
  a.both = c * even + t;
  m.both = alternating<V>(c, -c) * even - alternating<V>(1, -1) * t;
}

/// 2R reals to R+1 complex numbers.
template <int R, class V>
[[gnu::flatten]] void from_real_lines_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  V const real = alternating<V>(1, 0);
  for (Index line = 0; line < a.lines; line += V::lanes / 2) {
    InterleavedComplex<V> z[R], x[R + 1];
    load_lines(static_cast<T const*>(in) + line * a.in_line, a.in_line, z);
    kernel::dft(z);
    V const other = shuffle<SwapParts>(z[0].both, z[0].both);
    each<R / 2>([&](auto i) { split_pair<R, i + 1, true>(z[i + 1], z[R - 1 - i]); });
    unrolled<R>([&](int k) { x[k] = z[k]; });
    x[0].both = (z[0].both + other) * real;
    x[R].both = (z[0].both - other) * real;
    if (a.scale != 1) scale_all(x, broadcast<V>(static_cast<T>(a.scale)));
    store_lines(static_cast<T*>(out) + line * a.out_line, a.out_line, x);
  }
}

/// R+1 complex numbers to 2R reals; the imaginary parts of the first and the last are taken as zero.
template <int R, class V>
[[gnu::flatten]] void to_real_lines_pass(PassArgs const& args, void const* in, void* out) {
  PassArgs const a = args;
  using T = typename V::Element;
  for (Index line = 0; line < a.lines; line += V::lanes / 2) {
    InterleavedComplex<V> x[R + 1], z[R];
    load_lines(static_cast<T const*>(in) + line * a.in_line, a.in_line, x);
    unrolled<R>([&](int k) { z[k] = x[k]; });
    z[0].both = alternating<V>(1, 0) * (x[0] + x[R]).both + alternating<V>(0, 1) * swap(x[0] - x[R]).both;
    each<R / 2>([&](auto i) { split_pair<R, i + 1, false>(z[i + 1], z[R - 1 - i]); });
    reverse_order(z);
    kernel::dft(z);
    if (a.scale != 1) scale_all(z, broadcast<V>(static_cast<T>(a.scale)));
    store_lines(static_cast<T*>(out) + line * a.out_line, a.out_line, z);
  }
}

constexpr int largest_factor(int n) {
  int largest = 1;
  for (int f = 2; n > 1; ++f)
    for (; n % f == 0; n /= f) largest = f;
  return largest;
}

/// Whether small_line (unbuffered.h) with 16-byte vectors does one line of n points.
template <class T>
constexpr bool is_small_line(int n) {
  constexpr int lanes = 16 / sizeof(T);
  return n > max_radix && n % lanes == 0 && n / lanes >= lanes && n / lanes <= max_radix;
}

template <class V>
constexpr ShortPasses short_passes() {
  ShortPasses all;
  each<kernel::radix_count>([&](auto i) {
    constexpr int R = kernel::radices[i], most = V::lanes == 2 ? max_short_line : max_radix;
    constexpr bool wanted = V::lanes / 2 <= R && R <= most && !is_small_line<typename V::Element>(R);
    if constexpr (wanted && largest_factor(R) <= max_radix_prime) all.of[R] = only_lines_pass<R, V>;
  });
  return all;
}
template <class V>
constexpr RealShortPasses real_short_passes() {
  RealShortPasses all;
  each<max_radix>([&](auto i) {
    constexpr int R = pass_radices[i];
    if constexpr (V::lanes / 2 <= R) {
      all.from_real[R] = from_real_lines_pass<R, V>;
      all.to_real[R] = to_real_lines_pass<R, V>;
    }
  });
  return all;
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
