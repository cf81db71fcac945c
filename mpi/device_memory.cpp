// See device_memory.h. Open MPI and MPICH have a question of their own each; of others nothing is known.
#include "device_memory.h"

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include "base/environment.h"

namespace skipper::mpi {

bool takes_device_memory() {
  if (environment("SKIPPER_MPI_CUDA") == "0") return false;
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  int is_supported = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &is_supported) == MPI_SUCCESS && is_supported != 0;
#else
  return false;
#endif
}

}  // namespace skipper::mpi
