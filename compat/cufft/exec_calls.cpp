// cufftExec*: checks in the order of cuFFT's, then the plan's own execution.
#include "handles.h"
#include "results.h"

using namespace skipper::cufft;
using skipper::Direction;
using skipper::Kind;
using skipper::Precision;

namespace {

bool goes(Kind kind, int direction) {
  if (kind != Kind::c2r && direction == CUFFT_FORWARD) return true;
  return kind != Kind::r2c && direction == CUFFT_INVERSE;
}

/// `wanted`: what the function is for; nothing for cufftXtExec, which takes every plan.
cufftResult execute(cufftHandle handle, void const* in, void* out, int direction,
                    std::optional<Elements> const& wanted) {
  LockedPlan const plan(handle);
  if (!plan || !plan->is_made()) return CUFFT_INVALID_PLAN;
  if (!goes(plan->elements().kind, direction)) return CUFFT_INVALID_VALUE;
  if (wanted && plan->elements() != *wanted) return CUFFT_INVALID_TYPE;
  if (!in || !out) return CUFFT_INVALID_VALUE;
  return plan->execute(in, out, direction == CUFFT_FORWARD ? Direction::forward : Direction::inverse);
}

cufftResult executed(char const* function, cufftHandle handle, void const* in, void* out, int direction,
                     std::optional<Elements> const& wanted) noexcept {
  return guarded(function, Doing::executing, [&] { return execute(handle, in, out, direction, wanted); });
}

}  // namespace

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction) {
  return executed("cufftExecC2C", plan, idata, odata, direction, Elements{Kind::c2c, Precision::f32});
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return executed("cufftExecR2C", plan, idata, odata, CUFFT_FORWARD, Elements{Kind::r2c, Precision::f32});
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return executed("cufftExecC2R", plan, idata, odata, CUFFT_INVERSE, Elements{Kind::c2r, Precision::f32});
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                         int direction) {
  return executed("cufftExecZ2Z", plan, idata, odata, direction, Elements{Kind::c2c, Precision::f64});
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return executed("cufftExecD2Z", plan, idata, odata, CUFFT_FORWARD, Elements{Kind::r2c, Precision::f64});
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return executed("cufftExecZ2D", plan, idata, odata, CUFFT_INVERSE, Elements{Kind::c2r, Precision::f64});
}
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction) {
  return executed("cufftXtExec", plan, input, output, direction, std::nullopt);
}
