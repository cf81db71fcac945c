#pragma once
// Two ways to know a spec. `Fixed` knows it at compile time, so each answer is a Const type and every loop over
// digits, steps and registers unrolls: this is what runs on a GPU. `Loaded` knows it at run time, so one
// instantiation runs any program: this is what lets the emulator run hundreds of programs without hundreds of
// compilations. The kernel text asks both in the same words: get<radix>(spec, step).
#include "kernel/spec.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

template <SweepSpec S>
struct Fixed {
  static constexpr int capacity = most_held(S);
};

struct Loaded {
  static constexpr int capacity = max_registers;
  SweepSpec const* spec;
};

template <auto Query, SweepSpec S, class... Args>
constexpr auto get(Fixed<S>, Args...) {
  return Const<Query(S, Args::value...)>{};
}

template <auto Query, class... Args>
constexpr auto get(Loaded loaded, Args... args) {
  return Query(*loaded.spec, args...);
}

/// The form `sum` of guard or step `which`, as a constant to hand to get.
template <Sum S>
using Named = Const<S>;

}  // namespace skipper::kernel
