// Streams, work areas, properties and versions.
#include "handles.h"
#include "results.h"

using namespace skipper::cufft;

namespace {

/// Calls f with the plan of a handle.
template <class F>
cufftResult with_plan(char const* function, cufftHandle handle, F const& f) noexcept {
  return guarded(function, [&] {
    LockedPlan const plan(handle);
    return plan ? f(plan) : CUFFT_INVALID_PLAN;
  });
}

/// cuFFT's shared library refuses the one that its header has beside PATIENT_JIT.
cufftResult check(cufftProperty property) {
  switch (property) {
    case NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT:
      return CUFFT_SUCCESS;
    case NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS:
      return CUFFT_NOT_SUPPORTED;
  }
  return CUFFT_INVALID_VALUE;
}

cufftResult set_property(LockedPlan const& plan, cufftProperty property, long long value) {
  if (plan->is_made()) return CUFFT_NOT_SUPPORTED;
  if (cufftResult const result = check(property)) return result;
  plan->patient_jit = value;
  return CUFFT_SUCCESS;
}

}  // namespace

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return with_plan("cufftSetStream", plan, [&](LockedPlan const& p) {
    p->stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetWorkArea(cufftHandle plan, void* workArea) {
  return with_plan("cufftSetWorkArea", plan, [&](LockedPlan const& p) {
    p->given_area = workArea;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtSetWorkArea(cufftHandle plan, void** workArea) {
  return guarded("cufftXtSetWorkArea",
                 [&] { return workArea ? cufftSetWorkArea(plan, workArea[0]) : CUFFT_INVALID_VALUE; });
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate) {
  return with_plan("cufftSetAutoAllocation", plan, [&](LockedPlan const& p) {
    p->allocates = autoAllocate != 0;
    return CUFFT_SUCCESS;
  });
}

/// A plan has one work area, so a policy changes nothing: cuFFT's codes for such a plan, which must be made.
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t*) {
  return with_plan("cufftXtSetWorkAreaPolicy", plan, [&](LockedPlan const& p) {
    bool const refused = policy == CUFFT_WORKAREA_USER || policy == CUFFT_WORKAREA_PERFORMANCE;
    return p->is_made() && !refused ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
  });
}

cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long inputValueInt) {
  return with_plan("cufftSetPlanPropertyInt64", plan,
                   [&](LockedPlan const& p) { return set_property(p, property, inputValueInt); });
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long* returnPtrValue) {
  return with_plan("cufftGetPlanPropertyInt64", plan, [&](LockedPlan const& p) {
    if (!returnPtrValue) return CUFFT_INVALID_VALUE;
    if (cufftResult const result = check(property)) return result;
    *returnPtrValue = p->patient_jit;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  return with_plan("cufftResetPlanProperty", plan,
                   [&](LockedPlan const& p) { return set_property(p, property, 0); });
}

/// Of the interface, which programs compare with what they were built for.
cufftResult cufftGetVersion(int* version) {
  if (version) *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  return guarded("cufftGetProperty", [&] {
    if (type != MAJOR_VERSION && type != MINOR_VERSION && type != PATCH_LEVEL) return CUFFT_INVALID_TYPE;
    if (!value) return CUFFT_INVALID_VALUE;
    *value = type == MAJOR_VERSION   ? CUFFT_VER_MAJOR
             : type == MINOR_VERSION ? CUFFT_VER_MINOR
                                     : CUFFT_VER_PATCH;
    return CUFFT_SUCCESS;
  });
}
