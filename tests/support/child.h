// Work in a child process, with a watchdog: a child that hangs is a failure of the test, not of the whole run. Sanitizers are
// told what they need to know of children.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#if defined(__SANITIZE_THREAD__)
// Children that end are welcome; those that start threads are not, see below.
extern "C" inline char const* __tsan_default_options() { return "die_after_fork=0"; }
#endif

#if defined(__SANITIZE_ADDRESS__)
// The search for leaks waits for threads that only the parent has: it is for the process that main() began in.
inline pid_t const first_process = ::getpid();
extern "C" [[gnu::used]] inline int __lsan_is_turned_off() { return ::getpid() != first_process; }
#endif

namespace skipper::testing {

/// ThreadSanitizer takes threads of a child for those of its parent ("dup thread with used id"). What a child does there is
/// to leave.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool children_may_start_threads = false;
#else
inline constexpr bool children_may_start_threads = true;
#endif

/// How a child leaves: by exit(), which destroys static objects; by _exit(), which does not.
enum class Leaves { by_exit, at_once };

inline constexpr int child_skips = 77;  // what a child returns where it cannot do its test here

/// Forks a child that returns work() as its status. It is killed after so many seconds.
template <class Work>
pid_t start_child(Work work, Leaves leaves = Leaves::at_once, unsigned seconds = 60) {
  std::fflush(nullptr);  // or the child prints it too
  pid_t const id = ::fork();
  if (id != 0) return id;
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(seconds);
  int status = 99;
  try {
    status = work();
  } catch (std::exception const& e) {
    std::fprintf(stderr, "a child threw: %s\n", e.what());
    status = 98;
  }
  if (leaves == Leaves::by_exit) std::exit(status);
  ::_exit(status);
}

/// "status 0", or how else it ended.
inline std::string end_of(pid_t child) {
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return "no child";
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "hung" : "signal " + std::to_string(WTERMSIG(status));
  return "status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace skipper::testing
