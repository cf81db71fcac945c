#pragma once
// Three ways to know a spec. `Fixed` and `Named` know it at compile time, so each answer is a Const type and every
// loop over digits, steps and registers unrolls: this is what runs on a GPU. `Loaded` knows it at run time, so one
// instantiation runs any program: this is what lets the emulator run hundreds of programs without hundreds of
// compilations. The kernel text queries all three alike: get<radix>(spec, step).
#include "kernel/queries.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

template <SweepSpec S>
struct Fixed {
  static constexpr SweepSpec const& value = S;
  static constexpr int capacity = max_elements_per_thread(S);
  static constexpr int factors = all_factors(S) + 1;
};

/// Knows the spec by the name of a constexpr variable. A Fixed one stands, 7000 characters long, in the name of each
/// function that is compiled for it, which more than doubles NVRTC's time.
template <SweepSpec const& S>
struct Named {
  static constexpr SweepSpec const& value = S;
  static constexpr int capacity = max_elements_per_thread(S);
  static constexpr int factors = all_factors(S) + 1;
};

struct Loaded {
  static constexpr int capacity = max_registers;
  static constexpr int factors = max_factors + 1;
  SweepSpec const* spec;
};

template <auto Query, class Spec, class... Args>
constexpr auto get(Spec, Args...) {
  return Const<Query(Spec::value, Args::value...)>{};
}

template <auto Query, class... Args>
constexpr auto get(Loaded loaded, Args... args) {
  return Query(*loaded.spec, args...);
}

/// The same for an answer that is a table, to be indexed by the counter of `repeat`.
template <auto Query, class Spec, class... Args>
inline constexpr auto kept = Query(Spec::value, Args::value...);

template <auto Query, class Spec, class... Args>
constexpr auto const& table(Spec, Args...) {
  return kept<Query, Spec, Args...>;
}

template <auto Query, class... Args>
constexpr auto table(Loaded loaded, Args... args) {
  return Query(*loaded.spec, args...);
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
struct NarrowIf {
  using type = Wide;
};
template <>
struct NarrowIf<Const<true>> {
  using type = unsigned;
};
template <class Answer>
using Narrow = typename NarrowIf<Answer>::type;

/// The same of a number that may be negative.
template <class Answer>
struct ShortIf {
  using type = Wide;
};
template <>
struct ShortIf<Const<true>> {
  using type = int;
};
template <class Answer>
using Short = typename ShortIf<Answer>::type;

}  // namespace skipper::kernel
