// Distributed transforms over MPI: a communicator for DistributedPlan. It lives in a library of its own, libskipper_mpi,
// built against the MPI that the program uses; Skipper itself knows none.
//
//   MPI_Init(&argc, &argv);
//   skipper::DistributedPlan plan(skipper::c2c({512, 512, 512}), skipper::mpi_communicator(MPI_COMM_WORLD));
#pragma once

#include <mpi.h>
#include <skipper/communicator.h>

#include <chrono>
#include <memory>

namespace skipper {

// Collective. MPI is initialised before, and finalised after the last plan that uses this is gone. The communicator is
// duplicated, so that no message meets the caller's. Ranks of a node write into each other's memory; others exchange
// messages. Only one thread of a rank calls MPI, the one that executes, so MPI_THREAD_FUNNELED suffices. A rank that waits for
// another longer than `timeout` throws Error; this must be the longest that ranks may be apart. It throws within about a second where
// the process of a rank of the same node has ended. Messages may be in memory of a GPU where MPI says so.
std::shared_ptr<Communicator> mpi_communicator(MPI_Comm communicator,
                                               std::chrono::milliseconds timeout = std::chrono::minutes(5));

}  // namespace skipper
