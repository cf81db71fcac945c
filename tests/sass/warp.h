#pragma once
// A warp that runs: of its threads, those with the least program counter take the next instruction together. Threads that have
// parted wait for each other where the code says: at convergence barriers (BSSY .. BSYNC), WARPSYNC, and barriers of the block or
// the cluster.
#include <functional>
#include <string>
#include <vector>

#include "sass/registers.h"

namespace skipper::sass {

class Warp;

/// What an instruction does to the threads of the mask, those whose guard holds.
using Action = std::function<void(Warp&, Mask)>;

struct Instruction {
  Operand guard;
  Action action;
  bool controls = false;  // may change which threads run next, and where
  std::string text;       // with its address
};
using Code = std::vector<Instruction>;

/// Stacks of the threads of a warp, in words.
class LocalMemory {
 public:
  static constexpr int stack_bytes = 16 * 1024;  // of a thread: more than any kernel here takes

  std::uint32_t load(std::size_t lane, std::uint64_t address);
  void store(std::size_t lane, std::uint64_t address, std::uint32_t word);

 private:
  std::uint32_t& at(std::size_t lane, std::uint64_t address);

  std::vector<U32> words_;  // [from the top of the stack down][lane]
};

struct Block {
  int rank = 0;           // in its cluster
  unsigned x = 0, y = 0;  // in the grid
  SharedMemory shared;
  bool vote = true, result = true;  // BAR.RED.AND: of the threads so far, and of the last barrier
};

/// What the blocks of a cluster share.
struct Cluster {
  Constants constants;
  GlobalMemory memory;
  std::vector<Block> blocks;
};

class Warp {
 public:
  enum class State { runs, at_block_barrier, at_cluster_barrier, ended };

  /// Threads from `first` on, of a block of so many.
  Warp(Cluster& cluster, int rank, int first, int threads);

  /// Until all its threads have ended, or it waits for other warps. Throws Fault.
  void run(Code const& code);
  State state() const { return state_; }
  /// Behind a barrier.
  void go_on() { state_ = State::runs; }
  int steps() const { return steps_; }

  Cluster& cluster() { return *cluster_; }
  Block& block() { return cluster_->blocks[std::size_t(rank_)]; }
  Registers& registers() { return registers_; }
  LocalMemory& local() { return local_; }
  int first_thread() const { return first_; }

  void jump(Mask mask, int target);
  void end(Mask mask);
  /// BSSY, BSYNC and BREAK: threads of the mask make up a convergence barrier, wait at it, and leave it.
  void begin_convergence(int barrier, Mask mask);
  void converge(int barrier, Mask mask);
  void leave_convergence(int barrier, Mask mask);
  /// WARPSYNC.ALL.
  void converge_all(Mask mask);
  /// All threads of the warp must come at once.
  void wait(Mask mask, State at);

 private:
  /// Some that take an instruction together, and the next instruction that others wait at, before which they need not look.
  struct Group {
    Mask mask = 0;
    int at = 0, until = 0;
  };
  Group next_group() const;
  void run_group(Code const& code, Group group);
  void release();

  Cluster* cluster_;
  int rank_, first_;
  Registers registers_;
  LocalMemory local_;
  State state_ = State::runs;
  Mask alive_ = 0, blocked_ = 0, syncing_ = 0;
  std::array<Mask, 16> members_{}, arrived_{};  // of convergence barriers
  Lanes<int> counter_{};
  int steps_ = 0;
};

}  // namespace skipper::sass
