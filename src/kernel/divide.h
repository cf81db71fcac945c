#pragma once
// Divides a dense array of modes by the symbol of an operator, which is a sum of one number for each dimension. A sweep of
// its own, for where the time goes elsewhere: data that came over a link. In core, fused inverses divide on chip (spec.h,
// Symbol).
#include "kernel/arguments.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

inline constexpr int divide_threads = 256;
inline constexpr int divide_dims = 4;

/// V is a number of the array: T or Complex<T>.
template <class V>
struct DivideArgs {
  ArrayOf<V, V> data;
  ArrayOf<V, V> constant_mode;       // takes what stands where the symbol is zero
  ArrayOf<V, double const> symbols;  // of all dimensions
  SizeOf<V> count;
  SizeOf<V> size[divide_dims];   // fastest first; 1 where there are fewer
  SizeOf<V> first[divide_dims];  // where the dimension's numbers begin in `symbols`

  template <class Args, class F>
  static void fields(Args& args, F f) {
    f("data", args.data), f("constant_mode", args.constant_mode), f("symbols", args.symbols);
    f("count", args.count), f("size", args.size), f("first", args.first);
  }
};

/// Each block has divide_threads numbers.
template <class V, class Block>
void divide(Block& block, DivideArgs<V> const& args) {
  Offset<Block> const at = block.tile() * divide_threads + block.thread();
  if (auto const here = block.only(at < args.count)) {
    auto symbol = zero<Double<Block>>();
    Offset<Block> rest = at;
    repeat(Const<divide_dims>{}, [&](int d) {
      symbol += block.root(args.symbols, args.first[d] + rest % args.size[d]);
      rest /= args.size[d];
    });
    V const x = block.load(args.data, at);
    block.either(
        symbol == zero<Double<Block>>(),
        [&] {
          block.store(args.constant_mode, 0, x);
          block.store(args.data, at, zero<V>());
        },
        [&] { block.store(args.data, at, x * rounded_to<RealOf<V>>(block.reciprocal(symbol))); });
  }
}

}  // namespace skipper::kernel
