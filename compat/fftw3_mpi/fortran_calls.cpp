// The calls of fftw3-mpi.f03: those of fftw3-mpi.h that take a communicator, with one of Fortran in its place.
#include "include/fftw3-mpi.h"
#include "names.h"

using namespace skipper::fftw3;

#define F03(name) MPI_NAME(name##_f03)

extern "C" {

ptrdiff_t F03(local_size)(int rank, ptrdiff_t const* n, MPI_Fint comm, ptrdiff_t* local_n0,
                          ptrdiff_t* local_0_start) {
  return MPI_NAME(local_size)(rank, n, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
ptrdiff_t F03(local_size_1d)(ptrdiff_t n0, MPI_Fint comm, int sign, unsigned flags, ptrdiff_t* local_ni,
                             ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start) {
  return MPI_NAME(local_size_1d)(n0, MPI_Comm_f2c(comm), sign, flags, local_ni, local_i_start, local_no,
                                 local_o_start);
}
ptrdiff_t F03(local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Fint comm, ptrdiff_t* local_n0,
                             ptrdiff_t* local_0_start) {
  return MPI_NAME(local_size_2d)(n0, n1, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
ptrdiff_t F03(local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Fint comm, ptrdiff_t* local_n0,
                             ptrdiff_t* local_0_start) {
  return MPI_NAME(local_size_3d)(n0, n1, n2, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
ptrdiff_t F03(local_size_many)(int rank, ptrdiff_t const* n, ptrdiff_t howmany, ptrdiff_t block0,
                               MPI_Fint comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start) {
  return MPI_NAME(local_size_many)(rank, n, howmany, block0, MPI_Comm_f2c(comm), local_n0, local_0_start);
}
ptrdiff_t F03(local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Fint comm, int sign, unsigned flags,
                                  ptrdiff_t* local_ni, ptrdiff_t* local_i_start, ptrdiff_t* local_no,
                                  ptrdiff_t* local_o_start) {
  return MPI_NAME(local_size_many_1d)(n0, howmany, MPI_Comm_f2c(comm), sign, flags, local_ni, local_i_start,
                                      local_no, local_o_start);
}
ptrdiff_t F03(local_size_transposed)(int rank, ptrdiff_t const* n, MPI_Fint comm, ptrdiff_t* local_n0,
                                     ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                     ptrdiff_t* local_1_start) {
  return MPI_NAME(local_size_transposed)(rank, n, MPI_Comm_f2c(comm), local_n0, local_0_start, local_n1,
                                         local_1_start);
}
ptrdiff_t F03(local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Fint comm, ptrdiff_t* local_n0,
                                        ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                        ptrdiff_t* local_1_start) {
  return MPI_NAME(local_size_2d_transposed)(n0, n1, MPI_Comm_f2c(comm), local_n0, local_0_start, local_n1,
                                            local_1_start);
}
ptrdiff_t F03(local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Fint comm,
                                        ptrdiff_t* local_n0, ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                        ptrdiff_t* local_1_start) {
  return MPI_NAME(local_size_3d_transposed)(n0, n1, n2, MPI_Comm_f2c(comm), local_n0, local_0_start, local_n1,
                                            local_1_start);
}
ptrdiff_t F03(local_size_many_transposed)(int rank, ptrdiff_t const* n, ptrdiff_t howmany, ptrdiff_t block0,
                                          ptrdiff_t block1, MPI_Fint comm, ptrdiff_t* local_n0,
                                          ptrdiff_t* local_0_start, ptrdiff_t* local_n1,
                                          ptrdiff_t* local_1_start) {
  return MPI_NAME(local_size_many_transposed)(rank, n, howmany, block0, block1, MPI_Comm_f2c(comm), local_n0,
                                              local_0_start, local_n1, local_1_start);
}
FftwPlan F03(plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Real* out, MPI_Fint comm, unsigned flags) {
  return MPI_NAME(plan_transpose)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0,
                                  ptrdiff_t block1, Real* in, Real* out, MPI_Fint comm, unsigned flags) {
  return MPI_NAME(plan_many_transpose)(n0, n1, howmany, block0, block1, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_dft)(int rank, ptrdiff_t const* n, FftwComplex* in, FftwComplex* out, MPI_Fint comm,
                       int sign, unsigned flags) {
  return MPI_NAME(plan_dft)(rank, n, in, out, MPI_Comm_f2c(comm), sign, flags);
}
FftwPlan F03(plan_dft_1d)(ptrdiff_t n0, FftwComplex* in, FftwComplex* out, MPI_Fint comm, int sign,
                          unsigned flags) {
  return MPI_NAME(plan_dft_1d)(n0, in, out, MPI_Comm_f2c(comm), sign, flags);
}
FftwPlan F03(plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, FftwComplex* in, FftwComplex* out, MPI_Fint comm,
                          int sign, unsigned flags) {
  return MPI_NAME(plan_dft_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), sign, flags);
}
FftwPlan F03(plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FftwComplex* in, FftwComplex* out,
                          MPI_Fint comm, int sign, unsigned flags) {
  return MPI_NAME(plan_dft_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), sign, flags);
}
FftwPlan F03(plan_many_dft)(int rank, ptrdiff_t const* n, ptrdiff_t howmany, ptrdiff_t block,
                            ptrdiff_t tblock, FftwComplex* in, FftwComplex* out, MPI_Fint comm, int sign,
                            unsigned flags) {
  return MPI_NAME(plan_many_dft)(rank, n, howmany, block, tblock, in, out, MPI_Comm_f2c(comm), sign, flags);
}
FftwPlan F03(plan_dft_r2c)(int rank, ptrdiff_t const* n, Real* in, FftwComplex* out, MPI_Fint comm,
                           unsigned flags) {
  return MPI_NAME(plan_dft_r2c)(rank, n, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in, FftwComplex* out, MPI_Fint comm,
                              unsigned flags) {
  return MPI_NAME(plan_dft_r2c_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Real* in, FftwComplex* out,
                              MPI_Fint comm, unsigned flags) {
  return MPI_NAME(plan_dft_r2c_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_many_dft_r2c)(int rank, ptrdiff_t const* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                ptrdiff_t oblock, Real* in, FftwComplex* out, MPI_Fint comm, unsigned flags) {
  return MPI_NAME(plan_many_dft_r2c)(rank, n, howmany, iblock, oblock, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_dft_c2r)(int rank, ptrdiff_t const* n, FftwComplex* in, Real* out, MPI_Fint comm,
                           unsigned flags) {
  return MPI_NAME(plan_dft_c2r)(rank, n, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1, FftwComplex* in, Real* out, MPI_Fint comm,
                              unsigned flags) {
  return MPI_NAME(plan_dft_c2r_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FftwComplex* in, Real* out,
                              MPI_Fint comm, unsigned flags) {
  return MPI_NAME(plan_dft_c2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_many_dft_c2r)(int rank, ptrdiff_t const* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                ptrdiff_t oblock, FftwComplex* in, Real* out, MPI_Fint comm, unsigned flags) {
  return MPI_NAME(plan_many_dft_c2r)(rank, n, howmany, iblock, oblock, in, out, MPI_Comm_f2c(comm), flags);
}
FftwPlan F03(plan_r2r)(int rank, ptrdiff_t const* n, Real* in, Real* out, MPI_Fint comm, FftwKind const* kind,
                       unsigned flags) {
  return MPI_NAME(plan_r2r)(rank, n, in, out, MPI_Comm_f2c(comm), kind, flags);
}
FftwPlan F03(plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Real* out, MPI_Fint comm, FftwKind kind0,
                          FftwKind kind1, unsigned flags) {
  return MPI_NAME(plan_r2r_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), kind0, kind1, flags);
}
FftwPlan F03(plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Real* in, Real* out, MPI_Fint comm,
                          FftwKind kind0, FftwKind kind1, FftwKind kind2, unsigned flags) {
  return MPI_NAME(plan_r2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), kind0, kind1, kind2, flags);
}
FftwPlan F03(plan_many_r2r)(int rank, ptrdiff_t const* n, ptrdiff_t howmany, ptrdiff_t iblock,
                            ptrdiff_t oblock, Real* in, Real* out, MPI_Fint comm, FftwKind const* kind,
                            unsigned flags) {
  return MPI_NAME(plan_many_r2r)(rank, n, howmany, iblock, oblock, in, out, MPI_Comm_f2c(comm), kind, flags);
}
void F03(gather_wisdom)(MPI_Fint comm) { MPI_NAME(gather_wisdom)(MPI_Comm_f2c(comm)); }
void F03(broadcast_wisdom)(MPI_Fint comm) { MPI_NAME(broadcast_wisdom)(MPI_Comm_f2c(comm)); }

}  // extern "C"
