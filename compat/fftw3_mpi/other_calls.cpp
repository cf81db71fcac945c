// The rest of FFTW's MPI calls: execution on new arrays, which libskipper_fftw3 does for every plan, and wisdom, which is a text of
// that library's that processes send to each other.
#include <cstdlib>
#include <string>
#include <vector>

#include "include/fftw3-mpi.h"
#include "names.h"

using namespace skipper::fftw3;

namespace {

std::string own_wisdom() {
  char* const text = FFTW_NAME(export_wisdom_to_string)();
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

/// What the root has, on all.
std::string sent_to_all(std::string text, MPI_Comm comm) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
  return text;
}

}  // namespace

extern "C" {

void MPI_NAME(init)(void) {}
void MPI_NAME(cleanup)(void) { FFTW_NAME(cleanup)(); }

void MPI_NAME(execute_dft)(FftwPlan p, FftwComplex* in, FftwComplex* out) {
  FFTW_NAME(execute_dft)(p, in, out);
}
void MPI_NAME(execute_dft_r2c)(FftwPlan p, Real* in, FftwComplex* out) {
  FFTW_NAME(execute_dft_r2c)(p, in, out);
}
void MPI_NAME(execute_dft_c2r)(FftwPlan p, FftwComplex* in, Real* out) {
  FFTW_NAME(execute_dft_c2r)(p, in, out);
}
void MPI_NAME(execute_r2r)(FftwPlan p, Real* in, Real* out) { FFTW_NAME(execute_r2r)(p, in, out); }

void MPI_NAME(gather_wisdom)(MPI_Comm comm) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::string const mine = own_wisdom();
  int const length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(size)), places(lengths.size());
  MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
  int sum = 0;
  for (std::size_t i = 0; rank == 0 && i < lengths.size(); ++i) places[i] = sum, sum += lengths[i];
  std::string all(static_cast<std::size_t>(sum), ' ');
  MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0, comm);
  for (std::size_t i = 1; rank == 0 && i < lengths.size(); ++i) FFTW_NAME(import_wisdom_from_string)
  (all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])).c_str());
}

void MPI_NAME(broadcast_wisdom)(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::string const text = sent_to_all(rank == 0 ? own_wisdom() : "", comm);
  if (rank != 0) FFTW_NAME(import_wisdom_from_string)(text.c_str());
}

}  // extern "C"
