// A device of the tests: an arena that may not grow beyond its limit, and three streams, each a thread that does its work
// in order and at its own speed, so that a missing wait shows. Transforms are the CPU engine's. It counts what crosses
// the link.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "cpu/engine.h"
#include "poisson/eliminate.h"
#include "stream/port.h"

namespace skipper::testing {

class Worker {
 public:
  Worker() : thread_([this] { live(); }) {}
  ~Worker() {
    put({});
    thread_.join();
  }
  void put(std::function<void()> job) {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_all();
  }

 private:
  void live() {
    for (unsigned tick = 1;; ++tick) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !jobs_.empty(); });
      std::function<void()> const job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      if (!job) return;
      if (tick % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(tick % 7 * 20));
      job();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::thread thread_;
};

class SimulatedDevice : public stream::Device {
 public:
  explicit SimulatedDevice(Index limit, bool shared = false) : limit_(limit), shared_(shared) {}
  ~SimulatedDevice() override {
    if (used_ != 0 || pinned_ != 0) std::terminate();  // a leak
  }

  Index peak = 0, pinned_peak = 0, allocations = 0;
  std::atomic<Index> up_bytes = 0, down_bytes = 0, runs = 0;
  Index fail_at_run = -1;  // the run that throws
  bool reaches_all = false;

  bool shares_memory() const override { return shared_; }
  void* allocate(Index bytes) override { return take(bytes, used_, peak, true); }
  void release(void* memory) override { give(memory, used_); }
  void* allocate_host(Index bytes) override { return take(bytes, pinned_, pinned_peak, false); }
  void release_host(void* memory) override { give(memory, pinned_); }

  std::unique_ptr<stream::Prepared> prepare(Problem const& problem) override {
    return std::make_unique<Ready>(problem);
  }
  std::unique_ptr<stream::Prepared> prepare(stream::Division const& division) override {
    return std::make_unique<stream::Divisor>(division);
  }
  std::unique_ptr<stream::Prepared> prepare(stream::Elimination const& elimination) override {
    return std::make_unique<stream::Eliminator>(elimination);
  }
  bool reaches(void const*) const override { return reaches_all; }
  void copy_up(void* device, void const* host, stream::Rows const& rows) override {
    up_bytes += rows.bytes * rows.count;
    stream_of(stream::StreamId::up).put([=] {
      copy(device, rows.device_pitch, host, rows.host_pitch, rows);
    });
  }
  void copy_down(void* host, void const* device, stream::Rows const& rows) override {
    down_bytes += rows.bytes * rows.count;
    stream_of(stream::StreamId::down).put([=] {
      copy(host, rows.host_pitch, device, rows.device_pitch, rows);
    });
  }
  void run(stream::Prepared const& prepared, void const* in, void* out, void* workspace) override {
    if (runs++ == fail_at_run) throw Error("device", "fell over");
    auto const& transform = static_cast<Ready const&>(prepared).transform;
    stream_of(stream::StreamId::sweeps).put([=, &transform] { transform.execute(in, out, workspace); });
  }
  void divide(stream::Prepared const& division, std::vector<stream::DivisionDim> const& dims, void* data,
              void* constant) override {
    auto const& by = static_cast<stream::Divisor const&>(division).by;
    stream_of(stream::StreamId::sweeps).put([=, &by] {
      stream::divide(by, dims, data, constant,
                     [](Index count, std::function<void(Index, Index)> const& body) { body(0, count); });
    });
  }
  Index buffer_bytes(stream::Prepared const&, Index count) const override { return 8 * count; }
  void eliminate(stream::Prepared const& elimination, Index first, Index count, void const* from, void* to,
                 void*, void* constant) override {
    auto const& by = static_cast<stream::Eliminator const&>(elimination).by;
    stream_of(stream::StreamId::sweeps).put([=, &by] {
      poisson::eliminate(by, first, count, from, to, constant,
                         [](Index all, std::function<void(Index, Index)> const& body) { body(0, all); });
    });
  }
  stream::MarkRef mark(stream::StreamId which) override {
    auto result = std::make_shared<Flag>();
    stream_of(which).put([result] { result->set(); });
    return result;
  }
  void wait_for(stream::StreamId which, stream::Mark const& mark) override {
    auto const flag = static_cast<Flag const&>(mark).state;
    stream_of(which).put([flag] { Flag::wait_for(*flag); });
  }

 private:
  struct Ready : stream::Prepared {
    cpu::Transform transform;
    explicit Ready(Problem const& problem) : transform(problem, cpu::host_machine(), {1, ""}) {}
    Index workspace_bytes() const override { return Index(transform.workspace_bytes()); }
  };
  struct Flag : stream::Mark {
    struct State {
      std::mutex mutex;
      std::condition_variable changed;
      bool set = false;
    };
    std::shared_ptr<State> state = std::make_shared<State>();
    void set() const {
      std::lock_guard lock(state->mutex);
      state->set = true;
      state->changed.notify_all();
    }
    static void wait_for(State& s) {
      std::unique_lock lock(s.mutex);
      s.changed.wait(lock, [&] { return s.set; });
    }
    void wait() const override { wait_for(*state); }
  };

  static void copy(void* to, Index to_pitch, void const* from, Index from_pitch, stream::Rows const& rows) {
    for (Index i = 0; i < rows.count; ++i)
      std::memcpy(static_cast<std::byte*>(to) + i * to_pitch,
                  static_cast<std::byte const*>(from) + i * from_pitch, std::size_t(rows.bytes));
  }

  Worker& stream_of(stream::StreamId which) { return streams_[int(which)]; }

  void* take(Index bytes, Index& used, Index& most, bool limited) {
    std::lock_guard lock(mutex_);
    ++allocations;
    if (limited && used + bytes > limit_) throw std::runtime_error("the arena is full");
    void* const memory = ::operator new(std::size_t(bytes), std::align_val_t(64));
    std::memset(memory, 0xff, std::size_t(bytes));  // NaN: what is read before it is written shows
    sizes_[memory] = bytes;
    used += bytes;
    most = std::max(most, used);
    return memory;
  }
  void give(void* memory, Index& used) {
    std::lock_guard lock(mutex_);
    used -= sizes_.at(memory);
    sizes_.erase(memory);
    ::operator delete(memory, std::align_val_t(64));
  }

  Index limit_;
  bool shared_;
  Index used_ = 0, pinned_ = 0;
  std::mutex mutex_;
  std::map<void*, Index> sizes_;
  Worker streams_[3];
};

class SimulatedHost : public stream::Host {
 public:
  std::atomic<Index> runs = 0;
  void loop(Index count, std::function<void(Index, Index)> const& body) override {
    Index const half = count / 2;  // two threads
    if (half == 0) return body(0, count);
    std::thread other([&] { body(0, half); });
    body(half, count);
    other.join();
  }
  void run(Problem const& problem, void const* in, void* out) override {
    ++runs;
    cpu::Transform(problem, cpu::host_machine(), {1, ""}).execute(in, out);
  }
};

inline stream::WorkspaceOf cpu_workspace() {
  return [](Problem const& problem) {
    return Index(cpu::Transform(problem, cpu::host_machine(), {1, ""}).workspace_bytes());
  };
}

}  // namespace skipper::testing
