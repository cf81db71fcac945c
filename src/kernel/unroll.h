#pragma once
// Loops over compile-time indices. Arrays meant to live in registers may only be indexed by
// constants; `each` hands every iteration its index as a type, so no unroll pragma is relied on.
namespace skipper::kernel {

/// A value carried by its type. Converts to the value, also inside constant expressions.
template <auto V>
struct Const {
  static constexpr auto value = V;
  constexpr operator decltype(V)() const { return V; }
};

template <int... I>
struct Seq {};

template <class First, class Second>
struct Joined;
template <int... I, int... J>
struct Joined<Seq<I...>, Seq<J...>> {
  using type = Seq<I..., (static_cast<int>(sizeof...(I)) + J)...>;
};

/// Seq<0, 1, ..., N-1>, by symmetry so that the depth of instantiation is log N.
template <int N>
struct Counted {
  using type = typename Joined<typename Counted<N / 2>::type, typename Counted<N - N / 2>::type>::type;
};
template <>
struct Counted<0> {
  using type = Seq<>;
};
template <>
struct Counted<1> {
  using type = Seq<0>;
};

template <class F, int... I>
constexpr void each_of(Seq<I...>, F& f) {
  (f(Const<I>{}), ...);
}

/// f(Const<0>{}), f(Const<1>{}), ..., f(Const<N-1>{}).
template <int N, class F>
constexpr void each(F f) {
  each_of(typename Counted<N>::type{}, f);
}

/// The same text serves a count known when compiling (unrolled) and one known when running (a loop).
template <auto N, class F>
constexpr void each(Const<N>, F f) {
  each_of(typename Counted<static_cast<int>(N)>::type{}, f);
}
template <class F>
constexpr void each(int n, F f) {
  for (int i = 0; i < n; ++i) f(i);
}

/// f(0), f(1), .. f(n - 1) with a plain counter: a loop that the compiler unrolls where it knows n. Where f needs
/// its index as a type there is `each`, which costs a new function for every index.
template <class N, class F>
constexpr void repeat(N n, F f) {
#ifdef __CUDACC__
#pragma unroll
#endif
  for (int i = 0; i < n; ++i) f(i);
}

/// The same as a loop that stays one: f is long, or what it holds would crowd the registers if the next round began early.
template <class N, class F>
constexpr void in_rounds(N n, F f) {
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (int i = 0; i < n; ++i) f(i);
}

}  // namespace skipper::kernel
