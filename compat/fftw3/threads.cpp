// FFTW's threads calls: how many threads later plans use, and who runs them. Skipper needs nothing prepared, and its
// planner may be called by many threads at once.
#include "threads.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace skipper::fftw3 {
namespace {

using ParallelLoop = void (*)(void* (*work)(char*), char* jobdata, std::size_t elsize, int njobs, void* data);

std::atomic<int> threads{1};

std::mutex callback_mutex;
ParallelLoop callback = nullptr;
void* callback_data = nullptr;

struct Job {
  std::function<void(int)> const* task;
  int number;
};

void* run_job(char* data) {
  Job const& job = *reinterpret_cast<Job*>(data);
  (*job.task)(job.number);
  return nullptr;
}

Executor executor_of(ParallelLoop loop, void* data) {
  Executor executor;
  executor.run = [loop, data](int tasks, std::function<void(int)> const& task) {
    std::vector<Job> jobs;
    for (int i = 0; i < tasks; ++i) jobs.push_back({&task, i});
    loop(run_job, reinterpret_cast<char*>(jobs.data()), sizeof(Job), tasks, data);
  };
  return executor;
}

}  // namespace

Team current_team() {
  Team team;
  team.threads = threads.load(std::memory_order_relaxed);
  std::lock_guard lock(callback_mutex);
  if (callback) team.executor = executor_of(callback, callback_data);
  return team;
}

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
int FFTW_NAME(planner_nthreads)(void) { return threads.load(std::memory_order_relaxed); }

void FFTW_NAME(threads_set_callback)(ParallelLoop parallel_loop, void* data) {
  std::lock_guard lock(callback_mutex);
  callback = parallel_loop;
  callback_data = data;
}

}  // extern "C"
