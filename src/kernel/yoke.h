#pragma once
// Two sweeps in one kernel, chunk by chunk through L2: the work items are tiles of the first and of the last by turns, so
// that the last one's tiles of a chunk come right behind the first one's, and no launch or tail lies between. Items wait
// for each other by counters in memory, and only for items with smaller numbers.
//
// Every block claims the item of its own index and does it. Blocks mostly begin in the order of their indices, so that
// what an item waits for is under way; but CUDA does not promise that. So a block that waits too long looks for the first
// item before its own that nobody has claimed, does it for a block that has not begun, and returns to its own. A block
// whose item was done by another ends at once.
//
// It cannot hang, in whatever order blocks begin and however few of them run at once. Take the item with the smallest
// number that is not done. If a block has claimed it, that block works on it (whoever works for another works on an item
// before its own), and the item waits for nothing. If nobody has claimed it, every block that waits for it, or for another
// one that does, waits too long and then claims it, since none that is smaller is unclaimed. A block that works for
// another may wait without limit: all before its item were claimed when it claimed that. All that CUDA has to promise is
// that a thread which has begun goes on (parallel forward progress, [intro.progress] in C++), and that a block of a
// launched kernel begins where none runs.
//
// Claiming takes as long as a load, so a block does not wait for it: up to the point where it would wait for other items
// it only reads, and there it asks whether its claim was the first.
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
  unsigned* claims = nullptr;  // a bit an item, set by the block that takes it; zero at first
};

/// Counters apart, so that none shares a line with another. All of them and the claims are zero before a launch: a memset ahead
/// of it in the stream, and in a graph, sees to that whatever came before.
inline constexpr int counter_pitch = 32;
constexpr unsigned counters_of(unsigned slots) { return 2 * slots * counter_pitch; }
constexpr unsigned claims_of(unsigned items) { return (items + 31) / 32; }  // words
constexpr unsigned claim_bit(unsigned item) { return 1u << item % 32; }

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

/// The first item before `own` that nobody had claimed and this block now has; `own` where there is none. Of one thread.
template <class Block>
constexpr unsigned claim_before(Yoke const& yoke, unsigned own, Block& block) {
  for (unsigned word = 0; word <= own / 32; ++word) {
    unsigned free = ~block.peek(yoke.claims + word);
    if (word == own / 32) free &= claim_bit(own) - 1;
    for (unsigned bit = 0; free >> bit != 0 && bit < 32; ++bit) {
      unsigned const item = 32 * word + bit;
      if ((free >> bit & 1) && !(block.claim(yoke.claims + word, claim_bit(item)) & claim_bit(item)))
        return item;
    }
  }
  return own;
}

/// What a block does: its own item, and where that waits too long, others' before it. run(item, turn, wait) is false where
/// Block::await was, before anything was written.
template <class Block, class Run>
constexpr void take_items(Yoke const& yoke, unsigned own, Block& block, Run run) {
  block.begin(yoke.claims + own / 32, claim_bit(own));
  for (unsigned item = own;;) {
    Turn const turn = turn_of(yoke, item);
    Wait const wait = wait_of(yoke, turn);
    if (run(item, turn, wait)) {
      block.sync();
      block.count(yoke.counters + wait.counted);
      if (item == own) return;
      item = own;
      block.set_patience(false);
      continue;
    }
    item = block.all_get([&] { return block.is_taken() ? no_item : claim_before(yoke, own, block); });
    if (item == no_item) return;
    block.set_patience(true);
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
