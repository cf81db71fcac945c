// FFTW's guru interfaces, with dimensions of 32 and of 64 bits, of interleaved and of split complex numbers.
#include "planner.h"

using namespace skipper::fftw3;
using skipper::Kind;

namespace {

template <class IoDim>
struct Guru {
  int rank;
  IoDim const* dims;
  int howmany_rank;
  IoDim const* howmany_dims;

  std::optional<Call> call(Kind kind, bool split) const {
    return guru_call(kind, split, rank, dims, howmany_rank, howmany_dims);
  }
};

using Dims = Guru<FFTW_NAME(iodim)>;
using Dims64 = Guru<FFTW_NAME(iodim64)>;

template <class G>
FftwPlan split_c2c(G const& guru, Real* ri, Real* ii, Real* ro, Real* io, unsigned flags) {
  std::optional<Call> call = guru.call(Kind::c2c, true);
  return call ? make_plan(*std::move(call), {ri, ii, ro, io}, flags) : nullptr;
}
template <class G>
FftwPlan split_r2c(G const& guru, Real* in, Real* ro, Real* io, unsigned flags) {
  std::optional<Call> call = guru.call(Kind::r2c, true);
  return call ? make_plan(*std::move(call), {in, nullptr, ro, io}, flags) : nullptr;
}
template <class G>
FftwPlan split_c2r(G const& guru, Real* ri, Real* ii, Real* out, unsigned flags) {
  std::optional<Call> call = guru.call(Kind::c2r, true);
  return call ? make_plan(*std::move(call), {ri, ii, out, nullptr}, flags) : nullptr;
}

}  // namespace

extern "C" {

FftwPlan FFTW_NAME(plan_guru_dft)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                  const FFTW_NAME(iodim) * howmany_dims, FftwComplex* in, FftwComplex* out,
                                  int sign, unsigned flags) {
  return plan_c2c(Dims{rank, dims, howmany_rank, howmany_dims}.call(Kind::c2c, false), in, out, sign, flags);
}
FftwPlan FFTW_NAME(plan_guru_dft_r2c)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                      const FFTW_NAME(iodim) * howmany_dims, Real* in, FftwComplex* out,
                                      unsigned flags) {
  return plan_r2c(Dims{rank, dims, howmany_rank, howmany_dims}.call(Kind::r2c, false), in, out, flags);
}
FftwPlan FFTW_NAME(plan_guru_dft_c2r)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                      const FFTW_NAME(iodim) * howmany_dims, FftwComplex* in, Real* out,
                                      unsigned flags) {
  return plan_c2r(Dims{rank, dims, howmany_rank, howmany_dims}.call(Kind::c2r, false), in, out, flags);
}
FftwPlan FFTW_NAME(plan_guru_r2r)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                  const FFTW_NAME(iodim) * howmany_dims, Real* in, Real* out,
                                  const FftwKind* kind, unsigned flags) {
  return plan_r2r(Dims{rank, dims, howmany_rank, howmany_dims}.call(Kind::r2r, false), in, out, kind, flags);
}
FftwPlan FFTW_NAME(plan_guru_split_dft)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                        const FFTW_NAME(iodim) * howmany_dims, Real* ri, Real* ii, Real* ro,
                                        Real* io, unsigned flags) {
  return split_c2c(Dims{rank, dims, howmany_rank, howmany_dims}, ri, ii, ro, io, flags);
}
FftwPlan FFTW_NAME(plan_guru_split_dft_r2c)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                            const FFTW_NAME(iodim) * howmany_dims, Real* in, Real* ro,
                                            Real* io, unsigned flags) {
  return split_r2c(Dims{rank, dims, howmany_rank, howmany_dims}, in, ro, io, flags);
}
FftwPlan FFTW_NAME(plan_guru_split_dft_c2r)(int rank, const FFTW_NAME(iodim) * dims, int howmany_rank,
                                            const FFTW_NAME(iodim) * howmany_dims, Real* ri, Real* ii,
                                            Real* out, unsigned flags) {
  return split_c2r(Dims{rank, dims, howmany_rank, howmany_dims}, ri, ii, out, flags);
}

FftwPlan FFTW_NAME(plan_guru64_dft)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                    const FFTW_NAME(iodim64) * howmany_dims, FftwComplex* in,
                                    FftwComplex* out, int sign, unsigned flags) {
  return plan_c2c(Dims64{rank, dims, howmany_rank, howmany_dims}.call(Kind::c2c, false), in, out, sign,
                  flags);
}
FftwPlan FFTW_NAME(plan_guru64_dft_r2c)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                        const FFTW_NAME(iodim64) * howmany_dims, Real* in, FftwComplex* out,
                                        unsigned flags) {
  return plan_r2c(Dims64{rank, dims, howmany_rank, howmany_dims}.call(Kind::r2c, false), in, out, flags);
}
FftwPlan FFTW_NAME(plan_guru64_dft_c2r)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                        const FFTW_NAME(iodim64) * howmany_dims, FftwComplex* in, Real* out,
                                        unsigned flags) {
  return plan_c2r(Dims64{rank, dims, howmany_rank, howmany_dims}.call(Kind::c2r, false), in, out, flags);
}
FftwPlan FFTW_NAME(plan_guru64_r2r)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                    const FFTW_NAME(iodim64) * howmany_dims, Real* in, Real* out,
                                    const FftwKind* kind, unsigned flags) {
  return plan_r2r(Dims64{rank, dims, howmany_rank, howmany_dims}.call(Kind::r2r, false), in, out, kind,
                  flags);
}
FftwPlan FFTW_NAME(plan_guru64_split_dft)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                          const FFTW_NAME(iodim64) * howmany_dims, Real* ri, Real* ii,
                                          Real* ro, Real* io, unsigned flags) {
  return split_c2c(Dims64{rank, dims, howmany_rank, howmany_dims}, ri, ii, ro, io, flags);
}
FftwPlan FFTW_NAME(plan_guru64_split_dft_r2c)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                              const FFTW_NAME(iodim64) * howmany_dims, Real* in, Real* ro,
                                              Real* io, unsigned flags) {
  return split_r2c(Dims64{rank, dims, howmany_rank, howmany_dims}, in, ro, io, flags);
}
FftwPlan FFTW_NAME(plan_guru64_split_dft_c2r)(int rank, const FFTW_NAME(iodim64) * dims, int howmany_rank,
                                              const FFTW_NAME(iodim64) * howmany_dims, Real* ri, Real* ii,
                                              Real* out, unsigned flags) {
  return split_c2r(Dims64{rank, dims, howmany_rank, howmany_dims}, ri, ii, out, flags);
}

}  // extern "C"
