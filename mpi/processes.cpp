// See processes.h.
#include "processes.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

namespace skipper::mpi {

ProcessName ProcessName::own() {
  struct stat found = {};
  bool const known = ::stat("/proc/self/ns/pid", &found) == 0;
  return {::getpid(), known ? std::uint64_t(found.st_ino) : 0};
}

Processes::~Processes() {
  for (Watched const& w : watched_) ::close(w.descriptor);
}

void Processes::watch(int rank, ProcessName const& process) {
  if (process.name_space == 0 || process.name_space != ProcessName::own().name_space) return;
#ifdef SYS_pidfd_open
  long const descriptor = ::syscall(SYS_pidfd_open, pid_t(process.number), 0);
  if (descriptor >= 0) watched_.push_back({rank, int(descriptor)});
#else
  static_cast<void>(rank);
#endif
}

int Processes::ended() const {
  for (Watched const& w : watched_) {
    pollfd one{w.descriptor, POLLIN, 0};
    if (::poll(&one, 1, 0) > 0) return w.rank;
  }
  return -1;
}

std::string Processes::wait(std::function<bool()> const& done, std::function<void()> const& look_for_failure,
                            std::chrono::milliseconds timeout, std::string const& what) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between_looks{500};  // at processes that may have ended
  constexpr unsigned spins = 200;
  auto const begin = Clock::now();
  auto look_again = begin + between_looks;
  int ended_rank = -1;  // as it was when one looked last
  for (unsigned tries = 0; !done(); ++tries) {
    if (tries % 64 == 63) look_for_failure();
    if (tries < spins) continue;
    std::this_thread::yield();  // where there are more ranks than cores, another one has work to do
    auto const now = Clock::now();
    if (now - begin > timeout)
      return "waited longer than " + std::to_string(timeout.count()) + " ms for other ranks to " + what;
    if (now < look_again) continue;
    // What a rank sent before it ended had the time between two looks to arrive.
    if (ended_rank >= 0)
      return "waited for other ranks to " + what + ", but the process of rank " + std::to_string(ended_rank) +
             " has ended";
    ended_rank = ended();
    look_again = now + between_looks;
  }
  return {};
}

}  // namespace skipper::mpi
