#pragma once
// The types of what depends on the thread, the rank of its block or the tile. They are the block's: plain numbers where the text is
// compiled, and where it is recorded (src/trace) what stands for them. So the text says `select(yes, a, b)` where a condition is
// such a number, and what only some threads do is behind `if (auto const here = block.only(yes))`.
#include "kernel/known.h"
#include "kernel/select.h"
#include "kernel/storage.h"

namespace skipper::kernel {

template <class Block>
struct NumbersOf {
  using Int = int;
  using Unsigned = unsigned;
  using Offset = Wide;
  using Bool = bool;
  using Double = double;
  template <class Stored>
  using Computed = typename ComputedIn<Stored>::type;
  template <class Answer>
  using Unsigned32If = kernel::Unsigned32If<Answer>;
  template <class Answer>
  using Int32If = kernel::Int32If<Answer>;
  /// Of a number in memory.
  template <class V>
  static constexpr int bytes() {
    return sizeof(V);
  }
};
template <class Block>
using Int = typename NumbersOf<Block>::Int;
template <class Block>
using Unsigned = typename NumbersOf<Block>::Unsigned;
template <class Block>
using Offset = typename NumbersOf<Block>::Offset;
template <class Block>
using Bool = typename NumbersOf<Block>::Bool;
template <class Block>
using Double = typename NumbersOf<Block>::Double;

/// An array as one of other numbers.
template <class E, class P>
E* array_of(P* p) {
  return reinterpret_cast<E*>(p);
}
template <class E, class P>
E const* array_of(P const* p) {
  return reinterpret_cast<E const*>(p);
}
/// Of an output that is spread over several arrays: how many elements its address is behind another one, the table of base
/// addresses, and the array at one of these.
template <class E>
unsigned long long elements_behind(E* p, unsigned long long address) {
  return (reinterpret_cast<unsigned long long>(p) - address) / sizeof(E);
}
template <class E>
E* array_at(unsigned long long address) {
  return reinterpret_cast<E*>(address);
}
inline unsigned long long const* base_addresses(void* data) {
  return static_cast<unsigned long long const*>(data);
}

}  // namespace skipper::kernel
