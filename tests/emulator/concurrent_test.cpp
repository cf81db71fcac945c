// Blocks that wait for each other, begun in orders that CUDA allows: who takes work by the index of the block alone waits
// for ever in some of them; who leaves it to a second launch does not.
#include "emulator/concurrent.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace skipper::emulator {
namespace {

using Start = Schedule::Start;

/// A pair of passes in three L2 buffers, without data.
kernel::FusedPasses small_pair(std::vector<unsigned>& counters) {
  kernel::FusedPasses fused_passes;
  fused_passes.tiles[0] = 4, fused_passes.tiles[1] = 2;
  fused_passes.all[0] = 40, fused_passes.all[1] = 20;
  fused_passes.lead = 7;
  fused_passes.slots = 3;
  counters.assign(kernel::counters_of(fused_passes.slots) + kernel::deferred_words_of(60), 0);
  fused_passes.counters = counters.data();
  fused_passes.deferred = counters.data() + kernel::counters_of(fused_passes.slots);
  return fused_passes;
}
constexpr Wide items = 60;

/// What a tile of either pass does about the other one's: it waits, and counts itself.
class Tiles {
 public:
  explicit Tiles(kernel::FusedPasses const& fused_passes) : fused_passes_(fused_passes), done_{{}, {}} {
    done_[0].resize(fused_passes.all[0]), done_[1].resize(fused_passes.all[1]);
  }
  bool run(EmulatedBlock& block, kernel::WorkItem work_item, kernel::Wait wait) {
    block.begin_item(work_item.tile, fused_passes_.all[work_item.last], fused_passes_.counters + wait.counter,
                     wait.target);
    if (!block.wait_for_previous()) return false;
    if (block.thread() == 0) ++done_[work_item.last][work_item.tile];
    return true;
  }
  bool all_done_once() const {
    for (auto const& pass : done_)
      for (int times : pass)
        if (times != 1) return false;
    return true;
  }

 private:
  kernel::FusedPasses const& fused_passes_;
  std::vector<int> done_[2];
};

/// As kernels had it before: the block's index is the number of its one item.
std::string complaint_by_index(Schedule const& schedule) try {
  std::vector<unsigned> counters;
  kernel::FusedPasses const fused_passes = small_pair(counters);
  Tiles tiles(fused_passes);
  run_concurrently({items, 1, 32, 0}, schedule, [&](EmulatedBlock& block) {
    kernel::WorkItem const work_item = kernel::work_item_of(fused_passes, unsigned(block.tile()));
    kernel::Wait const wait = kernel::wait_of(fused_passes, work_item);
    block.set_waiting(true);
    tiles.run(block, work_item, wait);
    block.sync();
    block.count(fused_passes.counters + wait.signal);
  });
  return tiles.all_done_once() ? "" : "items were left out or done twice";
} catch (EmulationError const& error) {
  return error.what();
}

/// The first launch has a block for each item, the second so many as that.
std::string complaint_in_two_launches(Schedule const& schedule, Wide rest) try {
  std::vector<unsigned> counters;
  kernel::FusedPasses fused_passes = small_pair(counters);
  Tiles tiles(fused_passes);
  for (bool const second : {false, true}) {
    fused_passes.second_launch = second;
    run_concurrently({second ? rest : items, 1, 32, 0}, schedule, [&](EmulatedBlock& block) {
      block.set_waiting(second);
      kernel::process_items(
          fused_passes, unsigned(block.tile()), block,
          [&](kernel::WorkItem work_item, kernel::Wait wait) { return tiles.run(block, work_item, wait); });
    });
  }
  return tiles.all_done_once() ? "" : "items were left out or done twice";
} catch (EmulationError const& error) {
  return error.what();
}

TEST(Concurrent, ItemsByIndexWaitForEverWhereBlocksBeginInAnotherOrder) {
  EXPECT_EQ(complaint_by_index({Start::by_index, 1}), "");
  EXPECT_EQ(complaint_by_index({Start::by_index, 5}), "");
  EXPECT_EQ(complaint_by_index({Start::reversed, int(items)}), "") << "with room for all any order will do";
  for (int at_once : {1, 2, 8})
    EXPECT_NE(complaint_by_index({Start::reversed, at_once}).find("deadlock"), std::string::npos) << at_once;
  EXPECT_NE(complaint_by_index({Start::shuffled, 4}).find("deadlock"), std::string::npos);
}

TEST(Concurrent, DeferredItemsAreDoneWhateverTheOrder) {
  for (Start start : {Start::by_index, Start::reversed, Start::shuffled})
    for (int at_once : {1, 2, 3, 8, 100})
      for (Wide rest : {1, 2, 7, 132})
        for (unsigned seed : {1u, 2u, 3u})
          EXPECT_EQ(complaint_in_two_launches({start, at_once, seed}, rest), "")
              << at_once << " at once, " << rest << " blocks at last, start " << int(start) << ", seed "
              << seed;
}

/// By the order of their indices nothing is left, so the second launch has nothing to do.
TEST(Concurrent, NothingIsDeferredWhereBlocksBeginInOrder) {
  std::vector<unsigned> counters;
  kernel::FusedPasses const fused_passes = small_pair(counters);
  Tiles tiles(fused_passes);
  run_concurrently({items, 1, 32, 0}, {Start::by_index, 1}, [&](EmulatedBlock& block) {
    kernel::process_items(
        fused_passes, unsigned(block.tile()), block,
        [&](kernel::WorkItem work_item, kernel::Wait wait) { return tiles.run(block, work_item, wait); });
  });
  EXPECT_TRUE(tiles.all_done_once());
  EXPECT_EQ(*fused_passes.deferred, 0u);
}

/// Two blocks each of which waits for the other.
TEST(Concurrent, BlocksThatWaitForEachOtherAreReported) {
  unsigned counters[2] = {0, 0};
  auto const body = [&](EmulatedBlock& block) {
    unsigned* const own = counters + block.tile();
    block.set_waiting(true);
    block.begin_item(block.tile(), 2, counters + 1 - block.tile(), 1);
    block.wait_for_previous();
    block.count(own);
  };
  EXPECT_THROW(run_concurrently({2, 1, 4, 0}, {Start::by_index, 2}, body), EmulationError);
}

TEST(Concurrent, ABlockThatWaitsWhereNoneRunsBesideItIsReported) {
  unsigned counter = 0;
  auto const body = [&](EmulatedBlock& block) {
    block.set_waiting(true);
    block.begin_item(0, 1, &counter, 1);
    block.wait_for_previous();
  };
  EXPECT_THROW(run_grid({1, 1, 4, 0}, Checks::none(), body), EmulationError);
}

}  // namespace
}  // namespace skipper::emulator
