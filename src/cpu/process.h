// What belongs to one process. fork() copies memory but only the thread that called it, so a lock that another thread
// held stays locked in the child and threads that were waited for never come. Values with locks or threads are
// therefore kept by process: a child makes its own and leaves those of its parent alone.
#pragma once

#include <atomic>
#include <utility>

namespace skipper::cpu {

/// Changes in every child of fork().
unsigned process_generation() noexcept;

/// Makes a T when this process first asks for it. Trivially destroyed, so that it may be a static object; a member must be
/// discarded by its owner.
template <class T>
class PerProcess {
 public:
  constexpr PerProcess() = default;
  PerProcess(PerProcess const&) = delete;
  PerProcess& operator=(PerProcess const&) = delete;

  template <class... Arguments>
  T& get(Arguments&&... arguments) {
    Held* held = held_.load(std::memory_order_acquire);
    unsigned const generation = process_generation();
    if (held && held->generation == generation) return held->value;
    auto* const made = new Held(generation, held, std::forward<Arguments>(arguments)...);
    if (held_.compare_exchange_strong(held, made, std::memory_order_acq_rel)) return made->value;
    delete made;  // another thread was first
    return held->value;
  }

  /// This process's, or null where there is none.
  T* known() const {
    Held* const held = held_.load(std::memory_order_acquire);
    return held && held->generation == process_generation() ? &held->value : nullptr;
  }

  /// Destroys this process's. That of a parent stays: its locks may be held for ever.
  void discard() {
    if (known()) delete held_.exchange(nullptr);
  }

 private:
  struct Held {
    template <class... Arguments>
    Held(unsigned now, Held* parent, Arguments&&... arguments)
        : generation(now), before(parent), value(std::forward<Arguments>(arguments)...) {}
    unsigned generation;
    Held* before;  // the parent's, which tools that look for leaks find here
    T value;
  };
  std::atomic<Held*> held_{nullptr};
};

}  // namespace skipper::cpu
