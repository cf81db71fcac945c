#pragma once
// Blocks that wait for each other: several run at once, and none is told when it begins. What a kernel assumes beyond
// what CUDA promises shows as blocks that wait for ever, which is reported.
#include "emulator/emulator.h"
#include "kernel/fused_passes.h"

#include <algorithm>

namespace skipper::emulator {

/// In which order blocks begin, and how many are there at once; a block that ends makes room for the next. Which of them
/// goes on, and how far, is drawn from the seed.
struct Schedule {
  enum class Start { by_index, reversed, shuffled };
  Start start = Start::by_index;
  int at_once = 1;
  unsigned seed = 1;
};

/// Runs body once for each thread of grid.tiles blocks. Throws EmulationError where all that have begun wait.
void run_concurrently(Grid const& grid, Schedule const& schedule, Body const& body);

/// Two specs that are run alternately.
struct RememberedPair {
  Remembered first, last;
};
RememberedPair remembered(kernel::SweepSpec const& first, kernel::SweepSpec const& last);

/// The kernel of two sweeps (kernel/fused_passes.h), by so many blocks.
template <class T>
void run_pair(kernel::SweepSpec const& first, kernel::SweepSpec const& last, kernel::FusedArgs<T> const& args,
              Wide blocks, Schedule const& schedule) {
  RememberedPair const known = remembered(first, last);
  run_concurrently({blocks, 1, first.threads, std::max(first.shared, last.shared)}, schedule,
                   [&](EmulatedBlock& block) {
                     auto const own = unsigned(block.tile());
                     block.set_waiting(args.fused_passes.second_launch);
                     kernel::process_items(
                         args.fused_passes, own, block, [&](kernel::WorkItem work_item, kernel::Wait wait) {
                           block.begin_item(work_item.tile, args.fused_passes.all[work_item.last],
                                            args.fused_passes.counters + wait.counter, wait.target);
                           return kernel::sweep<T>(work_item.last ? known.last : known.first, block,
                                                   kernel::args_of(args, work_item));
                         });
                   });
}

// Compiled with the kernel of each precision, in single.cpp and double.cpp.
extern template void run_pair(kernel::SweepSpec const&, kernel::SweepSpec const&,
                              kernel::FusedArgs<float> const&, Wide, Schedule const&);
extern template void run_pair(kernel::SweepSpec const&, kernel::SweepSpec const&,
                              kernel::FusedArgs<double> const&, Wide, Schedule const&);

}  // namespace skipper::emulator
