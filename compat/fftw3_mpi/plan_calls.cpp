// FFTW's MPI planner calls: each fills a request. Complex arrays are taken as their Reals.
#include "make_plan.h"
#include "include/fftw3-mpi.h"
#include "names.h"

using namespace skipper::fftw3;
using skipper::Kind;

namespace {

Real* reals(FftwComplex* array) { return reinterpret_cast<Real*>(array); }

/// A call without blocks or howmany.
Request simple(Kind kind, int rank, std::ptrdiff_t const* n, unsigned flags) {
  return {kind, rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, flags};
}

FftwPlan plan_complex(Request const& request, FftwComplex* in, FftwComplex* out, MPI_Comm comm, int sign) {
  return plan_transform(request, sign, nullptr, reals(in), reals(out), comm);
}
FftwPlan plan_to_complex(Request const& request, Real* in, FftwComplex* out, MPI_Comm comm) {
  return plan_transform(request, FFTW_FORWARD, nullptr, in, reals(out), comm);
}
FftwPlan plan_to_real(Request const& request, FftwComplex* in, Real* out, MPI_Comm comm) {
  return plan_transform(request, FFTW_BACKWARD, nullptr, reals(in), out, comm);
}

}  // namespace

extern "C" {

FftwPlan MPI_NAME(plan_many_transpose)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t howmany, ptrdiff_t block0,
                                       ptrdiff_t block1, Real* in, Real* out, MPI_Comm comm, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1};
  return plan_transposition({Kind::r2r, 2, n, howmany, block0, block1, flags}, in, out, comm);
}
FftwPlan MPI_NAME(plan_transpose)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Real* out, MPI_Comm comm,
                                  unsigned flags) {
  ptrdiff_t const n[] = {n0, n1};
  return plan_transposition(simple(Kind::r2r, 2, n, flags), in, out, comm);
}

FftwPlan MPI_NAME(plan_many_dft)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                 ptrdiff_t oblock, FftwComplex* in, FftwComplex* out, MPI_Comm comm, int sign,
                                 unsigned flags) {
  return plan_complex({Kind::c2c, rnk, n, howmany, iblock, oblock, flags}, in, out, comm, sign);
}
FftwPlan MPI_NAME(plan_dft)(int rnk, const ptrdiff_t* n, FftwComplex* in, FftwComplex* out, MPI_Comm comm,
                            int sign, unsigned flags) {
  return plan_complex(simple(Kind::c2c, rnk, n, flags), in, out, comm, sign);
}
FftwPlan MPI_NAME(plan_dft_1d)(ptrdiff_t n0, FftwComplex* in, FftwComplex* out, MPI_Comm comm, int sign,
                               unsigned flags) {
  return MPI_NAME(plan_dft)(1, &n0, in, out, comm, sign, flags);
}
FftwPlan MPI_NAME(plan_dft_2d)(ptrdiff_t n0, ptrdiff_t n1, FftwComplex* in, FftwComplex* out, MPI_Comm comm,
                               int sign, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1};
  return MPI_NAME(plan_dft)(2, n, in, out, comm, sign, flags);
}
FftwPlan MPI_NAME(plan_dft_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FftwComplex* in, FftwComplex* out,
                               MPI_Comm comm, int sign, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1, n2};
  return MPI_NAME(plan_dft)(3, n, in, out, comm, sign, flags);
}

FftwPlan MPI_NAME(plan_many_dft_r2c)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                     ptrdiff_t oblock, Real* in, FftwComplex* out, MPI_Comm comm,
                                     unsigned flags) {
  return plan_to_complex({Kind::r2c, rnk, n, howmany, iblock, oblock, flags}, in, out, comm);
}
FftwPlan MPI_NAME(plan_dft_r2c)(int rnk, const ptrdiff_t* n, Real* in, FftwComplex* out, MPI_Comm comm,
                                unsigned flags) {
  return plan_to_complex(simple(Kind::r2c, rnk, n, flags), in, out, comm);
}
FftwPlan MPI_NAME(plan_dft_r2c_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in, FftwComplex* out, MPI_Comm comm,
                                   unsigned flags) {
  ptrdiff_t const n[] = {n0, n1};
  return MPI_NAME(plan_dft_r2c)(2, n, in, out, comm, flags);
}
FftwPlan MPI_NAME(plan_dft_r2c_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Real* in, FftwComplex* out,
                                   MPI_Comm comm, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1, n2};
  return MPI_NAME(plan_dft_r2c)(3, n, in, out, comm, flags);
}

FftwPlan MPI_NAME(plan_many_dft_c2r)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                     ptrdiff_t oblock, FftwComplex* in, Real* out, MPI_Comm comm,
                                     unsigned flags) {
  return plan_to_real({Kind::c2r, rnk, n, howmany, iblock, oblock, flags}, in, out, comm);
}
FftwPlan MPI_NAME(plan_dft_c2r)(int rnk, const ptrdiff_t* n, FftwComplex* in, Real* out, MPI_Comm comm,
                                unsigned flags) {
  return plan_to_real(simple(Kind::c2r, rnk, n, flags), in, out, comm);
}
FftwPlan MPI_NAME(plan_dft_c2r_2d)(ptrdiff_t n0, ptrdiff_t n1, FftwComplex* in, Real* out, MPI_Comm comm,
                                   unsigned flags) {
  ptrdiff_t const n[] = {n0, n1};
  return MPI_NAME(plan_dft_c2r)(2, n, in, out, comm, flags);
}
FftwPlan MPI_NAME(plan_dft_c2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, FftwComplex* in, Real* out,
                                   MPI_Comm comm, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1, n2};
  return MPI_NAME(plan_dft_c2r)(3, n, in, out, comm, flags);
}

FftwPlan MPI_NAME(plan_many_r2r)(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t iblock,
                                 ptrdiff_t oblock, Real* in, Real* out, MPI_Comm comm, const FftwKind* kind,
                                 unsigned flags) {
  return plan_transform({Kind::r2r, rnk, n, howmany, iblock, oblock, flags}, FFTW_FORWARD, kind, in, out,
                        comm);
}
FftwPlan MPI_NAME(plan_r2r)(int rnk, const ptrdiff_t* n, Real* in, Real* out, MPI_Comm comm,
                            const FftwKind* kind, unsigned flags) {
  return plan_transform(simple(Kind::r2r, rnk, n, flags), FFTW_FORWARD, kind, in, out, comm);
}
FftwPlan MPI_NAME(plan_r2r_2d)(ptrdiff_t n0, ptrdiff_t n1, Real* in, Real* out, MPI_Comm comm, FftwKind kind0,
                               FftwKind kind1, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1};
  FftwKind const kinds[] = {kind0, kind1};
  return MPI_NAME(plan_r2r)(2, n, in, out, comm, kinds, flags);
}
FftwPlan MPI_NAME(plan_r2r_3d)(ptrdiff_t n0, ptrdiff_t n1, ptrdiff_t n2, Real* in, Real* out, MPI_Comm comm,
                               FftwKind kind0, FftwKind kind1, FftwKind kind2, unsigned flags) {
  ptrdiff_t const n[] = {n0, n1, n2};
  FftwKind const kinds[] = {kind0, kind1, kind2};
  return MPI_NAME(plan_r2r)(3, n, in, out, comm, kinds, flags);
}

}  // extern "C"
