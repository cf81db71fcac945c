/* The interface of FFTW 3.3's MPI part, as its manual documents it, for programs that are compiled against libskipper_fftw3_mpi
 * and libskipper_fftw3f_mpi. Written anew from the manual; names and values are those that compiled programs rely on.
 * MIT licence, as Skipper itself. */
#ifndef FFTW3_MPI_H
#define FFTW3_MPI_H

#include <fftw3.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of this size is the default one: the dimension divided by the processes, rounded up. */
#define FFTW_MPI_DEFAULT_BLOCK (0)

/* Flags of the planner beside those of fftw3.h. */
#define FFTW_MPI_SCRAMBLED_IN (1U << 27)
#define FFTW_MPI_SCRAMBLED_OUT (1U << 28)
#define FFTW_MPI_TRANSPOSED_IN (1U << 29)
#define FFTW_MPI_TRANSPOSED_OUT (1U << 30)

#define FFTW_MPI_MANGLE_DOUBLE(name) fftw_mpi_##name
#define FFTW_MPI_MANGLE_FLOAT(name) fftwf_mpi_##name

/* All of it in one precision. M mangles a name of this header and X one of fftw3.h, R is the type of reals and C that of
 * complex numbers. */
/* clang-format off */
#define SKIPPER_FFTW_MPI_DECLARE(M, X, R, C)                                                                 \
  void M(init)(void);                                                                                        \
  void M(cleanup)(void);                                                                                     \
                                                                                                             \
  ptrdiff_t M(local_size)(int rnk, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,                   \
                          ptrdiff_t* local_0_start);                                                         \
  ptrdiff_t M(local_size_1d)(ptrdiff_t n0, MPI_Comm comm, int sign, unsigned flags, ptrdiff_t* local_ni,     \
                             ptrdiff_t* local_i_start, ptrdiff_t* local_no, ptrdiff_t* local_o_start);       \
  ptrdiff_t M(local_size_2d)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,                 \
                             ptrdiff_t* local_0_start);                                                      \
  ptrdiff_t M(local_size_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm, ptrdiff_t* local_n0,   \
                             ptrdiff_t* local_0_start);                                                      \
  ptrdiff_t M(local_size_many)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,             \
                               MPI_Comm comm, ptrdiff_t* local_n0, ptrdiff_t* local_0_start);                \
  ptrdiff_t M(local_size_many_1d)(ptrdiff_t n0, ptrdiff_t howmany, MPI_Comm comm, int sign, unsigned flags,  \
                                  ptrdiff_t* local_ni, ptrdiff_t* local_i_start, ptrdiff_t* local_no,        \
                                  ptrdiff_t* local_o_start);                                                 \
  ptrdiff_t M(local_size_transposed)(int rnk, const ptrdiff_t* n, MPI_Comm comm, ptrdiff_t* local_n0,        \
                                     ptrdiff_t* local_0_start, ptrdiff_t* local_n1,                          \
                                     ptrdiff_t* local_1_start);                                              \
  ptrdiff_t M(local_size_2d_transposed)(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t* local_n0,      \
                                        ptrdiff_t* local_0_start, ptrdiff_t* local_n1,                       \
                                        ptrdiff_t* local_1_start);                                           \
  ptrdiff_t M(local_size_3d_transposed)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, MPI_Comm comm,             \
                                        ptrdiff_t* local_n0, ptrdiff_t* local_0_start,                       \
                                        ptrdiff_t* local_n1, ptrdiff_t* local_1_start);                      \
  ptrdiff_t M(local_size_many_transposed)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,  \
                                          ptrdiff_t block1, MPI_Comm comm, ptrdiff_t* local_n0,              \
                                          ptrdiff_t* local_0_start, ptrdiff_t* local_n1,                     \
                                          ptrdiff_t* local_1_start);                                         \
                                                                                                             \
  X(plan) M(plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, R* in, R* out, MPI_Comm comm, unsigned flags);       \
  X(plan) M(plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0,            \
                                 ptrdiff_t block1, R* in, R* out, MPI_Comm comm, unsigned flags);            \
                                                                                                             \
  X(plan) M(plan_dft)(int rnk, const ptrdiff_t* n, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);  \
  X(plan) M(plan_dft_1d)(ptrdiff_t n0, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);              \
  X(plan) M(plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, C* in, C* out, MPI_Comm comm, int sign,                 \
                         unsigned flags);                                                                    \
  X(plan) M(plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, C* in, C* out, MPI_Comm comm, int sign,   \
                         unsigned flags);                                                                    \
  X(plan) M(plan_many_dft)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block,                  \
                           ptrdiff_t tblock, C* in, C* out, MPI_Comm comm, int sign, unsigned flags);        \
                                                                                                             \
  X(plan) M(plan_dft_r2c)(int rnk, const ptrdiff_t* n, R* in, C* out, MPI_Comm comm, unsigned flags);        \
  X(plan) M(plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, R* in, C* out, MPI_Comm comm, unsigned flags);      \
  X(plan) M(plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, R* in, C* out, MPI_Comm comm,         \
                             unsigned flags);                                                                \
  X(plan) M(plan_many_dft_r2c)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,             \
                               ptrdiff_t oblock, R* in, C* out, MPI_Comm comm, unsigned flags);              \
                                                                                                             \
  X(plan) M(plan_dft_c2r)(int rnk, const ptrdiff_t* n, C* in, R* out, MPI_Comm comm, unsigned flags);        \
  X(plan) M(plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1, C* in, R* out, MPI_Comm comm, unsigned flags);      \
  X(plan) M(plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, C* in, R* out, MPI_Comm comm,         \
                             unsigned flags);                                                                \
  X(plan) M(plan_many_dft_c2r)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,             \
                               ptrdiff_t oblock, C* in, R* out, MPI_Comm comm, unsigned flags);              \
                                                                                                             \
  X(plan) M(plan_r2r)(int rnk, const ptrdiff_t* n, R* in, R* out, MPI_Comm comm, const X(r2r_kind)* kind,    \
                      unsigned flags);                                                                       \
  X(plan) M(plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, R* in, R* out, MPI_Comm comm, X(r2r_kind) kind0,        \
                         X(r2r_kind) kind1, unsigned flags);                                                 \
  X(plan) M(plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, R* in, R* out, MPI_Comm comm,             \
                         X(r2r_kind) kind0, X(r2r_kind) kind1, X(r2r_kind) kind2, unsigned flags);           \
  X(plan) M(plan_many_r2r)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,                 \
                           ptrdiff_t oblock, R* in, R* out, MPI_Comm comm, const X(r2r_kind)* kind,          \
                           unsigned flags);                                                                  \
                                                                                                             \
  void M(execute_dft)(X(plan) p, C* in, C* out);                                                             \
  void M(execute_dft_r2c)(X(plan) p, R* in, C* out);                                                         \
  void M(execute_dft_c2r)(X(plan) p, C* in, R* out);                                                         \
  void M(execute_r2r)(X(plan) p, R* in, R* out);                                                             \
                                                                                                             \
  void M(gather_wisdom)(MPI_Comm comm);                                                                      \
  void M(broadcast_wisdom)(MPI_Comm comm);
/* clang-format on */

SKIPPER_FFTW_MPI_DECLARE(FFTW_MPI_MANGLE_DOUBLE, FFTW_MANGLE_DOUBLE, double, fftw_complex)
SKIPPER_FFTW_MPI_DECLARE(FFTW_MPI_MANGLE_FLOAT, FFTW_MANGLE_FLOAT, float, fftwf_complex)

#ifdef __cplusplus
}
#endif

#endif
