#pragma once
// Adds numbers to one layer of an array [outer][rows][inner]: what a boundary value contributes to the right side of
// the unknowns next to it.
#include "kernel/affine_map.h"

namespace skipper::kernel {

inline constexpr int face_threads = 256;

/// Real numbers only.
template <class T>
struct FaceArgs {
  T* data;            // the first number of the layer
  T const* values;    // [outer][inner]
  Wide count;         // of them
  Wide inner, pitch;  // from one outer index to the next there are `pitch` numbers of data
};

/// Each block has face_threads numbers.
template <class T, class Block>
void add_face(Block& block, FaceArgs<T> const& args) {
  Wide const i = block.tile() * face_threads + block.thread();
  if (i >= args.count) return;
  Wide const at = i / args.inner * args.pitch + i % args.inner;
  block.store(args.data, at, block.load(static_cast<T const*>(args.data), at) + block.load(args.values, i));
}

}  // namespace skipper::kernel
