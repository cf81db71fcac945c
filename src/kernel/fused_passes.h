#pragma once
// Two sweeps in one kernel, an L2 block after the other: the work items are tiles of the first and of the last alternately, so
// that the last one's tiles of an L2 block come right behind the first one's, and no launch or tail lies between. Items wait
// for each other by counters in memory, and only for items with smaller numbers.
//
// Every block does the item of its own index. Blocks mostly begin in the order of their indices, so that what an item waits
// for is under way; but CUDA does not promise that. So a block that waits too long defers its item: it sets a bit and ends.
// A second launch behind the first runs the deferred items: its blocks claim them, the smallest first, and wait without limit.
// Mostly none was deferred, and it ends at once.
//
// It cannot hang, in whatever order blocks begin and however few of them run at once. In the first launch nobody waits
// without limit. In the second, take the smallest item that is not done. A block has taken it, or will as soon as it ends the
// item before, for items are taken in their order; and all that it waits for is done. All that CUDA has to promise is that a
// thread which has begun goes on (parallel forward progress, [intro.progress] in C++), and that a block of a launched kernel
// begins where none runs.
#include "kernel/memory.h"
#include "kernel/spec.h"

namespace skipper::kernel {

struct FusedPasses {
  unsigned tiles[2] = {};  // of an L2 block, of the first sweep and of the last
  unsigned all[2] = {};    // of the data
  unsigned lead = 0;       // tiles of the first sweep before the last one's first: more than an L2 block
  unsigned slots = 0;      // L2 buffers, each an L2 block, taken one after the other
  Wide l2_block = 0,
       pitch = 0;  // elements of an L2 block as it is laid out, and from one L2 buffer to the next
  unsigned* counters =
      nullptr;  // of each L2 buffer two, of the tiles of either sweep that are done with it; zero at first
  unsigned* deferred =
      nullptr;  // a word that says whether an item was deferred, then a bit an item; zero at first
  bool second_launch = false;  // the launch that runs the deferred items
};

/// Counters apart, so that none shares a line with another. All of them and the bits are zero before a launch: a memset
/// before it in the stream, and in a graph, sees to that whatever came before.
inline constexpr int counter_pitch = 32;
constexpr unsigned counters_of(unsigned slots) { return 2 * slots * counter_pitch; }
constexpr unsigned deferred_words_of(unsigned items) { return 1 + (items + 31) / 32; }

/// A work item: a tile of one of the two.
struct WorkItem {
  bool last = false;
  unsigned tile = 0;
};

/// Once the first has its lead, tiles of both are assigned evenly until it has no more.
constexpr WorkItem work_item_of(FusedPasses const& passes, unsigned item) {
  if (item < passes.lead) return {false, item};
  unsigned const n = passes.tiles[0] + passes.tiles[1], i = item - passes.lead, round = i / n, rest = i % n;
  unsigned const before = round * passes.tiles[0] + rest * passes.tiles[0] / n;
  unsigned const after = round * passes.tiles[0] + (rest + 1) * passes.tiles[0] / n;
  if (passes.lead + before >= passes.all[0]) return {true, item - passes.all[0]};
  if (after > before) return {false, passes.lead + before};
  return {true, i - before};
}

/// What a tile waits for, and what it signals when it is done. All tiles that ever were in an L2 buffer are counted: those of
/// the next L2 block there come only when the last one is read.
struct Wait {
  unsigned counter = 0;  // place of the counter that it polls
  unsigned signal = 0;   // place of the one that it increments when it is done
  unsigned target = 0;   // value of `counter` that it waits for
};
constexpr Wait wait_of(FusedPasses const& passes, WorkItem work_item) {
  unsigned const l2_block = work_item.tile / passes.tiles[work_item.last], slot = l2_block % passes.slots,
                 before = l2_block / passes.slots;
  unsigned const first = 2 * slot * counter_pitch, last = first + counter_pitch;
  if (!work_item.last) return {last, first, before * passes.tiles[1]};
  unsigned const left = passes.all[0] - l2_block * passes.tiles[0];
  return {first, last, before * passes.tiles[0] + (left < passes.tiles[0] ? left : passes.tiles[0])};
}

/// From where a tile would be in the whole intermediate to where it is in its L2 buffer.
constexpr Wide shift_of(FusedPasses const& passes, WorkItem work_item) {
  unsigned const l2_block = work_item.tile / passes.tiles[work_item.last];
  return l2_block % passes.slots * passes.pitch - l2_block * passes.l2_block;
}

inline constexpr unsigned no_item = ~0u;

/// Leaves an item to the second launch. Called by one thread.
template <class Block>
constexpr void defer_item(FusedPasses const& fused_passes, unsigned item, Block& block) {
  block.set(fused_passes.deferred + 1 + item / 32, 1u << item % 32);
  block.set(fused_passes.deferred, 1);
}

/// Claims the smallest deferred item that no block has claimed yet. Called by one thread.
template <class Block>
constexpr unsigned claim_deferred(FusedPasses const& fused_passes, Block& block) {
  unsigned const words = (fused_passes.all[0] + fused_passes.all[1] + 31) / 32;
  for (unsigned word = 0; word < words; ++word) {
    unsigned* const at = fused_passes.deferred + 1 + word;
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

/// What a block runs: the item of its own index, or in the second launch deferred items. run(work_item, wait) is false where
/// Block::wait_for_previous was, before anything was written.
template <class Block, class Run>
constexpr void process_items(FusedPasses const& fused_passes, unsigned own, Block& block, Run run) {
  auto const claim = [&] {
    return block.peek(fused_passes.deferred) ? claim_deferred(fused_passes, block) : no_item;
  };
  for (unsigned item = fused_passes.second_launch ? block.broadcast(claim) : own; item != no_item;) {
    WorkItem const work_item = work_item_of(fused_passes, item);
    Wait const wait = wait_of(fused_passes, work_item);
    if (run(work_item, wait)) {
      block.sync();
      block.count(fused_passes.counters + wait.signal);
    } else if (block.is_first()) {
      defer_item(fused_passes, item, block);
    }
    item = fused_passes.second_launch ? block.broadcast(claim) : no_item;
  }
}

template <class T>
struct FusedArgs {
  Args<T> first, last;  // in and out of the whole data, and the L2 buffers
  FusedPasses fused_passes;
};

template <class T>
constexpr Args<T> args_of(FusedArgs<T> const& args, WorkItem work_item) {
  Args<T> own = work_item.last ? args.last : args.first;
  if (work_item.last)
    own.in += shift_of(args.fused_passes, work_item);
  else
    own.out += shift_of(args.fused_passes, work_item);
  return own;
}

}  // namespace skipper::kernel
