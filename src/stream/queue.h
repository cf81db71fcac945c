// A queue between two stages. stop() wakes everyone who waits; pop() then returns nothing.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace skipper::stream {

template <class T>
class Queue {
 public:
  void push(T value) {
    {
      std::lock_guard lock(mutex_);
      values_.push_back(std::move(value));
    }
    changed_.notify_one();
  }

  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || !values_.empty(); });
    if (stopped_) return std::nullopt;
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

  void stop() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
  bool stopped_ = false;
};

}  // namespace skipper::stream
