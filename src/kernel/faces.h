#pragma once
// Adds numbers to one layer of an array [outer][rows][inner]: what a boundary value contributes to the right side of
// the unknowns next to it.
#include "kernel/arguments.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

inline constexpr int face_threads = 256;

/// Real numbers only.
template <class T>
struct FaceArgs {
  ArrayOf<T, T> data;          // the first number of the layer
  ArrayOf<T, T const> values;  // [outer][inner]
  SizeOf<T> count;             // of them
  SizeOf<T> inner, pitch;      // from one outer index to the next there are `pitch` numbers of data

  template <class Args, class F>
  static void fields(Args& args, F f) {
    f("data", args.data), f("values", args.values), f("count", args.count);
    f("inner", args.inner), f("pitch", args.pitch);
  }
};

/// Each block has face_threads numbers.
template <class T, class Block>
void add_face(Block& block, FaceArgs<T> const& args) {
  Offset<Block> const i = block.tile() * face_threads + block.thread();
  if (auto const here = block.only(i < args.count)) {
    Offset<Block> const at = i / args.inner * args.pitch + i % args.inner;
    block.store(args.data, at, block.load(args.data, at) + block.load(args.values, i));
  }
}

}  // namespace skipper::kernel
