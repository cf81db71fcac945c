// The C interface to communicators on MPI. Handles and messages are Skipper's own, which this library does not link: programs that
// open it at run time need neither, so the one function it takes is a weak symbol.
#include <skipper/communicator_c.h>
#include <skipper/mpi.h>
#include <skipper/mpi_c.h>

#include <algorithm>
#include <string>

extern "C" [[gnu::weak]] int skipper_communicator_make(
    skipper_communicator** communicator,
    void (*make)(void const* data, std::shared_ptr<skipper::Communicator>& made), void const* data);

namespace {

struct Wanted {
  MPI_Comm comm;
  long long milliseconds;
};

void make(void const* data, std::shared_ptr<skipper::Communicator>& made) {
  auto const& wanted = *static_cast<Wanted const*>(data);
  if (wanted.milliseconds < 0)
    throw skipper::Error("milliseconds", "is " + std::to_string(wanted.milliseconds) +
                                             " but must be at least 0, which is five minutes");
  constexpr long long longest = 365ll * 24 * 3600 * 1000;
  made = wanted.milliseconds == 0
             ? skipper::mpi_communicator(wanted.comm)
             : skipper::mpi_communicator(wanted.comm,
                                         std::chrono::milliseconds(std::min(wanted.milliseconds, longest)));
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int skipper_mpi_communicator(skipper_communicator** communicator,
                                                                    MPI_Comm comm, long long milliseconds) {
  if (!skipper_communicator_make) return SKIPPER_INTERNAL;  // not linked with Skipper
  Wanted const wanted{comm, milliseconds};
  return skipper_communicator_make(communicator, make, &wanted);
}

__attribute__((visibility("default"))) int skipper_mpi_communicator_fortran(
    skipper_communicator** communicator, MPI_Fint comm, long long milliseconds) {
  return skipper_mpi_communicator(communicator, MPI_Comm_f2c(comm), milliseconds);
}

}  // extern "C"
