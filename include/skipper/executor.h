// The threads of the CPU engine, for programs that have threads of their own: a pool, OpenMP, TBB. Where none is given,
// Skipper has a pool of its own, which starts threads when they are first needed.
//
//   skipper::PlanSettings settings;
//   settings.cpu.executor.run = [&pool](int tasks, std::function<void(int)> const& task) { pool.for_each(tasks, task); };
//   settings.cpu.executor.threads = pool.size();
#pragma once

#include <functional>

namespace skipper {

struct Executor {
  // run(tasks, task) calls task(0), task(1), ... task(tasks - 1), each once, in any order and on any threads, and returns
  // when all have returned. No task waits for another one, so to call them one after the other is right too, and results
  // are the same to the last bit. `task` never throws; what `run` throws, execute() throws. Several threads may call it at
  // once. Empty: the default executor.
  std::function<void(int tasks, std::function<void(int)> const& task)> run = {};

  // How many tasks it runs at once, for which plans with threads = 0 are made. 0: one for each core.
  int threads = 0;
};

// For plans that are made from now on and have no executor in their settings. An empty one is Skipper's own pool, as it is
// at first and again in a child of fork(). Throws Error for threads that make no sense, and for threads without run.
void set_default_executor(Executor const& executor);
Executor default_executor();

// The most that `threads` may be, in any settings.
inline constexpr int max_threads = 4096;

}  // namespace skipper
