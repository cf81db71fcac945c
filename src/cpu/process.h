// Values that belong to one process. fork() copies all memory but only the calling thread, so in the child a lock that another
// thread held stays locked for ever, and other threads are gone. So values with locks or threads are kept by process: a
// child makes its own and leaves those of its parent alone.
#pragma once

#include <atomic>
#include <utility>

namespace skipper::cpu {

/// Changes in every child of fork().
unsigned process_generation() noexcept;

/// Makes a T when this process first asks for it. The destructor is trivial, so that it may be a static object; the owner of a
/// member must call discard().
template <class T>
class PerProcess {
 public:
  constexpr PerProcess() = default;
  PerProcess(PerProcess const&) = delete;
  PerProcess& operator=(PerProcess const&) = delete;

  template <class... Arguments>
  T& get(Arguments&&... arguments) {
    Instance* instance = instance_.load(std::memory_order_acquire);
    unsigned const generation = process_generation();
    if (instance && instance->generation == generation) return instance->value;
    auto* const made = new Instance(generation, instance, std::forward<Arguments>(arguments)...);
    if (instance_.compare_exchange_strong(instance, made, std::memory_order_acq_rel)) return made->value;
    delete made;  // another thread was first
    return instance->value;
  }

  /// This process's value, or null where there is none.
  T* known() const {
    Instance* const instance = instance_.load(std::memory_order_acquire);
    return instance && instance->generation == process_generation() ? &instance->value : nullptr;
  }

  /// Destroys this process's value. A parent's stays: its locks may be held for ever.
  void discard() {
    if (known()) delete instance_.exchange(nullptr);
  }

 private:
  struct Instance {
    template <class... Arguments>
    Instance(unsigned now, Instance* parent, Arguments&&... arguments)
        : generation(now), before(parent), value(std::forward<Arguments>(arguments)...) {}
    unsigned generation;
    Instance* before;  // the parent's, kept reachable for leak checkers
    T value;
  };
  std::atomic<Instance*> instance_{nullptr};
};

}  // namespace skipper::cpu
