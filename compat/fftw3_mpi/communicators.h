// One communicator of Skipper's for each of MPI's that plans are made on, as long as that lives.
#pragma once

#include <mpi.h>
#include <skipper/communicator.h>

#include <memory>

namespace skipper::fftw3 {

/// Collective the first time.
std::shared_ptr<Communicator> communicator_of(MPI_Comm comm);

}  // namespace skipper::fftw3
