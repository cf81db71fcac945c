#pragma once
// Runs a cluster of blocks. A block runs in rounds: each of its threads up to its next barrier or its end; then all must
// have come to the same place. A block goes on past its own barriers by itself and waits at the cluster's.
#include "emulator/emulator.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace skipper::emulator {

/// Runs clusters one after another.
class Worker {
 public:
  /// `leave` is called where other blocks may run: at barriers, and with true where a thread waits for one of them.
  using Leave = std::function<void(bool waits)>;
  Worker(Grid const& grid, Checks checks, Body const& body, GlobalMemory& memory, Leave leave = {})
      : grid_(grid),
        body_(body),
        audit_(grid, checks, memory, counts_),
        audited_(checks.any()),
        leave_(std::move(leave)) {
    auto const threads = std::size_t(grid.cluster_ranks) * std::size_t(grid.threads);
    auto const block_bytes = std::size_t(grid.shared) * largest_element;
    shared_.resize(std::size_t(grid.cluster_ranks) * block_bytes);
    fibers_ = std::vector<Fiber>(threads);
    calls_.resize(threads);
    shown_.resize(std::size_t(grid.cluster_ranks * padded_threads()));
    shown_numbers_.resize(std::size_t(grid.cluster_ranks));
    for (std::size_t i = 0; i < threads; ++i) {
      auto& block = calls_[i].block;
      calls_[i].body = &body_;
      block.coordinates_.cluster_rank = int(i) / grid.threads;
      block.coordinates_.thread = int(i) % grid.threads;
      block.cluster_ = shared_.data();
      block.shared_ = shared_.data() + std::size_t(block.coordinates_.cluster_rank) * block_bytes;
      block.block_bytes_ = std::ptrdiff_t(block_bytes);
      block.counts_ = &counts_;
      block.audit_ = audited_ ? &audit_ : nullptr;
      block.fiber_ = &fibers_[i];
      block.shown_number_ = &shown_numbers_[std::size_t(block.coordinates_.cluster_rank)];
      block.shown_ = shown_.data() + std::size_t(block.coordinates_.cluster_rank * padded_threads());
    }
  }

  void run(Wide tile) {
    if (!shared_.empty()) std::memset(shared_.data(), 0xff, shared_.size());  // unset
    audit_.begin(tile);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      auto& block = calls_[i].block;
      block.tile_ = tile;
      block.tiles_ = grid_.tiles;
      block.counter_ = nullptr;
      std::fill(std::begin(block.coordinates_.point), std::end(block.coordinates_.point), 0);
      fibers_[i].start(&call, &calls_[i]);
    }
    try {
      run_cluster(tile);
      audit_.end();
    } catch (...) {
      for (auto& fiber : fibers_) fiber.cancel();
      throw;
    }
  }

  Counts const& counts() const { return counts_; }

 private:
  struct Call {
    EmulatedBlock block;
    Body const* body = nullptr;
  };
  static void call(void* argument) {
    auto& self = *static_cast<Call*>(argument);
    try {
      (*self.body)(self.block);
    } catch (ThreadError const& error) {
      self.block.fail(error.what);
    }
  }

  void run_cluster(Wide tile) {
    for (;;) {
      Wait const reached = run_block(tile, 0);
      for (int cluster_rank = 1; cluster_rank < grid_.cluster_ranks; ++cluster_rank) {
        Wait const here = run_block(tile, cluster_rank);
        if (here != reached) diverged(tile, 0, 0, reached, cluster_rank, 0, here);
      }
      if (reached == Wait::finished) return;
      ++counts_.cluster_barriers;
      audit_.cluster_barrier();
    }
  }

  /// Runs a block up to the next cluster barrier, or to its end.
  Wait run_block(Wide tile, int cluster_rank) {
    for (;;) {
      Wait const reached = run_warp(tile, cluster_rank, 0);
      for (int first = warp_threads; first < grid_.threads; first += warp_threads) {
        Wait const here = run_warp(tile, cluster_rank, first);
        if (here != reached) diverged(tile, cluster_rank, 0, reached, cluster_rank, first, here);
      }
      if (reached != Wait::block) return reached;
      ++counts_.barriers;
      audit_.barrier(cluster_rank);
      if (leave_) leave_(false);
    }
  }

  /// Runs the warp of thread `first` up to the next barrier that is not its own. Only whole warps can meet.
  Wait run_warp(Wide tile, int cluster_rank, int first) {
    for (;;) {
      int const end = std::min(first + warp_threads, grid_.threads);
      Wait const reached = run_thread(cluster_rank, first);
      for (int thread = first + 1; thread < end; ++thread) {
        Wait const here = run_thread(cluster_rank, thread);
        if (here != reached) diverged(tile, cluster_rank, first, reached, cluster_rank, thread, here);
      }
      if (reached != Wait::warp) return reached;
      if (end - first < warp_threads)
        throw EmulationError("tile " + std::to_string(tile) + ": the warp of thread " +
                             std::to_string(first) + " meets though it has only " +
                             std::to_string(end - first) + " threads");
      audit_.warp_barrier(cluster_rank, first / warp_threads);
    }
  }

  int padded_threads() const { return (grid_.threads + warp_threads - 1) / warp_threads * warp_threads; }

  Wait run_thread(int cluster_rank, int thread) {
    auto const i = std::size_t(cluster_rank * grid_.threads + thread);
    while (fibers_[i].resume()) {
      if (calls_[i].block.wait_ != Wait::counter) return calls_[i].block.wait_;
      if (!leave_) throw EmulationError("a thread waits for another block, and blocks run one by one");
      leave_(true);
    }
    return Wait::finished;
  }

  [[noreturn]] static void diverged(Wide tile, int cluster_rank, int thread, Wait wait, int other_rank,
                                    int other, Wait here) {
    auto const state = [](Wait w) {
      return w == Wait::warp      ? " waits for its warp"
             : w == Wait::block   ? " waits at a block barrier"
             : w == Wait::cluster ? " waits at a cluster barrier"
                                  : " has ended";
    };
    auto const who = [](int r, int t) {
      return "thread " + std::to_string(t) + " of rank " + std::to_string(r);
    };
    throw EmulationError("tile " + std::to_string(tile) +
                         ": divergent barrier: " + who(cluster_rank, thread) + state(wait) + ", " +
                         who(other_rank, other) + state(here));
  }

  Grid grid_;
  Body const& body_;
  Counts counts_;
  Audit audit_;
  bool audited_;
  std::vector<std::byte> shared_;            // [ranks][shared] of the largest element
  std::vector<Call> calls_;                  // [ranks][threads]
  std::vector<Fiber> fibers_;                // [ranks][threads]
  std::vector<EmulatedBlock::Shown> shown_;  // [ranks][threads]
  std::vector<unsigned> shown_numbers_;      // [ranks]
  Leave leave_;
};

}  // namespace skipper::emulator
