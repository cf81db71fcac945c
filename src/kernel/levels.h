#pragma once
// For a solution that is determined only up to a constant, and for its right side: subtracts a level, and finds the largest
// magnitude, with which a mean is compared.
#include "kernel/arguments.h"
#include "kernel/numbers.h"

namespace skipper::kernel {

inline constexpr int level_threads = 256;

/// Real numbers only.
template <class T>
struct LowerArgs {
  ArrayOf<T, T> to;
  ArrayOf<T, T const> from;
  ArrayOf<T, T const> level;  // subtracted from all; null: `amount` is
  SizeOf<T> count;
  T amount = zero<T>();

  template <class Args, class F>
  static void fields(Args& args, F f) {
    f("to", args.to), f("from", args.from), f("level", args.level);
    f("count", args.count), f("amount", args.amount);
  }
};

/// Each block has level_threads numbers.
template <class T, class Block>
void lower(Block& block, LowerArgs<T> const& args) {
  Offset<Block> const at = block.tile() * level_threads + block.thread();
  if (auto const here = block.only(at < args.count)) {
    T level = args.amount;
    if (auto const given = block.only(!is_null(args.level))) level = block.load(args.level, 0);
    block.store(args.to, at, block.load(args.from, at) - level);
  }
}

template <class T>
struct LargestArgs {
  ArrayOf<T, T> largest;  // one for each thread
  ArrayOf<T, T const> data;
  SizeOf<T> count, threads;  // of all blocks

  template <class Args, class F>
  static void fields(Args& args, F f) {
    f("largest", args.largest), f("data", args.data), f("count", args.count), f("threads", args.threads);
  }
};

/// Each thread has every so many numbers.
template <class T, class Block>
void largest(Block& block, LargestArgs<T> const& args) {
  Offset<Block> const own = block.tile() * level_threads + block.thread();
  auto most = zero<T>();
  block.loop(own, args.count, args.threads, [&](Offset<Block> at) {
    T const x = block.load(args.data, at), magnitude = select(x < zero<T>(), -x, x);
    most = select(magnitude > most, magnitude, most);
  });
  block.store(args.largest, own, most);
}

}  // namespace skipper::kernel
