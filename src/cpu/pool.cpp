// See pool.h. A loop is a job on the stack of its caller: an atomic index that everyone draws from. Workers learn
// of it from a list under one mutex, and the caller takes it off the list before it returns, when the last worker
// inside has left. Idle workers spin for a moment before they sleep, since sweeps follow one another closely.
#include "cpu/pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace skipper::cpu {
namespace {

struct Job {
  std::function<void(int, Index, Index)> const* body = nullptr;
  Index count = 0, grain = 1;
  std::atomic<Index> next{0};
  int wanted = 0;  // workers that may still join; under the pool's mutex
  int slots = 1;   // handed out, the caller has 0; under the mutex
  int inside = 0;  // workers at work; under the mutex
  std::exception_ptr error;
  std::mutex error_mutex;

  void work(int slot) {
    try {
      for (;;) {
        Index const begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) return;
        (*body)(slot, begin, std::min(begin + grain, count));
      }
    } catch (...) {
      next.store(count, std::memory_order_relaxed);
      std::lock_guard lock(error_mutex);
      if (!error) error = std::current_exception();
    }
  }
};

thread_local bool inside_loop = false;

class Pool {
 public:
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(Job& job) {
    int const wanted = job.wanted;
    {
      std::lock_guard lock(mutex_);
      grow(wanted);
      jobs_.push_back(&job);
      posted_.fetch_add(1, std::memory_order_release);
    }
    for (int i = 0; i < wanted; ++i) wake_.notify_one();
    inside_loop = true;
    job.work(0);
    inside_loop = false;
    // Most of the time the others are about to finish: look a while before sleeping.
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    for (int spin = 0; job.inside > 0 && spin < 200; ++spin) {
      lock.unlock();
      for (int i = 0; i < 32; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
      lock.lock();
    }
    left_.wait(lock, [&] { return job.inside == 0; });
  }

  int size() {
    std::lock_guard lock(mutex_);
    return static_cast<int>(threads_.size());
  }

 private:
  void grow(int wanted) {  // a system that gives no more threads leaves the work to those there are
    try {
      while (static_cast<int>(threads_.size()) < wanted) threads_.emplace_back([this] { live(); });
    } catch (std::system_error const&) {
    }
  }

  Job* open_job() {
    for (Job* job : jobs_)
      if (job->wanted > 0 && job->next.load(std::memory_order_relaxed) < job->count) return job;
    return nullptr;
  }

  void live() {
    inside_loop = true;
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (Job* job = open_job()) {
        --job->wanted;
        int const slot = job->slots++;
        ++job->inside;
        lock.unlock();
        job->work(slot);
        lock.lock();
        if (--job->inside == 0) left_.notify_all();
        continue;
      }
      unsigned const seen = posted_.load(std::memory_order_relaxed);
      lock.unlock();
      auto const until = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
      while (posted_.load(std::memory_order_acquire) == seen && std::chrono::steady_clock::now() < until) {
      }
      lock.lock();
      wake_.wait(lock,
                 [&] { return stopping_ || posted_.load(std::memory_order_relaxed) != seen || open_job(); });
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::vector<Job*> jobs_;
  std::atomic<unsigned> posted_{0};
  bool stopping_ = false;
  std::vector<std::thread> threads_;  // last: they use the rest
};

Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

}  // namespace

int cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(Index count, int threads, std::function<void(int, Index, Index)> const& body) {
  if (count <= 0) return;
  threads = static_cast<int>(std::min<Index>(threads, count));
  if (threads <= 1 || inside_loop) return body(0, 0, count);
  Job job;
  job.body = &body;
  job.count = count;
  job.grain = std::max<Index>(1, count / (8 * threads));
  job.wanted = threads - 1;
  pool().run(job);
  if (job.error) std::rethrow_exception(job.error);
}

int workers() { return pool().size(); }

}  // namespace skipper::cpu
