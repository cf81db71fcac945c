// See pool.h. A loop is a job on the stack of its caller, with an atomic index from which all threads draw. Workers find
// it in a list under one mutex. The caller removes it from the list, and returns when the last worker inside has left.
// Idle workers spin for a moment before they sleep, since sweeps follow one another closely.
//
// A child of fork() has a pool of its own (process.h). When static objects are destroyed the workers leave; a loop that
// comes later, from a destructor, is run by its caller alone.
#include "cpu/pool.h"

#include <skipper/error.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cpu/process.h"

namespace skipper::cpu {
namespace {

thread_local bool inside_loop = false;
constinit std::atomic<bool> ended{false};  // static objects are being destroyed

struct Job {
  std::function<void(int, Index, Index)> const* body = nullptr;
  Index count = 0, grain = 1;
  int threads = 1;
  std::atomic<Index> next{0};
  std::atomic<int> slots{0};  // handed out
  int wanted = 0;             // workers that may still join; under the pool's mutex
  int inside = 0;             // workers at work; under the mutex
  std::atomic<bool> failed{false};
  std::exception_ptr error;

  /// Draws pieces until none are left. Returns at once where no slot is free: the threads that have the slots draw all pieces.
  void work() {
    int const slot = slots.fetch_add(1, std::memory_order_relaxed);
    if (slot >= threads) return;
    bool const nested = std::exchange(inside_loop, true);
    try {
      for (;;) {
        Index const begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) break;
        (*body)(slot, begin, std::min(begin + grain, count));
      }
    } catch (...) {
      next.store(count, std::memory_order_relaxed);
      if (!failed.exchange(true)) error = std::current_exception();
    }
    inside_loop = nested;
  }
};

class Pool {
 public:
  void run(Job& job) {
    unsigned const process = process_generation();
    int const wanted = job.wanted = job.threads - 1;
    {
      std::lock_guard lock(mutex_);
      grow(wanted);
      jobs_.push_back(&job);
      posted_.fetch_add(1, std::memory_order_release);
    }
    for (int i = 0; i < wanted; ++i) wake_.notify_one();
    job.work();
    if (process != process_generation())
      throw Error(
          "fork",
          "was called inside a loop, by a function of the user's, so that the child has only a part of "
          "the result; call exec or _exit there");
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
    return static_cast<int>(workers_.size());
  }

  /// Ends idle workers. Busy ones are not waited for: they may wait for something that the caller holds.
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    wake_.notify_all();
    left_.wait(lock, [&] {
      return std::none_of(workers_.begin(), workers_.end(),
                          [](Worker const& w) { return w.is == Worker::State::idle; });
    });
    std::vector<std::thread> gone;
    for (Worker& worker : workers_)
      if (worker.is == Worker::State::over)
        gone.push_back(std::move(worker.thread));
      else
        worker.thread.detach();
    workers_.clear();
    lock.unlock();
    for (std::thread& thread : gone) thread.join();
  }

 private:
  struct Worker {
    enum class State { idle, busy, over } is = State::idle;
    std::thread thread;
  };

  /// Where the system gives no more threads, the existing ones do the work, and it is not asked again for a while.
  void grow(int wanted) {
    if (closed_ || (refused_ > 0 && --refused_ > 0)) return;
    while (static_cast<int>(workers_.size()) < wanted) {
      workers_.emplace_back();
      try {
        workers_.back().thread = std::thread([this, worker = &workers_.back()] { live(*worker); });
      } catch (std::exception const&) {  // no thread, or no memory for one
        workers_.pop_back();
        refused_ = 100;
        return;
      }
    }
  }

  Job* open_job() {
    for (Job* job : jobs_)
      if (job->wanted > 0 && job->next.load(std::memory_order_relaxed) < job->count) return job;
    return nullptr;
  }

  void live(Worker& worker) {
    unsigned const process = process_generation();
    std::unique_lock lock(mutex_);
    while (!closed_) {
      if (Job* job = open_job()) {
        --job->wanted;
        ++job->inside;
        worker.is = Worker::State::busy;
        lock.unlock();
        job->work();
        if (process != process_generation())
          return;  // a user's function forked: this is the child's only thread
        lock.lock();
        if (--job->inside == 0) left_.notify_all();
        if (closed_) return;  // let go by close()
        worker.is = Worker::State::idle;
        continue;
      }
      unsigned const seen = posted_.load(std::memory_order_relaxed);
      lock.unlock();
      auto const until = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
      while (posted_.load(std::memory_order_acquire) == seen && std::chrono::steady_clock::now() < until) {
      }
      lock.lock();
      wake_.wait(lock,
                 [&] { return closed_ || posted_.load(std::memory_order_relaxed) != seen || open_job(); });
    }
    worker.is = Worker::State::over;
    left_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::vector<Job*> jobs_;
  std::atomic<unsigned> posted_{0};
  bool closed_ = ended;
  int refused_ = 0;             // loops until threads are asked for again
  std::deque<Worker> workers_;  // these stay where they are
};

constinit PerProcess<Pool> pools;

/// Ends the workers when static objects are destroyed, or when the library is unloaded.
struct Closer {
  ~Closer() {
    ended = true;
    if (Pool* const pool = pools.known()) pool->close();
  }
} const closer;

void run_by(Executor const& executor, Job& job) {
  executor.run(job.threads, [&](int) { job.work(); });
  job.work();  // what it left out
}

}  // namespace

void parallel_for(Index count, Team const& team, std::function<void(int, Index, Index)> const& body) {
  if (count <= 0) return;
  int const threads = static_cast<int>(std::min<Index>(team.threads, count));
  if (threads <= 1 || inside_loop) return body(0, 0, count);
  Job job;
  job.body = &body;
  job.count = count;
  job.grain = std::max<Index>(1, count / (8 * threads));
  job.threads = threads;
  if (team.executor)
    run_by(*team.executor, job);
  else
    pools.get().run(job);
  if (job.error) std::rethrow_exception(job.error);
}

int workers() { return pools.get().size(); }

}  // namespace skipper::cpu
