// libskipper_mpi, opened when it is needed: the program links no MPI.
#pragma once

#include <skipper/mpi_entry.h>

#include <optional>
#include <string>

namespace skipper::cli {

// What the launcher (mpirun, mpiexec, srun) told this process by its environment.
struct Launch {
  std::string variable;  // by which it was known
  int rank = 0;
  int size = 0;        // 0: it did not say
  int local_rank = 0;  // among the ranks of this node
};

// Nothing where the process was started by no launcher of MPI.
std::optional<Launch> mpi_launch();

// The library that $SKIPPER_MPI_LIBRARY names; else the one beside the program, in the folders of libraries that belong to
// it, or where the loader looks. It stays open. Throws Error with what was tried.
MpiEntry const& mpi_library();

}  // namespace skipper::cli
