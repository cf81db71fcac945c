// Notices that another process of this machine has ended, by a descriptor of it (pidfd_open) that becomes readable then. Where the
// system has none, or processes do not see each other's numbers, nothing is noticed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace skipper::mpi {

/// A process as others of its machine know it.
struct ProcessName {
  std::int64_t number = 0;
  std::uint64_t name_space = 0;  // in which the number holds; 0: not known

  static ProcessName own();
};

class Processes {
 public:
  Processes() = default;
  ~Processes();
  Processes(Processes const&) = delete;
  Processes& operator=(Processes const&) = delete;

  void watch(int rank, ProcessName const& process);
  /// The rank of one that has ended, or -1.
  int ended() const;

  /// Asks until other ranks are done with `what`, as "gather", and between whether one has failed, which throws. Returns why to give
  /// up, empty once they are: the time is over, or the process of a rank has ended.
  std::string wait(std::function<bool()> const& done, std::function<void()> const& look_for_failure,
                   std::chrono::milliseconds timeout, std::string const& what) const;

 private:
  struct Watched {
    int rank, descriptor;
  };
  std::vector<Watched> watched_;
};

}  // namespace skipper::mpi
