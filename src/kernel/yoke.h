#pragma once
// Two sweeps in one kernel, chunk by chunk through L2: blocks take tiles of the first and of the last by turns, so that
// the last one's tiles of a chunk come right behind the first one's, and no launch or tail lies between. Tiles wait for
// each other by counters in memory. They wait only for tiles that come before theirs, so those always run where blocks
// begin in the order of their index, which CUDA does not promise, or draw their turns as they begin (decisions 0038, 0042).
#include "kernel/memory.h"
#include "kernel/spec.h"

namespace skipper::kernel {

struct Yoke {
  unsigned tiles[2] = {};     // of a chunk, of the first sweep and of the last
  unsigned all[2] = {};       // of the data
  unsigned lead = 0;          // tiles of the first sweep before the last one's first: more than a chunk
  unsigned slots = 0;         // scratches, each a chunk, taken in turns
  Wide chunk = 0, pitch = 0;  // elements of a chunk as it is laid out, and from one scratch to the next
  unsigned* counters =
      nullptr;  // of each scratch two, of the tiles of either sweep that are done with it; zero at first
};

/// Counters apart, so that none shares a line with another. Behind those of the scratches one hands out turns.
inline constexpr int counter_pitch = 32;
constexpr unsigned counters_of(unsigned slots) { return (2 * slots + 1) * counter_pitch; }
constexpr unsigned tickets_of(unsigned slots) { return 2 * slots * counter_pitch; }

/// One block's: a tile of one of the two.
struct Turn {
  bool last = false;
  unsigned tile = 0;
};

/// Once the first has its lead, tiles of both are dealt evenly until it has no more.
constexpr Turn turn_of(Yoke const& y, unsigned block) {
  if (block < y.lead) return {false, block};
  unsigned const n = y.tiles[0] + y.tiles[1], i = block - y.lead, round = i / n, rest = i % n;
  unsigned const before = round * y.tiles[0] + rest * y.tiles[0] / n;
  unsigned const after = round * y.tiles[0] + (rest + 1) * y.tiles[0] / n;
  if (y.lead + before >= y.all[0]) return {true, block - y.all[0]};
  if (after > before) return {false, y.lead + before};
  return {true, i - before};
}

/// What a tile waits for, and what it counts when it is done. All tiles that ever were in a scratch are counted: those of
/// the next chunk there come only when the last one is read.
struct Wait {
  unsigned awaited = 0, counted = 0;  // places of counters
  unsigned enough = 0;
};
constexpr Wait wait_of(Yoke const& y, Turn turn) {
  unsigned const chunk = turn.tile / y.tiles[turn.last], slot = chunk % y.slots, before = chunk / y.slots;
  unsigned const first = 2 * slot * counter_pitch, last = first + counter_pitch;
  if (!turn.last) return {last, first, before * y.tiles[1]};
  unsigned const left = y.all[0] - chunk * y.tiles[0];
  return {first, last, before * y.tiles[0] + (left < y.tiles[0] ? left : y.tiles[0])};
}

/// From where a tile would be in the whole intermediate to where it is in its scratch.
constexpr Wide shift_of(Yoke const& y, Turn turn) {
  unsigned const chunk = turn.tile / y.tiles[turn.last];
  return chunk % y.slots * y.pitch - chunk * y.chunk;
}

template <class T>
struct YokedArgs {
  Args<T> first, last;  // in and out of the whole data, and the scratches
  Yoke yoke;
};

template <class T>
constexpr Args<T> args_of(YokedArgs<T> const& args, Turn turn) {
  Args<T> own = turn.last ? args.last : args.first;
  if (turn.last)
    own.in += shift_of(args.yoke, turn);
  else
    own.out += shift_of(args.yoke, turn);
  return own;
}

}  // namespace skipper::kernel
