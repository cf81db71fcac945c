// What the measurements beside this file hold results against: a copy in host memory by all cores, and the link to the
// device with both ways busy; and arrays in host memory, pinned or not.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/gpu.h"

namespace skipper::bench {

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// body(i) for each of 0 .. count-1.
template <class Body>
void on_all_cores(std::size_t count, Body const& body) {
  std::size_t const cores = std::max(1u, std::thread::hardware_concurrency()),
                    piece = std::max<std::size_t>(1, count / (8 * cores));
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < cores; ++t)
    threads.emplace_back([&] {
      for (std::size_t at; (at = next.fetch_add(piece)) < count;)
        for (std::size_t i = at; i < std::min(at + piece, count); ++i) body(i);
    });
}

class Machine {
 public:
  /// "cuda:0", or a name without a link, such as "cpu".
  explicit Machine(std::string const& device) : device_(cli::cuda_device(device)) {
    if (device_ >= 0) cuda_.emplace(device_);
    std::vector<char> from(host_bytes, 1), to(host_bytes, 2);
    // Long pieces go past the caches, which some machines have too little memory bandwidth to do without.
    for (int round = 0; round < 8; ++round) {
      std::size_t const piece = std::size_t(1) << (round % 2 ? 26 : 14);
      Clock clock;
      on_all_cores(host_bytes / piece, [&](std::size_t i) {
        std::memcpy(to.data() + i * piece, from.data() + i * piece, piece);
      });
      host_ = std::max(host_, 2 * double(host_bytes) / clock.seconds());
    }
    if (cuda_) measure_link();
  }

  double host() const { return host_; }  // bytes a second, read plus write
  double link() const { return cuda_ ? link_ : host_; }
  cli::Cuda* cuda() { return cuda_ ? &*cuda_ : nullptr; }

 private:
  static constexpr std::size_t host_bytes = std::size_t(1) << 30;

  void measure_link() {
    std::size_t const bytes = std::size_t(256) << 20;
    int const rounds = 4;
    cli::Cuda up(device_), down(device_);
    void *const a = up.device_memory("a", bytes).data, *const b = down.device_memory("b", bytes).data;
    void *const from = up.host_memory("from", bytes).data, *const to = down.host_memory("to", bytes).data;
    std::memset(from, 1, bytes);
    for (int i = 0; i < 3; ++i) {
      // A context belongs to a thread, so the other way brings a handle of its own along.
      std::latch begin(2);
      std::jthread other([&] {
        cli::Cuda mine(device_);
        begin.arrive_and_wait();
        for (int r = 0; r < rounds; ++r) mine.download(to, b, bytes);
      });
      begin.arrive_and_wait();
      Clock clock;
      for (int r = 0; r < rounds; ++r) up.upload(a, from, bytes);
      other.join();
      link_ = std::max(link_, 2 * rounds * double(bytes) / clock.seconds());
    }
  }

  int device_;
  std::optional<cli::Cuda> cuda_;
  double host_ = 0, link_ = 0;
};

/// Touched by all cores, so that it is there before anything is timed.
class Array {
 public:
  Array(Machine& machine, std::string const& name, std::size_t bytes, bool pinned) {
    if (bytes == 0) return;
    if (pinned && machine.cuda())
      data_ = machine.cuda()->host_memory(name, bytes).data;
    else
      own_.reset(data_ = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
    if (!data_) throw Error("PROBLEM", "does not fit into host memory; use a smaller one");
    on_all_cores(bytes / 4096,
                 [&](std::size_t i) { std::memset(static_cast<char*>(data_) + i * 4096, 0, 4096); });
  }
  void* data() const { return data_; }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> own_;
  void* data_ = nullptr;
};

inline std::int64_t bytes(std::string const& word) {
  std::int64_t const count = std::atoll(word.c_str());
  std::size_t const unit = word.empty() ? 0 : std::string("KMGT").find(word.back()) + 1;
  return count << 10 * unit;
}

}  // namespace skipper::bench
