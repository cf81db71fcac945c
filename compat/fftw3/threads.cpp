// FFTW's threads calls: how many threads later plans use, and who runs them, which is looked up when a plan is executed.
// Skipper needs nothing prepared, and its planner may be called by many threads at once.
#include "threads.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace skipper::fftw3 {
namespace {

using ParallelLoop = void (*)(void* (*work)(char*), char* jobdata, std::size_t elsize, int njobs, void* data);

std::atomic<int> threads{1};

struct Callback {
  ParallelLoop loop = nullptr;
  void* data = nullptr;
};
std::mutex callback_mutex;
Callback callback;

Callback current_callback() {
  std::lock_guard lock(callback_mutex);
  return callback;
}

struct Job {
  std::function<void(int)> const* task;
  int number;
};

void* run_job(char* data) {
  Job const& job = *reinterpret_cast<Job*>(data);
  (*job.task)(job.number);
  return nullptr;
}

void run_by_callback(int tasks, std::function<void(int)> const& task) {
  std::vector<Job> jobs;
  for (int i = 0; i < tasks; ++i) jobs.push_back({&task, i});
  if (Callback const now = current_callback(); now.loop)
    return now.loop(run_job, reinterpret_cast<char*>(jobs.data()), sizeof(Job), tasks, now.data);
  for (int i = 0; i < tasks; ++i) task(i);
}

}  // namespace

int planner_threads() { return threads.load(std::memory_order_relaxed); }

bool has_callback() { return current_callback().loop != nullptr; }

Executor callback_executor() { return {run_by_callback}; }

}  // namespace skipper::fftw3

using namespace skipper::fftw3;

extern "C" {

int FFTW_NAME(init_threads)(void) { return 1; }
void FFTW_NAME(cleanup_threads)(void) {
  FFTW_NAME(cleanup)();
  FFTW_NAME(plan_with_nthreads)(1);
}
void FFTW_NAME(make_planner_thread_safe)(void) {}

void FFTW_NAME(plan_with_nthreads)(int nthreads) {
  threads.store(std::clamp(nthreads, 1, skipper::max_threads), std::memory_order_relaxed);
}
int FFTW_NAME(planner_nthreads)(void) { return planner_threads(); }

void FFTW_NAME(threads_set_callback)(ParallelLoop parallel_loop, void* data) {
  std::lock_guard lock(callback_mutex);
  callback = {parallel_loop, data};
}

}  // extern "C"
