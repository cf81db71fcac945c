#pragma once
// The middle of a joint that divides: each register by the symbol of its mode, a sum of one table entry for each axis.
#include "kernel/complex.h"
#include "kernel/known.h"
#include "kernel/memory.h"

namespace skipper::kernel {

/// The registers v of step s; `first(axis)` is where this thread's index along the axis begins. Where the symbol is zero,
/// what was there goes to args.constant: that is the first of all modes, so in nobody's register but a first one.
template <class T, class Spec, class Block, class S, class First>
void divide_by_symbol(Spec spec, Block& block, Args<T> const& args, S s, Complex<T>* v, First first) {
  constexpr Const<Sum::symbol> form{};
  T const* const entries = reinterpret_cast<T const*>(args.factors);
  T symbol[Spec::capacity], common = 0;  // what a thread's registers share is summed once
  each(get<symbol_axes>(spec), [&](auto a) {
    when(get<symbol_stays>(spec, a, s),
         [&](auto...) { common += block.root(entries, get<symbol_table>(spec, a) + first(a)); });
  });
  repeat(get<held>(spec, s), [&](int q) { symbol[q] = common; });
  each(get<symbol_axes>(spec), [&](auto a) {
    when(get<symbol_varies>(spec, a, s), [&](auto...) {
      auto const* const own = entries + get<symbol_table>(spec, a) + first(a);
      auto const& part = table<parts<Wide>>(spec, form, a, s);
      repeat(get<held>(spec, s), [&](int q) { symbol[q] += block.root(own, part[q]); });
    });
  });
  if (symbol[0] == 0) block.store(args.constant, 0, v[0]);
  repeat(get<held>(spec, s), [&](int q) {
    T const factor = q == 0 && symbol[q] == 0 ? T(0) : block.reciprocal(symbol[q]);
    v[q] = v[q] * factor;
  });
}

}  // namespace skipper::kernel
