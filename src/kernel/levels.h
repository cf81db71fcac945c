#pragma once
// For a solution that is determined only up to a constant, and for its right side: subtracts a level, and finds the largest
// magnitude, with which a mean is compared.
#include "kernel/affine_map.h"

namespace skipper::kernel {

inline constexpr int level_threads = 256;

/// Real numbers only.
template <class T>
struct LowerArgs {
  T* to;
  T const* from;
  T const* level;  // subtracted from all; null: `amount` is
  Wide count;
  T amount = 0;
};

/// Each block has level_threads numbers.
template <class T, class Block>
void lower(Block& block, LowerArgs<T> const& args) {
  Wide const at = block.tile() * level_threads + block.thread();
  if (at >= args.count) return;
  T const level = args.level ? block.load(args.level, 0) : args.amount;
  block.store(args.to, at, block.load(args.from, at) - level);
}

template <class T>
struct LargestArgs {
  T* largest;  // one for each thread
  T const* data;
  Wide count, threads;  // of all blocks
};

/// Each thread has every so many numbers.
template <class T, class Block>
void largest(Block& block, LargestArgs<T> const& args) {
  Wide const own = block.tile() * level_threads + block.thread();
  T most = 0;
  for (Wide at = own; at < args.count; at += args.threads) {
    T const x = block.load(args.data, at), magnitude = x < 0 ? -x : x;
    most = magnitude > most ? magnitude : most;
  }
  block.store(args.largest, own, most);
}

}  // namespace skipper::kernel
