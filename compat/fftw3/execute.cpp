// FFTW's calls that execute plans. A plan of another kind than the call's is left alone, as there is no way to say no.
#include "planner.h"

using namespace skipper::fftw3;
using skipper::Kind;

namespace {

void execute_kind(FftwPlan plan, Kind kind, Arrays const& arrays) {
  PlanBody const* const body = body_of(plan);
  if (body && body->call.kind == kind) execute_on(*body, arrays);
}

}  // namespace

extern "C" {

void FFTW_NAME(execute)(const FftwPlan p) {
  if (PlanBody const* const body = body_of(p)) execute_on(*body, body->arrays);
}
void FFTW_NAME(execute_dft)(const FftwPlan p, FftwComplex* in, FftwComplex* out) {
  execute_kind(p, Kind::c2c, {reals(in), imaginary(in), reals(out), imaginary(out)});
}
void FFTW_NAME(execute_dft_r2c)(const FftwPlan p, Real* in, FftwComplex* out) {
  execute_kind(p, Kind::r2c, {in, nullptr, reals(out), imaginary(out)});
}
void FFTW_NAME(execute_dft_c2r)(const FftwPlan p, FftwComplex* in, Real* out) {
  execute_kind(p, Kind::c2r, {reals(in), imaginary(in), out, nullptr});
}
void FFTW_NAME(execute_r2r)(const FftwPlan p, Real* in, Real* out) {
  execute_kind(p, Kind::r2r, {in, nullptr, out, nullptr});
}
void FFTW_NAME(execute_split_dft)(const FftwPlan p, Real* ri, Real* ii, Real* ro, Real* io) {
  if (ii && io) execute_kind(p, Kind::c2c, {ri, ii, ro, io});
}
void FFTW_NAME(execute_split_dft_r2c)(const FftwPlan p, Real* in, Real* ro, Real* io) {
  if (io) execute_kind(p, Kind::r2c, {in, nullptr, ro, io});
}
void FFTW_NAME(execute_split_dft_c2r)(const FftwPlan p, Real* ri, Real* ii, Real* out) {
  if (ii) execute_kind(p, Kind::c2r, {ri, ii, out, nullptr});
}

void FFTW_NAME(destroy_plan)(FftwPlan p) { destroy(p); }

}  // extern "C"
