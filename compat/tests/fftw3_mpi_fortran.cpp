// Starts MPI for fftw3_mpi_fortran.f90, so that it is tested without MPI's own modules of Fortran.
#include "include/fftw3-mpi.h"

#include <cstdio>

extern "C" int fftw3_mpi_fortran(MPI_Fint comm);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int const wrong = fftw3_mpi_fortran(MPI_Comm_c2f(MPI_COMM_WORLD));
  if (wrong != 0) std::fprintf(stderr, "%d wrong answers\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
