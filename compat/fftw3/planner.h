// The planner by kind of arrays: what all of FFTW's planner calls come to.
#pragma once

#include <optional>

#include "arguments.h"
#include "plan.h"

namespace skipper::fftw3 {

inline Real* reals(FftwComplex* array) { return reinterpret_cast<Real*>(array); }
/// One further, also from null, which some plan for and never execute on.
inline Real* imaginary(FftwComplex* array) {
  return reinterpret_cast<Real*>(reinterpret_cast<std::uintptr_t>(array) + sizeof(Real));
}

/// Any sign but FFTW's -1 is the other direction.
inline FftwPlan plan_c2c(std::optional<Call> call, FftwComplex* in, FftwComplex* out, int sign,
                         unsigned flags) {
  if (!call) return nullptr;
  call->direction = sign == FFTW_FORWARD ? Direction::forward : Direction::inverse;
  return make_plan(*std::move(call), {reals(in), imaginary(in), reals(out), imaginary(out)}, flags);
}
inline FftwPlan plan_r2c(std::optional<Call> call, Real* in, FftwComplex* out, unsigned flags) {
  return call ? make_plan(*std::move(call), {in, nullptr, reals(out), imaginary(out)}, flags) : nullptr;
}
inline FftwPlan plan_c2r(std::optional<Call> call, FftwComplex* in, Real* out, unsigned flags) {
  return call ? make_plan(*std::move(call), {reals(in), imaginary(in), out, nullptr}, flags) : nullptr;
}
inline FftwPlan plan_r2r(std::optional<Call> call, Real* in, Real* out, FftwKind const* kinds,
                         unsigned flags) {
  if (!call || !add_kinds(*call, kinds)) return nullptr;
  return make_plan(*std::move(call), {in, nullptr, out, nullptr}, flags);
}

}  // namespace skipper::fftw3
