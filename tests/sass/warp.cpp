// See warp.h.
#include "sass/warp.h"

#include <algorithm>
#include <limits>

namespace skipper::sass {
namespace {

constexpr int step_limit = 2'000'000;  // of a warp: one that takes more is in a loop without end

}  // namespace

std::uint32_t& LocalMemory::at(std::size_t lane, std::uint64_t address) {
  if (address % 4 != 0 || address >= stack_bytes)
    throw Fault("local memory at " + std::to_string(std::int64_t(address)) + ", of " +
                std::to_string(stack_bytes));
  std::size_t const down = (stack_bytes - 4 - address) / 4;
  if (down >= words_.size()) {
    U32 unset;
    unset.fill(poison);
    words_.resize(down + 1, unset);
  }
  return words_[down][lane];
}

std::uint32_t LocalMemory::load(std::size_t lane, std::uint64_t address) { return at(lane, address); }

void LocalMemory::store(std::size_t lane, std::uint64_t address, std::uint32_t word) {
  at(lane, address) = word;
}

Warp::Warp(Cluster& cluster, int rank, int first, int threads)
    : cluster_(&cluster), rank_(rank), first_(first), registers_(cluster.constants) {
  int const own = std::min(threads - first, lanes);
  alive_ = own == lanes ? ~Mask(0) : (Mask(1) << own) - 1;
}

Warp::Group Warp::next_group() const {
  Group group{0, std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};
  Mask const ready = alive_ & ~blocked_;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (has(ready, lane)) group.at = std::min(group.at, counter_[lane]);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (has(ready, lane)) {
      if (counter_[lane] == group.at)
        group.mask |= Mask(1) << lane;
      else
        group.until = std::min(group.until, counter_[lane]);
    }
  return group;
}

void Warp::run_group(Code const& code, Group group) {
  int at = group.at;
  for (bool controlled = false; !controlled && at < group.until; ++at) {
    if (at >= int(code.size())) throw Fault("runs beyond the end of the kernel");
    if (++steps_ > step_limit) throw Fault("does not end");
    Instruction const& instruction = code[std::size_t(at)];
    Mask const active = group.mask & registers_.truth(instruction.guard);
    controlled = instruction.controls;
    if (controlled) jump(group.mask, at + 1);
    if (!active) continue;
    try {
      instruction.action(*this, active);
    } catch (Fault const& fault) {
      throw Fault(std::string(fault.what()) + "\n  by " + instruction.text + "\n  in threads from " +
                  std::to_string(first_) + " on of block " + std::to_string(block().x));
    }
    if (controlled) return;
  }
  jump(group.mask, at);
}

void Warp::run(Code const& code) {
  while (state_ == State::runs) {
    Group const group = next_group();
    if (group.mask)
      run_group(code, group);
    else if (!alive_)
      state_ = State::ended;
    else
      throw Fault("threads of one warp wait for each other at different places");
  }
}

void Warp::jump(Mask mask, int target) {
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (has(mask, lane)) counter_[lane] = target;
}

void Warp::end(Mask mask) {
  alive_ &= ~mask;
  release();
}

void Warp::begin_convergence(int barrier, Mask mask) { members_[std::size_t(barrier)] = mask; }

void Warp::converge(int barrier, Mask mask) {
  Mask const waits = mask & members_[std::size_t(barrier)];
  arrived_[std::size_t(barrier)] |= waits;
  blocked_ |= waits;
  release();
}

void Warp::leave_convergence(int barrier, Mask mask) {
  members_[std::size_t(barrier)] &= ~mask;
  release();
}

void Warp::converge_all(Mask mask) {
  syncing_ |= mask;
  blocked_ |= mask;
  release();
}

/// Threads all of whose partners have come.
void Warp::release() {
  for (std::size_t b = 0; b < members_.size(); ++b)
    if (arrived_[b] && (members_[b] & alive_ & ~arrived_[b]) == 0) {
      blocked_ &= ~arrived_[b];
      arrived_[b] = 0;
    }
  if (syncing_ && (alive_ & ~syncing_) == 0) {
    blocked_ &= ~syncing_;
    syncing_ = 0;
  }
}

void Warp::wait(Mask mask, State at) {
  if (mask != alive_) throw Fault("a barrier that only part of a warp comes to");
  state_ = at;
}

}  // namespace skipper::sass
