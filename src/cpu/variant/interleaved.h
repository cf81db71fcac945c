// Complex numbers as they lie in memory: real and imaginary parts in neighbouring lanes, lanes/2 numbers a vector. A
// product with i costs a shuffle, but parts need not be separated on load and interleaved on store, which is most of the
// work on short lines. Codelets only add, scale and multiply by i, so they take these as they take any Complex.
#pragma once

#include "cpu/variant/vectors.h"

namespace skipper::cpu::SKIPPER_VARIANT {

template <class V>
struct InterleavedLanes {
  using Element = typename V::Element;
};

}  // namespace skipper::cpu::SKIPPER_VARIANT

namespace skipper::kernel {

template <class V>
struct Complex<cpu::SKIPPER_VARIANT::InterleavedLanes<V>> {
  V both;
};

}  // namespace skipper::kernel

namespace skipper::cpu::SKIPPER_VARIANT {

template <class V>
using InterleavedComplex = Complex<InterleavedLanes<V>>;

struct SwapParts {
  static constexpr int of(int l) { return l ^ 1; }
};
struct DuplicateEven {
  static constexpr int of(int l) { return l & ~1; }
};
struct DuplicateOdd {
  static constexpr int of(int l) { return l | 1; }
};

/// {a, b, a, b, ..}
template <class V, int... L>
[[gnu::always_inline]] inline V alternating(typename V::Element a, typename V::Element b,
                                            std::integer_sequence<int, L...>) {
  return {typename V::Raw{(L % 2 ? b : a)...}};
}
template <class V>
[[gnu::always_inline]] inline V alternating(typename V::Element a, typename V::Element b) {
  return alternating<V>(a, b, std::make_integer_sequence<int, V::lanes>{});
}

template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> operator+(InterleavedComplex<V> a,
                                                              InterleavedComplex<V> b) {
  return {a.both + b.both};
}
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> operator-(InterleavedComplex<V> a,
                                                              InterleavedComplex<V> b) {
  return {a.both - b.both};
}
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> operator-(InterleavedComplex<V> a) {
  return {-a.both};
}
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> operator*(typename V::Element s,
                                                              InterleavedComplex<V> a) {
  return {s * a.both};
}
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> swap(InterleavedComplex<V> a) {
  return {shuffle<SwapParts>(a.both, a.both)};
}
/// The signs as a product: it fuses with the addition that follows.
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> times_i(InterleavedComplex<V> a) {
  return {alternating<V>(-1, 1) * swap(a).both};
}
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> times_minus_i(InterleavedComplex<V> a) {
  return {alternating<V>(1, -1) * swap(a).both};
}
template <class V>
[[gnu::always_inline]] inline InterleavedComplex<V> conj(InterleavedComplex<V> a) {
  return {alternating<V>(1, -1) * a.both};
}

/// As ExchangeLow and ExchangeHigh, for whole pairs.
template <int W, int h>
struct ExchangeLowPairs {
  static constexpr int of(int l) { return (l / 2) & h ? W + (l ^ (2 * h)) : l; }
};
template <int W, int h>
struct ExchangeHighPairs {
  static constexpr int of(int l) { return (l / 2) & h ? W + l : (l ^ (2 * h)); }
};

/// rows[i] number l <-> rows[l] number i.
template <int h = 1, class V, int P>
[[gnu::always_inline]] inline void transpose_pairs(V (&rows)[P]) {
  if constexpr (h < P) {
    unrolled<P>([&](int i) __attribute__((always_inline)) {
      if ((i & h) == 0) {
        V const a = rows[i], b = rows[i + h];
        rows[i] = shuffle<ExchangeLowPairs<V::lanes, h>>(a, b);
        rows[i + h] = shuffle<ExchangeHighPairs<V::lanes, h>>(a, b);
      }
    });
    transpose_pairs<2 * h>(rows);
  }
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
