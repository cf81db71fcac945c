// Whether MPI sends from and receives into memory of a GPU.
#pragma once

namespace skipper::mpi {

/// As MPI says of itself when asked, never assumed; false where SKIPPER_MPI_CUDA is 0 in the environment. After MPI_Init().
bool takes_device_memory();

}  // namespace skipper::mpi
