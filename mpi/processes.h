// Notices that another process of this machine has ended, by a descriptor of it (pidfd_open) that becomes readable then. Where the
// system has none, or processes do not see each other's numbers, nothing is noticed.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace skipper::mpi {

/// How often one looks. A wait for a rank that has ended ends after the second look.
constexpr std::chrono::milliseconds ended_after{500};

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

 private:
  struct Watched {
    int rank, descriptor;
  };
  std::vector<Watched> watched_;
};

}  // namespace skipper::mpi
