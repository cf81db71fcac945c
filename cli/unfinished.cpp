// A signal handler may do hardly anything, but it may unlink() and write(): names and text lie in static memory where it finds them.
#include "unfinished.h"

#include <limits.h>
#include <signal.h>
#include <time.h>
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

struct Ending {
  std::atomic<bool> busy = false;     // a part is being written
  std::atomic<bool> over = false;     // the end is being written: no part may follow
  std::atomic<bool> written = false;  // the text is there to be read
  int file = -1;
  std::size_t size = 0;
  char text[4096];
} text_end;

void wait_a_millisecond() {
  timespec const millisecond{0, 1000000};
  ::nanosleep(&millisecond, nullptr);
}

// On another thread than the one that writes it, where signals wait. Not forever: the reader may be stuck.
void wait_for_part() {
  text_end.over = true;
  for (int i = 0; i < 1000 && text_end.busy.load(); ++i) wait_a_millisecond();
}

void clean_up(int signal) {
  for (Slot& slot : slots)
    if (slot.written.load()) ::unlink(slot.path);
  wait_for_part();
  if (text_end.written.load()) static_cast<void>(!::write(text_end.file, text_end.text, text_end.size));
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

UnfinishedText::UnfinishedText() {
  ::sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  text_end.busy = true;
  while (text_end.over.load()) {  // the program ends now, by a signal on another thread
    text_end.busy = false;
    wait_a_millisecond();
  }
  text_end.written = false;
}

UnfinishedText::~UnfinishedText() {
  text_end.busy = false;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void UnfinishedText::ends_by(int file, std::string_view text) {
  if (text.size() > sizeof text_end.text) return;
  handle_once();
  text_end.file = file;
  text_end.size = text.size();
  std::memcpy(text_end.text, text.data(), text.size());
  text_end.written = true;
}

}  // namespace skipper::cli
