#pragma once
// Exchanges two boxes of the same sizes, element by element through registers, so that neither side needs a second array. The
// boxes may be on different devices that reach each other.
#include "kernel/complex.h"
#include "kernel/affine_map.h"
#include "kernel/unroll.h"

namespace skipper::kernel {

inline constexpr int swap_threads = 256;
inline constexpr int swap_each = 4;  // elements of a thread, all under way at once
inline constexpr int swap_dims = 5;

/// Rows of neighbouring elements, as many as the sizes multiply to.
template <class V>
struct SwapArgs {
  V* a;
  V* b;
  Wide row;     // elements of a row
  Wide pieces;  // of a row: a block has one
  Wide size[swap_dims];
  Wide a_stride[swap_dims], b_stride[swap_dims];
};

constexpr Wide swap_pieces(Wide row) {
  return (row + swap_threads * swap_each - 1) / (swap_threads * swap_each);
}

template <class V, class Block>
void swap_boxes(Block& block, SwapArgs<V> const& args) {
  Wide const piece = block.tile() % args.pieces;
  Wide rest = block.tile() / args.pieces, a = 0, b = 0;
  repeat(Const<swap_dims>{}, [&](int d) {
    a += rest % args.size[d] * args.a_stride[d];
    b += rest % args.size[d] * args.b_stride[d];
    rest /= args.size[d];
  });
  Wide const first = piece * (swap_threads * swap_each) + block.thread();
  V of_a[swap_each], of_b[swap_each];
  repeat(Const<swap_each>{}, [&](int i) {
    Wide const at = first + i * swap_threads;
    if (at >= args.row) return;
    of_a[i] = block.load(static_cast<V const*>(args.a), a + at);
    of_b[i] = block.load(static_cast<V const*>(args.b), b + at);
  });
  repeat(Const<swap_each>{}, [&](int i) {
    Wide const at = first + i * swap_threads;
    if (at >= args.row) return;
    block.store(args.a, a + at, of_b[i]);
    block.store(args.b, b + at, of_a[i]);
  });
}

}  // namespace skipper::kernel
