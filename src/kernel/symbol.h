#pragma once
// The middle of a fused inverse that divides: each register by the symbol of its mode, a sum of one table entry for each axis.
#include "kernel/complex.h"
#include "kernel/known.h"
#include "kernel/memory.h"
#include "kernel/registers.h"

namespace skipper::kernel {

/// The symbols of the registers of step s; `first(axis)` is where this thread's index along the axis begins, `table(axis)`
/// where the axis has its numbers. What a thread's registers share is summed once.
template <class T, class Spec, class Block, class Entries, class S, class First, class Table, class Symbols>
void sum_symbols(Spec spec, Block& block, Entries entries, S s, First first, Table table_of,
                 Symbols& symbol) {
  constexpr Const<MapName::symbol> map{};
  auto common = zero<T>();
  each(get<symbol_axes>(spec), [&](auto a) {
    when(get<symbol_stays>(spec, a, s),
         [&](auto...) { common += block.root(entries, table_of(a) + first(a)); });
  });
  repeat(get<elements_per_thread>(spec, s), [&](int q) { symbol[q] = common; });
  each(get<symbol_axes>(spec), [&](auto a) {
    when(get<symbol_varies>(spec, a, s), [&](auto...) {
      auto const own = entries + table_of(a) + first(a);
      auto const& part = aggregate<register_offsets<Wide>>(spec, map, a, s);
      repeat(get<elements_per_thread>(spec, s), [&](int q) { symbol[q] += block.root(own, part[q]); });
    });
  });
}

/// Divides the registers v of step s. Where the symbol is zero, what was there goes to args.constant_mode: that is the first of
/// all modes, so only a first register can hold it.
template <class T, class Spec, class Block, class S, class V, class First>
void divide_by_symbol(Spec spec, Block& block, Args<T> const& args, S s, V& v, First first) {
  auto const entries = array_of<T>(args.factors);
  Registers<RegisterArray::symbols, T, Spec> symbol(spec);
  sum_symbols<T>(
      spec, block, entries, s, first, [&](auto a) { return get<symbol_table>(spec, a); }, symbol);
  if (auto const here = block.only(symbol[0] == T(0))) block.store(args.constant_mode, 0, v[0]);
  repeat(get<elements_per_thread>(spec, s), [&](int q) {
    T factor = block.reciprocal(symbol[q]);
    if (q == 0) factor = select(symbol[q] == T(0), T(0), factor);
    v[q] = v[q] * factor;
  });
}

/// The same along a cosine axis (real_processing.h, HermitianSplit); partner(q) is the element at the negated index, rotated.
template <class T, class Spec, class Block, class S, class V, class First, class Partner>
void divide_with_partners(Spec spec, Block& block, Args<T> const& args, S s, V& v, First first,
                          Partner partner) {
  auto const entries = array_of<T>(args.factors);
  Registers<RegisterArray::symbols, T, Spec> own(spec);
  Registers<RegisterArray::partners, T, Spec> others(spec);
  sum_symbols<T>(
      spec, block, entries, s, first, [&](auto a) { return get<symbol_table>(spec, a); }, own);
  sum_symbols<T>(
      spec, block, entries, s, first, [&](auto a) { return get<partner_table>(spec, a); }, others);
  if (auto const here = block.only(own[0] == T(0))) block.store(args.constant_mode, 0, v[0]);
  repeat(get<elements_per_thread>(spec, s), [&](int q) {
    T r = block.reciprocal(own[q]), other = block.reciprocal(others[q]);
    if (q == 0) {  // which may be the constant mode: it is its own partner
      auto const constant_mode = own[q] == T(0);
      r = select(constant_mode, T(0), r);
      other = select(constant_mode, T(0), other);
    }
    v[q] = v[q] * (T(0.5) * (r + other)) + partner(q) * (T(0.5) * (r - other));
  });
}

}  // namespace skipper::kernel
