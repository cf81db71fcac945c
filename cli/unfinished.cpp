// A signal handler may do hardly anything, but it may unlink(): the names lie in static memory where it finds them.
#include "unfinished.h"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "file_error.h"

namespace skipper::cli {
namespace {

struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> written = false;  // the name is there to be read
  char path[PATH_MAX];
};
std::array<Slot, 8> slots;
static_assert(std::atomic<bool>::is_always_lock_free);

void clean_up(int signal) {
  for (Slot& slot : slots)
    if (slot.written.load()) ::unlink(slot.path);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // comes when the handler returns, and ends the program
}

// Those whose default is to end the program. KILL and STOP cannot be caught.
std::vector<int> ending_signals() {
  std::vector<int> all{SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT,  SIGBUS,  SIGFPE,
                       SIGUSR1, SIGSEGV, SIGUSR2,   SIGPIPE, SIGALRM, SIGTERM,  SIGXCPU, SIGXFSZ,
                       SIGPROF, SIGIO,   SIGVTALRM, SIGSYS,  SIGPWR,  SIGSTKFLT};
  for (int real_time = SIGRTMIN; real_time <= SIGRTMAX; ++real_time) all.push_back(real_time);
  return all;
}

// A signal that is ignored, or that someone else handles (a sanitizer), is left alone.
void handle_once() {
  static bool const handled = [] {
    for (int const signal : ending_signals()) {
      struct sigaction old {};
      if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
      struct sigaction ours {};
      ours.sa_handler = clean_up;
      ::sigfillset(&ours.sa_mask);
      ::sigaction(signal, &ours, nullptr);
    }
    return true;
  }();
  static_cast<void>(handled);
}

}  // namespace

Unfinished::Unfinished(std::string const& path) {
  handle_once();
  if (path.size() >= PATH_MAX) throw FileError(path + ": the name is too long");
  for (std::size_t i = 0; i < slots.size() && slot_ < 0; ++i)
    if (!slots[i].taken.exchange(true)) slot_ = int(i);
  if (slot_ < 0) throw FileError(path + ": too many files are being written at once");
  Slot& slot = slots[std::size_t(slot_)];
  std::memcpy(slot.path, path.c_str(), path.size() + 1);
  slot.written = true;
}

Unfinished::~Unfinished() {
  slots[std::size_t(slot_)].written = false;
  slots[std::size_t(slot_)].taken = false;
}

}  // namespace skipper::cli
