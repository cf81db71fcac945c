// See processes.h.
#include "processes.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

}  // namespace skipper::mpi
