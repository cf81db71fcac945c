// Occupancy: how many registers a thread of a sweep needs, how many blocks an SM then holds at once, and how fast they
// are together. Memory is kept busy only while other blocks load and store what one of them transforms.
#pragma once

#include <vector>

#include "base/machine.h"
#include "kernel/queries.h"

namespace skipper {

/// What one block of a sweep does, as far as its speed depends on it.
struct Work {
  Index threads = 1;
  Index elements_per_thread = 1;  // elements a thread holds at most
  Index points = 1;               // elements of the block
  Index shared = 0;               // elements of shared memory
  Index element = 8;              // bytes
  int cluster_ranks = 1;
  Index tiles = 0;          // of the sweep; 0: many
  double instructions = 0;  // of a thread
  Index registers = 0;      // a thread needs at the least
  double steady = 0;  // of the instructions, sums in long codelets, which seldom wait for the one before
  double traffic =
      0;  // elements that the block moves through shared memory and L1; only of convolutions, which it bounds
  Index loads = 1;       // elements that a thread loads
  int exchanges = 0;     // through shared memory
  int lookups = 0;       // steps after an exchange that read twiddles from tables
  bool crowded = false;  // several long butterflies have twiddles, each as many elements as a thread holds
  double tensor = 0;     // multiply-adds of the block's tensor cores
};

/// Multiply-adds of double precision that the tensor cores of one SM do in a cycle; 0 where they do as good as none.
Index tensor_rate(Machine const& machine);

/// The least predicted slowdown, in x copy: no sweep that was measured ran closer to a copy.
/// Fitted: bench/results/h200-choices.md.
inline constexpr double min_slowdown = 1.02;

/// What a launch counts for, in ns: more than it takes in a graph, since out of one it keeps the host busy for longer.
/// Fitted: bench/results/h200-choices.md.
inline constexpr double launch_ns = 1100;
/// What dependent launch (gpu/prepare.cpp) spares each sweep but the first, in ns, and up to how many bytes of data sweeps are
/// launched so. Fitted: bench/results/h200-choices.md.
inline constexpr double dependent_launch_ns = 300;
inline constexpr Index little_bytes = 4 * 1024 * 1024;
/// Time in ns of a copy that reads and writes so many bytes in all; faster where they are few and all in L2.
double copy_ns(double bytes, Machine const& machine);

/// Instructions of a butterfly a point, counted in the code that NVRTC makes of the codelets for sm_90.
double butterfly_instructions(int radix);

/// Registers below which a thread spills that holds so many elements and joins `radix` of them.
Index least_registers(Index elements_per_thread, int radix, Index element_bytes, kernel::Twiddling twiddling);

/// Whether lines of n points are transformed by two threads each (kernel/symmetric_dft.h) and not by their matrix on tensor
/// cores.
bool is_symmetric_dft(Index n, Index element_bytes);
/// Threads of a block that multiplies so many groups of eight lines, or transforms so many of sixteen by symmetry, where
/// its steps have elements for so many: whole warps, one for each of a few groups.
Index direct_dft_threads(Index threads, Index groups);
/// What lines of n points add to the work of a block that transforms them by a direct DFT in shared memory.
void add_direct_dft(int n, Work& work);
/// Threads of a block that transforms so many lines of n points by symmetry.
Index symmetric_dft_threads(Index n, Index threads, Index lines);

/// Threads of a block whose lines by Rader stay in their places: one for each of the last radix's butterflies. More
/// lose. Fitted: bench/results/h200-choices.md.
Index shared_rader_threads(Index butterflies);

/// Adds up the work of a block, step by step.
class WorkCount {
 public:
  enum class SideWork {
    none,
    real,
    hermitian,
    bluestein,
    rader
  };  // what happens to elements as they come or go
  WorkCount(Index element_bytes, int cluster_ranks, SideWork side_work);
  void add(Index threads, Index elements_per_thread, int radix, kernel::Twiddling twiddling, bool exchanged);
  /// An entry of a table of so many bytes is read for so many elements, the same for the elements of so many lines.
  void add_table(double elements, Index bytes, double lines);
  /// The steps before read and write in Rader's order.
  void add_rader();
  /// In the exchange into the step that was added last, lines of n points are transformed by a direct DFT.
  void add_direct_dft(int n) { skipper::add_direct_dft(n, work_); }
  /// The lines that the steps move are convolved by Rader in their places, by these radices.
  void add_shared_rader(std::vector<int> const& radices, Index points);
  Work const& total() const { return work_; }

 private:
  Work work_;
  SideWork side_work_;
  int chains_ = 0;  // long butterflies with twiddles so far
};

/// The work of a spec.
Work work_of(kernel::SweepSpec const& spec, Index element_bytes);

/// Blocks that an SM holds at once when each thread takes so many registers; 0 where not even one fits.
Index blocks_of(Work const& work, Index registers, Machine const& machine);

/// Registers that the compiler is to be held to: of convolutions less than a thread needs where only that lets an SM hold a
/// block, for the few bytes that are spilled then.
Index allowed_registers(Work const& work, Machine const& machine);

/// What an SM sets aside as shared memory for so many blocks, each with so many bytes: one of the sizes that it can.
Index shared_size(Index blocks, Index bytes, Machine const& machine);

/// Time of a sweep of such blocks over that of a copy, when memory itself takes `movement` times as long as to copy.
double slowdown(Work const& work, Machine const& machine, double movement = 1);

/// Blocks that an SM is to hold, for the compiler's launch bounds; 0 where it needs no telling.
int resident_blocks(Work const& work, Machine const& machine);

/// Blocks that an SM is to hold at most; 0 where it may hold all that fit.
int max_blocks(Work const& work, Machine const& machine, double movement);

/// What an SM has in flight when each thread takes so many registers.
struct Occupancy {
  Index blocks = 0, warps = 0;
  Index load_bytes = 0;  // of all of them at once, when each thread issues all its loads
};
Occupancy occupancy(kernel::SweepSpec const& spec, Index element_bytes, Index registers,
                    Machine const& machine);

}  // namespace skipper
