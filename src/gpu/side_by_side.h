// Work that takes a core for long, such as a compiler's, on a thread each.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace skipper::gpu {

/// make(0), .. make(count - 1), on a thread each as far as the system gives threads. What one of them throws is thrown when all have
/// ended.
template <class Make>
void side_by_side(std::size_t count, Make const& make) {
  std::exception_ptr trouble;
  std::mutex mutex;
  auto const run = [&](std::size_t i) {
    try {
      make(i);
    } catch (...) {
      std::lock_guard const lock(mutex);
      trouble = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    auto const start = [&](std::size_t i) {
      try {
        threads.emplace_back(run, i);
        return true;
      } catch (std::exception const&) {  // the system gives no more threads
        return false;
      }
    };
    std::size_t rest = count;  // is this thread's
    while (rest > 1 && start(rest - 1)) --rest;
    for (std::size_t i = 0; i < rest; ++i) run(i);
  }
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace skipper::gpu
