// Vectors of W scalars, as GNU vector types in a struct of this variant's own: the codelets instantiated with it
// get names that no other instruction set shares, so the linker can never mix them.
#pragma once

#include <utility>

#include "kernel/complex.h"
#include "kernel/unroll.h"

#ifndef SKIPPER_VARIANT
#ifdef __aarch64__
#define SKIPPER_VARIANT neon
#else
#define SKIPPER_VARIANT baseline
#endif
#endif

namespace skipper::cpu::SKIPPER_VARIANT {

using kernel::Complex;
using kernel::each;

template <class F, int... I>
[[gnu::always_inline]] inline void unrolled([[maybe_unused]] F f, std::integer_sequence<int, I...>) {
  (f(I), ...);
}
/// f(0), f(1), .. f(N - 1), written out: f is compiled once and inlined with N constants. `each` is for an f that needs its
/// index as a type, and compiles a function for every index.
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(F f) {
  unrolled(f, std::make_integer_sequence<int, N>{});
}

template <class T, int W>
struct RawOf {
  using type [[gnu::vector_size(W * sizeof(T))]] = T;
};
template <class T>
struct RawOf<T, 1> {
  using type = T;
};

template <class T, int W>
struct Vec {
  using Element = T;
  using Raw = typename RawOf<T, W>::type;
  static constexpr int lanes = W;
  Raw raw;

  [[gnu::always_inline]] friend inline Vec operator+(Vec a, Vec b) { return {a.raw + b.raw}; }
  [[gnu::always_inline]] friend inline Vec operator-(Vec a, Vec b) { return {a.raw - b.raw}; }
  [[gnu::always_inline]] friend inline Vec operator-(Vec a) { return {-a.raw}; }
  [[gnu::always_inline]] friend inline Vec operator*(Vec a, Vec b) { return {a.raw * b.raw}; }
  [[gnu::always_inline]] friend inline Vec operator*(T a, Vec b) { return {a * b.raw}; }
};

template <class V>
[[gnu::always_inline]] inline V load(typename V::Element const* at) {
  V v;
  __builtin_memcpy(&v.raw, at, sizeof(v.raw));
  return v;
}
template <class V>
[[gnu::always_inline]] inline void store(typename V::Element* at, V v) {
  __builtin_memcpy(at, &v.raw, sizeof(v.raw));
}
template <class V>
[[gnu::always_inline]] inline V broadcast(typename V::Element a) {
  return {a - typename V::Raw{}};
}

template <class V, int... I>
[[gnu::always_inline]] inline V shuffled(V a, V b, std::integer_sequence<int, I...>) {
  return {__builtin_shufflevector(a.raw, b.raw, I...)};
}

/// Lane l of the result is lane F::of(l) of a followed by b.
template <class F, class V, int... L>
[[gnu::always_inline]] inline V shuffle_by(V a, V b, std::integer_sequence<int, L...>) {
  return shuffled(a, b, std::integer_sequence<int, F::of(L)...>{});
}
template <class F, class V>
[[gnu::always_inline]] inline V shuffle(V a, V b) {
  return shuffle_by<F>(a, b, std::make_integer_sequence<int, V::lanes>{});
}

struct EvenLanes {
  static constexpr int of(int l) { return 2 * l; }
};
struct OddLanes {
  static constexpr int of(int l) { return 2 * l + 1; }
};
template <int W>
struct InterleaveLow {
  static constexpr int of(int l) { return l / 2 + (l % 2) * W; }
};
template <int W>
struct InterleaveHigh {
  static constexpr int of(int l) { return W / 2 + l / 2 + (l % 2) * W; }
};
template <int W>
struct ReversePairs {
  static constexpr int of(int l) { return W - 2 - l + 2 * (l % 2); }
};

template <int lane>
struct BroadcastLane {
  static constexpr int of(int) { return lane; }
};

/// W interleaved complex numbers.
template <class V>
[[gnu::always_inline]] inline Complex<V> load_complex(typename V::Element const* at) {
  V const low = load<V>(at), high = load<V>(at + V::lanes);
  if constexpr (V::lanes == 1)
    return {low, high};
  else
    return {shuffle<EvenLanes>(low, high), shuffle<OddLanes>(low, high)};
}
template <class V>
[[gnu::always_inline]] inline void store_complex(typename V::Element* at, Complex<V> v) {
  if constexpr (V::lanes == 1) {
    store(at, v.re);
    store(at + 1, v.im);
  } else {
    store(at, shuffle<InterleaveLow<V::lanes>>(v.re, v.im));
    store(at + V::lanes, shuffle<InterleaveHigh<V::lanes>>(v.re, v.im));
  }
}

/// The same in the opposite order: the last one in memory is lane 0. Turning whole pairs around costs one shuffle a
/// vector, and none where a vector holds one pair.
template <class V>
[[gnu::always_inline]] inline V reverse_pairs(V a) {
  if constexpr (V::lanes == 2)
    return a;
  else
    return shuffle<ReversePairs<V::lanes>>(a, a);
}
template <class V>
[[gnu::always_inline]] inline Complex<V> load_complex_reversed(typename V::Element const* at) {
  V const low = reverse_pairs(load<V>(at + V::lanes)), high = reverse_pairs(load<V>(at));
  return {shuffle<EvenLanes>(low, high), shuffle<OddLanes>(low, high)};
}
template <class V>
[[gnu::always_inline]] inline void store_complex_reversed(typename V::Element* at, Complex<V> v) {
  store(at + V::lanes, reverse_pairs(shuffle<InterleaveLow<V::lanes>>(v.re, v.im)));
  store(at, reverse_pairs(shuffle<InterleaveHigh<V::lanes>>(v.re, v.im)));
}

/// The lanes of one half-exchange of a transposition: bit `h` of the row against bit `h` of the lane.
template <int W, int h>
struct ExchangeLow {
  static constexpr int of(int l) { return l & h ? W + (l ^ h) : l; }
};
template <int W, int h>
struct ExchangeHigh {
  static constexpr int of(int l) { return l & h ? W + l : (l ^ h); }
};

/// rows[i] lane l <-> rows[l] lane i, by log2 W exchanges.
template <int h = 1, class V, int W = V::lanes>
[[gnu::always_inline]] inline void transpose(V (&rows)[W]) {
  if constexpr (h < W) {
    unrolled<W>([&](int i) __attribute__((always_inline)) {
      if ((i & h) == 0) {
        V const a = rows[i], b = rows[i + h];
        rows[i] = shuffle<ExchangeLow<W, h>>(a, b);
        rows[i + h] = shuffle<ExchangeHigh<W, h>>(a, b);
      }
    });
    transpose<2 * h>(rows);
  }
}

}  // namespace skipper::cpu::SKIPPER_VARIANT
