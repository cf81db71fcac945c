// FFTW's basic and advanced interfaces.
#include "planner.h"

using namespace skipper::fftw3;
using skipper::Kind;

namespace {

/// What the basic interface means by its arrays.
constexpr Embedding dense{nullptr, 1, 1};

bool same(void const* in, void const* out) { return in == out; }

}  // namespace

extern "C" {

FftwPlan FFTW_NAME(plan_many_dft)(int rank, const int* n, int howmany, FftwComplex* in, const int* inembed,
                                  int istride, int idist, FftwComplex* out, const int* onembed, int ostride,
                                  int odist, int sign, unsigned flags) {
  return plan_c2c(many_call(Kind::c2c, same(in, out), rank, n, howmany, {inembed, istride, idist},
                            {onembed, ostride, odist}),
                  in, out, sign, flags);
}
FftwPlan FFTW_NAME(plan_many_dft_r2c)(int rank, const int* n, int howmany, Real* in, const int* inembed,
                                      int istride, int idist, FftwComplex* out, const int* onembed,
                                      int ostride, int odist, unsigned flags) {
  return plan_r2c(many_call(Kind::r2c, same(in, out), rank, n, howmany, {inembed, istride, idist},
                            {onembed, ostride, odist}),
                  in, out, flags);
}
FftwPlan FFTW_NAME(plan_many_dft_c2r)(int rank, const int* n, int howmany, FftwComplex* in,
                                      const int* inembed, int istride, int idist, Real* out,
                                      const int* onembed, int ostride, int odist, unsigned flags) {
  return plan_c2r(many_call(Kind::c2r, same(in, out), rank, n, howmany, {inembed, istride, idist},
                            {onembed, ostride, odist}),
                  in, out, flags);
}
FftwPlan FFTW_NAME(plan_many_r2r)(int rank, const int* n, int howmany, Real* in, const int* inembed,
                                  int istride, int idist, Real* out, const int* onembed, int ostride,
                                  int odist, const FftwKind* kind, unsigned flags) {
  return plan_r2r(many_call(Kind::r2r, same(in, out), rank, n, howmany, {inembed, istride, idist},
                            {onembed, ostride, odist}),
                  in, out, kind, flags);
}

FftwPlan FFTW_NAME(plan_dft)(int rank, const int* n, FftwComplex* in, FftwComplex* out, int sign,
                             unsigned flags) {
  return plan_c2c(many_call(Kind::c2c, same(in, out), rank, n, 1, dense, dense), in, out, sign, flags);
}
FftwPlan FFTW_NAME(plan_dft_1d)(int n, FftwComplex* in, FftwComplex* out, int sign, unsigned flags) {
  return FFTW_NAME(plan_dft)(1, &n, in, out, sign, flags);
}
FftwPlan FFTW_NAME(plan_dft_2d)(int n0, int n1, FftwComplex* in, FftwComplex* out, int sign, unsigned flags) {
  int const n[] = {n0, n1};
  return FFTW_NAME(plan_dft)(2, n, in, out, sign, flags);
}
FftwPlan FFTW_NAME(plan_dft_3d)(int n0, int n1, int n2, FftwComplex* in, FftwComplex* out, int sign,
                                unsigned flags) {
  int const n[] = {n0, n1, n2};
  return FFTW_NAME(plan_dft)(3, n, in, out, sign, flags);
}

FftwPlan FFTW_NAME(plan_dft_r2c)(int rank, const int* n, Real* in, FftwComplex* out, unsigned flags) {
  return plan_r2c(many_call(Kind::r2c, same(in, out), rank, n, 1, dense, dense), in, out, flags);
}
FftwPlan FFTW_NAME(plan_dft_r2c_1d)(int n, Real* in, FftwComplex* out, unsigned flags) {
  return FFTW_NAME(plan_dft_r2c)(1, &n, in, out, flags);
}
FftwPlan FFTW_NAME(plan_dft_r2c_2d)(int n0, int n1, Real* in, FftwComplex* out, unsigned flags) {
  int const n[] = {n0, n1};
  return FFTW_NAME(plan_dft_r2c)(2, n, in, out, flags);
}
FftwPlan FFTW_NAME(plan_dft_r2c_3d)(int n0, int n1, int n2, Real* in, FftwComplex* out, unsigned flags) {
  int const n[] = {n0, n1, n2};
  return FFTW_NAME(plan_dft_r2c)(3, n, in, out, flags);
}

FftwPlan FFTW_NAME(plan_dft_c2r)(int rank, const int* n, FftwComplex* in, Real* out, unsigned flags) {
  return plan_c2r(many_call(Kind::c2r, same(in, out), rank, n, 1, dense, dense), in, out, flags);
}
FftwPlan FFTW_NAME(plan_dft_c2r_1d)(int n, FftwComplex* in, Real* out, unsigned flags) {
  return FFTW_NAME(plan_dft_c2r)(1, &n, in, out, flags);
}
FftwPlan FFTW_NAME(plan_dft_c2r_2d)(int n0, int n1, FftwComplex* in, Real* out, unsigned flags) {
  int const n[] = {n0, n1};
  return FFTW_NAME(plan_dft_c2r)(2, n, in, out, flags);
}
FftwPlan FFTW_NAME(plan_dft_c2r_3d)(int n0, int n1, int n2, FftwComplex* in, Real* out, unsigned flags) {
  int const n[] = {n0, n1, n2};
  return FFTW_NAME(plan_dft_c2r)(3, n, in, out, flags);
}

FftwPlan FFTW_NAME(plan_r2r)(int rank, const int* n, Real* in, Real* out, const FftwKind* kind,
                             unsigned flags) {
  return plan_r2r(many_call(Kind::r2r, same(in, out), rank, n, 1, dense, dense), in, out, kind, flags);
}
FftwPlan FFTW_NAME(plan_r2r_1d)(int n, Real* in, Real* out, FftwKind kind, unsigned flags) {
  return FFTW_NAME(plan_r2r)(1, &n, in, out, &kind, flags);
}
FftwPlan FFTW_NAME(plan_r2r_2d)(int n0, int n1, Real* in, Real* out, FftwKind kind0, FftwKind kind1,
                                unsigned flags) {
  int const n[] = {n0, n1};
  FftwKind const kinds[] = {kind0, kind1};
  return FFTW_NAME(plan_r2r)(2, n, in, out, kinds, flags);
}
FftwPlan FFTW_NAME(plan_r2r_3d)(int n0, int n1, int n2, Real* in, Real* out, FftwKind kind0, FftwKind kind1,
                                FftwKind kind2, unsigned flags) {
  int const n[] = {n0, n1, n2};
  FftwKind const kinds[] = {kind0, kind1, kind2};
  return FFTW_NAME(plan_r2r)(3, n, in, out, kinds, flags);
}

}  // extern "C"
