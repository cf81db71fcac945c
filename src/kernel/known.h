#pragma once
// Ways to know a spec. `Fixed` and `Named` know it at compile time, so each answer is a Const type and every loop over
// digits, steps and registers unrolls: this is what runs on a GPU. The emulator has one that knows it at run time
// (tests/emulator/remembered.h), so that one instantiation runs any program: hundreds without hundreds of compilations. The
// kernel text queries all alike: get<radix>(spec, step).
#include "kernel/queries.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

template <SweepSpec S>
struct Fixed {
  static constexpr SweepSpec const& value = S;
};

/// Knows the spec by the name of a constexpr variable. As a value parameter, as in Fixed, the spec is spelt out in the mangled
/// name of each function that is compiled for it, thousands of characters long, which costs NVRTC more than the rest.
template <SweepSpec const& S>
struct Named {
  static constexpr SweepSpec const& value = S;
};

template <auto Query, class Spec, class... Args>
constexpr auto get(Spec, Args...) {
  return Const<Query(Spec::value, Args::value...)>{};
}

/// The same for an answer that is an array or a struct: by reference, so that the counter of `repeat` can index it.
template <auto Query, class Spec, class... Args>
inline constexpr auto known_answer = Query(Spec::value, Args::value...);

template <auto Query, class Spec, class... Args>
constexpr auto const& aggregate(Spec, Args...) {
  return known_answer<Query, Spec, Args...>;
}

/// Calls f() if the answer is yes. With a generic f, `[&](auto...)`, a known no leaves f's body uncompiled.
template <class F>
constexpr void when(Const<true>, F f) {
  f();
}
template <class F>
constexpr void when(Const<false>, F) {}
template <class F>
constexpr void when(bool yes, F f) {
  if (yes) f();
}

/// Number type for what an answer says is small: 32 bits where that is known to be true.
template <class Answer>
struct Unsigned32OrWide {
  using type = Wide;
};
template <>
struct Unsigned32OrWide<Const<true>> {
  using type = unsigned;
};
template <class Answer>
using Unsigned32If = typename Unsigned32OrWide<Answer>::type;

/// The same of a number that may be negative.
template <class Answer>
struct Int32OrWide {
  using type = Wide;
};
template <>
struct Int32OrWide<Const<true>> {
  using type = int;
};
template <class Answer>
using Int32If = typename Int32OrWide<Answer>::type;

}  // namespace skipper::kernel
