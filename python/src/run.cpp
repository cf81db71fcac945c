// Short executions run at once under Python's lock, which costs more to give back than they take. Longer ones run without it.
// Very long ones on a CPU run on a thread of their own, while the calling thread looks for signals: Ctrl-C then raises
// KeyboardInterrupt at once, and the execution ends by itself on arrays that it keeps alive.
#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "gil.h"
#include "run.h"

namespace skipper::python {
namespace {

namespace nb = nanobind;

constexpr std::int64_t short_bytes = 1 << 16;
constexpr std::int64_t long_bytes = std::int64_t(1) << 28;

struct Watched {
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
  bool is_left = false;  // nobody waits any more
  std::exception_ptr thrown;
};

void release(Owners owners) { owners.in.dec_ref(), owners.out.dec_ref(); }

// Ends the wait of the caller. Where nobody waits, the thread gives back what it kept alive, unless Python is ending.
void finish(Watched& watched, Owners owners) {
  std::unique_lock lock(watched.mutex);
  watched.is_done = true;
  watched.done.notify_one();
  if (!watched.is_left || !Py_IsInitialized()) return;
  lock.unlock();
  HeldGil const acquired;
  release(owners);
}

void run_watched(std::function<void()> const& execute, Owners owners) {
  auto const watched = std::make_shared<Watched>();
  owners.in.inc_ref(), owners.out.inc_ref();
  auto const work = [=] {
    try {
      execute();
    } catch (...) {
      watched->thrown = std::current_exception();
    }
    finish(*watched, owners);
  };
  try {
    std::thread(work).detach();
  } catch (std::system_error const&) {  // the system gives no thread: without one, and without Ctrl-C
    ReleasedGil const released;
    work();
  }
  for (;;) {
    bool done = false;
    {
      ReleasedGil const released;
      std::unique_lock lock(watched->mutex);
      done = watched->done.wait_for(lock, std::chrono::milliseconds(50), [&] { return watched->is_done; });
    }
    if (!done && PyErr_CheckSignals() != 0) {
      std::scoped_lock const lock(watched->mutex);
      watched->is_left = !watched->is_done;
      done = watched->is_done;
      if (done) release(owners);
      throw nb::python_error();
    }
    if (done) break;
  }
  release(owners);
  if (watched->thrown) std::rethrow_exception(watched->thrown);
}

}  // namespace

void run(std::shared_ptr<Planned const> const& planned, void const* in, void* out, Owners owners,
         ExecuteSettings const& settings) {
  if (planned->bytes <= short_bytes && planned->device < 0) {
    planned->plan.execute(in, out, settings);
  } else if (planned->bytes < long_bytes || planned->device >= 0) {
    ReleasedGil const released;
    planned->plan.execute(in, out, settings);
  } else {
    run_watched([=] { planned->plan.execute(in, out, settings); }, owners);
  }
}

void run_work(std::function<void()> const& work, std::int64_t bytes, Owners owners) {
  if (bytes >= long_bytes) return run_watched(work, owners);
  ReleasedGil const released;
  work();
}

}  // namespace skipper::python
