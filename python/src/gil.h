// Releasing and taking the GIL in scopes, safe while Python ends.
//
// Python ends a thread that asks for the GIL after the interpreter is gone by pthread_exit (before 3.14), which unwinds the
// thread's stack. Ours passes through destructors and functions that are noexcept, where unwinding ends the process by
// std::terminate. So the unwinding is caught, and the thread sleeps until the process is over, which is what Python 3.14 does.
// The unwinding comes from glibc, which takes libgcc_s for it: the module must not hold an unwinder of its own (-static-libgcc).
#pragma once

#include <nanobind/nanobind.h>

#include <unistd.h>

namespace skipper::python {

// Calls `take`, which waits for the GIL and returns with it, or never.
template <class Take>
auto take_gil(Take take) noexcept {
  try {
    return take();
  } catch (...) {
    for (;;) pause();  // leaving this handler would go on unwinding
  }
}

class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ~ReleasedGil() {
    take_gil([this] { PyEval_RestoreThread(state_); });
  }
  ReleasedGil(ReleasedGil const&) = delete;
  ReleasedGil& operator=(ReleasedGil const&) = delete;

 private:
  PyThreadState* state_;
};

// Nests, and works on threads that Python does not know.
class HeldGil {
 public:
  HeldGil() : state_(take_gil([] { return PyGILState_Ensure(); })) {}
  ~HeldGil() { PyGILState_Release(state_); }
  HeldGil(HeldGil const&) = delete;
  HeldGil& operator=(HeldGil const&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace skipper::python
