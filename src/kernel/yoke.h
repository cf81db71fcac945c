#pragma once
// Two sweeps in one kernel, chunk by chunk through L2: the work items are tiles of the first and of the last by turns, so
// that the last one's tiles of a chunk come right behind the first one's, and no launch or tail lies between. Items wait
// for each other by counters in memory, and only for items with smaller numbers.
//
// Every block does the item of its own index. Blocks mostly begin in the order of their indices, so that what an item waits
// for is under way; but CUDA does not promise that. So a block that waits too long leaves its item undone, says so by a bit,
// and ends. A second launch behind the first does what was left: its blocks take the items that are marked, the smallest
// first, and wait without limit. Mostly nothing was left, and it ends at once.
//
// It cannot hang, in whatever order blocks begin and however few of them run at once. In the first launch nobody waits
// without limit. In the second, take the smallest item that is not done. A block has taken it, or will as soon as it ends the
// item before, for items are taken in their order; and all that it waits for is done. All that CUDA has to promise is that a
// thread which has begun goes on (parallel forward progress, [intro.progress] in C++), and that a block of a launched kernel
// begins where none runs.
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
  unsigned* left =
      nullptr;          // a word that says whether an item was left undone, then a bit an item; zero at first
  bool second = false;  // the launch that does what the first has left
};

/// Counters apart, so that none shares a line with another. All of them and the marks are zero before a launch: a memset ahead
/// of it in the stream, and in a graph, sees to that whatever came before.
inline constexpr int counter_pitch = 32;
constexpr unsigned counters_of(unsigned slots) { return 2 * slots * counter_pitch; }
constexpr unsigned left_words_of(unsigned items) { return 1 + (items + 31) / 32; }

/// A work item: a tile of one of the two.
struct Turn {
  bool last = false;
  unsigned tile = 0;
};

/// Once the first has its lead, tiles of both are dealt evenly until it has no more.
constexpr Turn turn_of(Yoke const& y, unsigned item) {
  if (item < y.lead) return {false, item};
  unsigned const n = y.tiles[0] + y.tiles[1], i = item - y.lead, round = i / n, rest = i % n;
  unsigned const before = round * y.tiles[0] + rest * y.tiles[0] / n;
  unsigned const after = round * y.tiles[0] + (rest + 1) * y.tiles[0] / n;
  if (y.lead + before >= y.all[0]) return {true, item - y.all[0]};
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

inline constexpr unsigned no_item = ~0u;

/// Marks an item that is left to the second launch. Of one thread.
template <class Block>
constexpr void leave_item(Yoke const& yoke, unsigned item, Block& block) {
  block.set(yoke.left + 1 + item / 32, 1u << item % 32);
  block.set(yoke.left, 1);
}

/// The smallest item that was left and that nobody has taken; this block now has. Of one thread.
template <class Block>
constexpr unsigned take_left(Yoke const& yoke, Block& block) {
  unsigned const words = (yoke.all[0] + yoke.all[1] + 31) / 32;
  for (unsigned word = 0; word < words; ++word) {
    unsigned* const at = yoke.left + 1 + word;
    for (unsigned marked = block.peek(at); marked != 0; marked &= marked - 1) {
      unsigned const lowest = marked & (~marked + 1);
      if (!(block.clear(at, lowest) & lowest)) continue;  // another was first
      unsigned item = 32 * word;
      for (unsigned bit = lowest; bit > 1; bit >>= 1) ++item;
      return item;
    }
  }
  return no_item;
}

/// What a block does: the item of its own index, or in the second launch what was left. run(turn, wait) is false where
/// Block::await was, before anything was written.
template <class Block, class Run>
constexpr void take_items(Yoke const& yoke, unsigned own, Block& block, Run run) {
  auto const left = [&] { return block.peek(yoke.left) ? take_left(yoke, block) : no_item; };
  for (unsigned item = yoke.second ? block.all_get(left) : own; item != no_item;) {
    Turn const turn = turn_of(yoke, item);
    Wait const wait = wait_of(yoke, turn);
    if (run(turn, wait)) {
      block.sync();
      block.count(yoke.counters + wait.counted);
    } else if (block.is_first()) {
      leave_item(yoke, item, block);
    }
    item = yoke.second ? block.all_get(left) : no_item;
  }
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
