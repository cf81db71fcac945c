// Values that are made on first use. They are never destroyed, so destructors of static objects may use them. There is no
// lock: threads that come at the same time each make a value, and the first one is kept. So a child of fork() never waits
// for a thread that it does not have.
#pragma once

#include <atomic>
#include <memory>

namespace skipper {

/// To be declared as `static constinit Lazy<T> name;`, which needs no guard of the compiler's.
template <class T>
class Lazy {
 public:
  template <class Make>
  T const& get(Make make) {
    if (T const* const known = value_.load(std::memory_order_acquire)) return *known;
    auto made = std::make_unique<T const>(make());
    T const* first = nullptr;
    if (!value_.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel)) return *first;
    return *made.release();
  }

 private:
  std::atomic<T const*> value_{nullptr};
};

}  // namespace skipper
