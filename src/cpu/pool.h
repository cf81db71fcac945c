// A small pool of threads for loops over independent tiles. The caller works too and never waits for a worker
// that has not begun, so loops from many threads at once cannot deadlock: at worst each runs alone. A loop inside
// a loop runs inline. Which thread runs an index changes nothing but the slot it is told.
#pragma once

#include <skipper/executor.h>

#include <functional>

#include "base/index.h"

namespace skipper::cpu {

/// Who runs a loop, and on how many threads at most. A user's executor must outlive the loop; null stands for the pool.
struct Team {
  Team(int at_most, Executor const* user = nullptr)
      : threads(at_most), executor(user && user->run ? user : nullptr) {}
  int threads;
  Executor const* executor;
};

/// body(slot, begin, end) over pieces of 0..count-1. Slots are below the team's threads, and no two pieces run in one slot
/// at the same time. Rethrows the first exception of a body.
void parallel_for(Index count, Team const& team, std::function<void(int, Index, Index)> const& body);

/// The number of workers in the pool; they are made when first needed and stay.
int workers();

/// Resolves 0 threads and an empty executor to those of the default executor, else to the pool and all cores.
/// Throws Error, naming `cpu.threads` or `cpu.executor.threads`, where a number makes no sense.
struct Resolved {
  int threads;
  Executor executor;
};
Resolved resolved(int threads, Executor const& executor);

}  // namespace skipper::cpu
