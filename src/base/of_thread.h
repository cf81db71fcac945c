// A thread-local value that is safe to ask for at any time, also from destructors that run when the thread ends.
#pragma once

namespace skipper {

/// The thread's T, or null when the thread is ending and it has been destroyed. One for each Tag.
template <class T, class Tag>
T* of_thread() {
  thread_local bool gone = false;  // trivial, so it stays readable to the end
  if (gone) return nullptr;
  struct Owner {
    T value;
    ~Owner() { gone = true; }
  };
  thread_local Owner owner;
  return &owner.value;
}

}  // namespace skipper
