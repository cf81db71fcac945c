#pragma once
// Makhoul's permutation (1980), the order in which dct2 takes its numbers and dct3 gives them: v = x[0] x[2] .. x[3] x[1], two of
// them an element. In memory pairs (x[2i], x[2i+1]) stand together; they are moved so, and separated on chip, where v is a
// line of n neighbours: x[2i] is number i of it, x[2i+1] number n-1-i. Sine transforms have the second of each pair negated.
#include "kernel/complex.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
struct Makhoul {
  Spec spec;
  Block& block;

  /// Where the two reals of register q's pair stand, given the thread offset: counted in reals, not in elements.
  template <class S, class At>
  Int<Block> near(S s, At at, Int<Block> first, int q) const {
    return 2 * get<exchange_base>(spec, s) + first +
           aggregate<register_offsets<int>>(spec, Const<MapName::makhoul_even>{}, s, at)[q];
  }
  template <class S, class At>
  Int<Block> far(S s, At at, Int<Block> first, int q) const {
    return 2 * get<exchange_base>(spec, s) + get<makhoul_last>(spec, s) + first +
           aggregate<register_offsets<int>>(spec, Const<MapName::makhoul_odd>{}, s, at)[q];
  }

  template <class S, class At>
  void put(S s, At at, Int<Block> even, Int<Block> odd, int q, Complex<T> pair) const {
    block.put_real(near(s, at, even, q), pair.re);
    block.put_real(far(s, at, odd, q), get<makhoul_flips>(spec, s) ? -pair.im : pair.im);
  }

  template <class S, class At>
  Complex<T> take(S s, At at, Int<Block> even, Int<Block> odd, int q) const {
    T const re = block.template take_real<T>(near(s, at, even, q));
    T const im = block.template take_real<T>(far(s, at, odd, q));
    return {re, get<makhoul_flips>(spec, s) ? -im : im};
  }
};

}  // namespace skipper::kernel
