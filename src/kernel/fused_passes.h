#pragma once
// Two sweeps in one kernel, an L2 block after the other: the work items are tiles of the first and of the last alternately, so
// that the last one's tiles of an L2 block come right behind the first one's, and no launch or tail lies between. Items wait
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

struct FusedPasses {
  unsigned tiles[2] = {};  // of an L2 block, of the first sweep and of the last
  unsigned all[2] = {};    // of the data
  unsigned lead = 0;       // tiles of the first sweep before the last one's first: more than an L2 block
  unsigned slots = 0;      // L2 buffers, each an L2 block, taken one after the other
  Wide l2_block = 0,
       pitch = 0;  // elements of an L2 block as it is laid out, and from one L2 buffer to the next
  unsigned* counters =
      nullptr;  // of each L2 buffer two, of the tiles of either sweep that are done with it; zero at first
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
struct WorkItem {
  bool last = false;
  unsigned tile = 0;
};

/// Once the first has its lead, tiles of both are assigned evenly until it has no more.
constexpr WorkItem work_item_of(FusedPasses const& y, unsigned item) {
  if (item < y.lead) return {false, item};
  unsigned const n = y.tiles[0] + y.tiles[1], i = item - y.lead, round = i / n, rest = i % n;
  unsigned const before = round * y.tiles[0] + rest * y.tiles[0] / n;
  unsigned const after = round * y.tiles[0] + (rest + 1) * y.tiles[0] / n;
  if (y.lead + before >= y.all[0]) return {true, item - y.all[0]};
  if (after > before) return {false, y.lead + before};
  return {true, i - before};
}

/// What a tile waits for, and what it counts when it is done. All tiles that ever were in an L2 buffer are counted: those of
/// the next L2 block there come only when the last one is read.
struct Wait {
  unsigned counter = 0, counted = 0;  // places of counters
  unsigned enough = 0;
};
constexpr Wait wait_of(FusedPasses const& y, WorkItem work_item) {
  unsigned const l2_block = work_item.tile / y.tiles[work_item.last], slot = l2_block % y.slots,
                 before = l2_block / y.slots;
  unsigned const first = 2 * slot * counter_pitch, last = first + counter_pitch;
  if (!work_item.last) return {last, first, before * y.tiles[1]};
  unsigned const left = y.all[0] - l2_block * y.tiles[0];
  return {first, last, before * y.tiles[0] + (left < y.tiles[0] ? left : y.tiles[0])};
}

/// From where a tile would be in the whole intermediate to where it is in its L2 buffer.
constexpr Wide shift_of(FusedPasses const& y, WorkItem work_item) {
  unsigned const l2_block = work_item.tile / y.tiles[work_item.last];
  return l2_block % y.slots * y.pitch - l2_block * y.l2_block;
}

inline constexpr unsigned no_item = ~0u;

/// Marks an item that is left to the second launch. Of one thread.
template <class Block>
constexpr void leave_item(FusedPasses const& fused_passes, unsigned item, Block& block) {
  block.set(fused_passes.left + 1 + item / 32, 1u << item % 32);
  block.set(fused_passes.left, 1);
}

/// The smallest item that was left and that nobody has taken; this block now has. Of one thread.
template <class Block>
constexpr unsigned take_left(FusedPasses const& fused_passes, Block& block) {
  unsigned const words = (fused_passes.all[0] + fused_passes.all[1] + 31) / 32;
  for (unsigned word = 0; word < words; ++word) {
    unsigned* const at = fused_passes.left + 1 + word;
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

/// What a block does: the item of its own index, or in the second launch what was left. run(work_item, wait) is false where
/// Block::wait_for_previous was, before anything was written.
template <class Block, class Run>
constexpr void take_items(FusedPasses const& fused_passes, unsigned own, Block& block, Run run) {
  auto const left = [&] { return block.peek(fused_passes.left) ? take_left(fused_passes, block) : no_item; };
  for (unsigned item = fused_passes.second ? block.all_get(left) : own; item != no_item;) {
    WorkItem const work_item = work_item_of(fused_passes, item);
    Wait const wait = wait_of(fused_passes, work_item);
    if (run(work_item, wait)) {
      block.sync();
      block.count(fused_passes.counters + wait.counted);
    } else if (block.is_first()) {
      leave_item(fused_passes, item, block);
    }
    item = fused_passes.second ? block.all_get(left) : no_item;
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
