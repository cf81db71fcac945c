#pragma once
// Exchanges two boxes of the same sizes, element by element through registers, so that neither side needs a second array. The
// boxes may be on different devices that reach each other.
#include "kernel/arguments.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

inline constexpr int swap_threads = 256;
inline constexpr int swap_each = 4;  // elements of a thread, all under way at once
inline constexpr int swap_dims = 5;

/// Rows of neighbouring elements, as many as the sizes multiply to.
template <class V>
struct SwapArgs {
  ArrayOf<V, V> a, b;
  SizeOf<V> row;     // elements of a row
  SizeOf<V> pieces;  // of a row: a block has one
  SizeOf<V> size[swap_dims];
  SizeOf<V> a_stride[swap_dims], b_stride[swap_dims];

  template <class Args, class F>
  static void fields(Args& args, F f) {
    f("a", args.a), f("b", args.b), f("row", args.row), f("pieces", args.pieces);
    f("size", args.size), f("a_stride", args.a_stride), f("b_stride", args.b_stride);
  }
};

constexpr Wide swap_pieces(Wide row) {
  return (row + swap_threads * swap_each - 1) / (swap_threads * swap_each);
}

template <class V, class Block>
void swap_boxes(Block& block, SwapArgs<V> const& args) {
  Offset<Block> const piece = block.tile() % args.pieces;
  Offset<Block> rest = block.tile() / args.pieces, a = 0, b = 0;
  repeat(Const<swap_dims>{}, [&](int d) {
    a += rest % args.size[d] * args.a_stride[d];
    b += rest % args.size[d] * args.b_stride[d];
    rest /= args.size[d];
  });
  Offset<Block> const first = piece * (swap_threads * swap_each) + block.thread();
  V of_a[swap_each], of_b[swap_each];
  repeat(Const<swap_each>{}, [&](int i) {
    Offset<Block> const at = first + i * swap_threads;
    if (auto const here = block.only(at < args.row)) {
      of_a[i] = block.load(args.a, a + at);
      of_b[i] = block.load(args.b, b + at);
    }
  });
  repeat(Const<swap_each>{}, [&](int i) {
    Offset<Block> const at = first + i * swap_threads;
    if (auto const here = block.only(at < args.row)) {
      block.store(args.a, a + at, of_b[i]);
      block.store(args.b, b + at, of_a[i]);
    }
  });
}

}  // namespace skipper::kernel
