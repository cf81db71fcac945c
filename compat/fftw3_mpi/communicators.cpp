// See communicators.h. It hangs on MPI's communicator as an attribute, which goes when that is freed. FFTW waits for other
// processes as long as they take, so there is no limit that matters here; a process that has ended is noticed.
#include "communicators.h"

#include <skipper/mpi.h>

namespace skipper::fftw3 {
namespace {

using Held = std::shared_ptr<Communicator>;
constexpr std::chrono::hours patience(24 * 365);

int free_attribute(MPI_Comm comm, int, void* value, void*) {
  // That of all processes goes with MPI_Finalize(), where no communicator can be freed any more.
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) delete static_cast<Held*>(value);
  return MPI_SUCCESS;
}

int key() {
  static int const made = [] {
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_attribute, &key, nullptr);
    return key;
  }();
  return made;
}

}  // namespace

std::shared_ptr<Communicator> communicator_of(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, key(), &value, &found);
  if (found) return *static_cast<Held*>(value);
  auto held = std::make_unique<Held>(mpi_communicator(comm, patience));
  Held const result = *held;
  if (MPI_Comm_set_attr(comm, key(), held.get()) == MPI_SUCCESS) held.release();
  return result;
}

}  // namespace skipper::fftw3
