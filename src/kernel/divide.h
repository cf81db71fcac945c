#pragma once
// Divides a dense array of modes by the symbol of an operator, which is a sum of one number for each dimension. A sweep of
// its own, for where the time goes elsewhere: data that came over a link. In core, fused inverses divide on chip (spec.h,
// Symbol).
#include "kernel/complex.h"
#include "kernel/affine_map.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

inline constexpr int divide_threads = 256;
inline constexpr int divide_dims = 4;

template <class V>
struct RealPart {
  using type = V;
};
template <class T>
struct RealPart<Complex<T>> {
  using type = T;
};
template <class V>
using RealOf = typename RealPart<V>::type;

/// V is a number of the array: T or Complex<T>.
template <class V>
struct DivideArgs {
  V* data;
  V* constant_mode;       // takes what stands where the symbol is zero
  double const* symbols;  // of all dimensions
  Wide count;
  Wide size[divide_dims];   // fastest first; 1 where there are fewer
  Wide first[divide_dims];  // where the dimension's numbers begin in `symbols`
};

/// Each block has divide_threads numbers.
template <class V, class Block>
void divide(Block& block, DivideArgs<V> const& args) {
  Wide const at = block.tile() * divide_threads + block.thread();
  if (at >= args.count) return;
  double symbol = 0;
  Wide rest = at;
  repeat(Const<divide_dims>{}, [&](int d) {
    symbol += block.root(args.symbols, args.first[d] + rest % args.size[d]);
    rest /= args.size[d];
  });
  V const x = block.load(static_cast<V const*>(args.data), at);
  if (symbol == 0) {
    block.store(args.constant_mode, 0, x);
    block.store(args.data, at, V{});
  } else {
    block.store(args.data, at, x * RealOf<V>(1 / symbol));
  }
}

}  // namespace skipper::kernel
