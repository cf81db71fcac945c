// How a program that does not link MPI uses libskipper_mpi: it opens the library when it runs and takes this table from its one
// entry point. The program `skipper` does so under mpirun.
#pragma once

#include <skipper/communicator.h>

#include <chrono>
#include <memory>
#include <string>

namespace skipper {

struct MpiEntry {
  // Of the headers that the library was built with, "0.1.0". The rest of the table means something only to a program of the
  // same version.
  char const* version;
  // "Open MPI v4.1.4": which MPI it was built against. May be called before start().
  std::string (*library)();
  // MPI_Init_thread and MPI_Finalize; the communicators of this process are gone before finish().
  void (*start)();
  void (*finish)();
  // MPI_COMM_WORLD; collective.
  std::shared_ptr<Communicator> (*world)(std::chrono::milliseconds timeout);
};

// The name of the entry point, `extern "C"`, and its type.
inline constexpr char const* mpi_entry_name = "skipper_mpi_entry";
using MpiEntryPoint = MpiEntry const* (*)();

}  // namespace skipper
