// See temporary.h. A signal handler may hardly do anything, but it may unlink(): the names lie where it finds them.
#include "temporary.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "npy.h"

namespace skipper::cli {
namespace {

std::array<std::atomic<char const*>, 8> names;
static_assert(std::atomic<char const*>::is_always_lock_free);

void clean_up(int signal) {
  for (auto& name : names)
    if (char const* const path = name.load()) ::unlink(path);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // the shell shall see what ended the program
}

// Where the caller of the program ignores a signal (nohup), so do we.
void handle_once() {
  static bool const handled = [] {
    for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction old {};
      if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) continue;
      struct sigaction ours {};
      ours.sa_handler = clean_up;
      ::sigaction(signal, &ours, nullptr);
    }
    return true;
  }();
  static_cast<void>(handled);
}

}  // namespace

Temporary::Temporary(std::string const& target) : target_(target) {
  static std::atomic<int> made = 0;
  path_ = target + ".part" + std::to_string(::getpid()) + (made++ ? "-" + std::to_string(made) : "");
  handle_once();
  for (std::size_t i = 0; i < names.size() && slot_ < 0; ++i) {
    char const* none = nullptr;
    if (names[i].compare_exchange_strong(none, path_.c_str())) slot_ = int(i);
  }
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (slot_ >= 0) names[std::size_t(slot_)] = nullptr;
}

void Temporary::put_in_place() {
  if (::rename(path_.c_str(), target_.c_str()) != 0)
    throw FileError(target_ + ": cannot be replaced: " + std::strerror(errno));
  if (slot_ >= 0) names[std::size_t(slot_)] = nullptr;
  slot_ = -1;
  path_.clear();
}

}  // namespace skipper::cli
