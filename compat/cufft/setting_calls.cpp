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

bool is_property(cufftProperty property) {
  return property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT ||
         property == NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS;
}
long long& property_of(LockedPlan const& plan, cufftProperty property) {
  return plan->properties[property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT ? 0 : 1];
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

/// Skipper has one work area for a plan: a limit can only be kept or refused.
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t* workSize) {
  return with_plan("cufftXtSetWorkAreaPolicy", plan, [&](LockedPlan const& p) {
    switch (policy) {
      case CUFFT_WORKAREA_MINIMAL:
      case CUFFT_WORKAREA_PERFORMANCE:
        p->most_bytes.reset();
        return CUFFT_SUCCESS;
      case CUFFT_WORKAREA_USER:
        if (!workSize) return CUFFT_INVALID_VALUE;
        if (p->is_made() && p->work_bytes() > *workSize) return CUFFT_INVALID_SIZE;
        p->most_bytes = *workSize;
        return CUFFT_SUCCESS;
    }
    return CUFFT_INVALID_VALUE;
  });
}

cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long inputValueInt) {
  return with_plan("cufftSetPlanPropertyInt64", plan, [&](LockedPlan const& p) {
    if (!is_property(property) || inputValueInt < 0) return CUFFT_INVALID_VALUE;
    if (p->is_made()) return CUFFT_NOT_SUPPORTED;
    property_of(p, property) = inputValueInt;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long* returnPtrValue) {
  return with_plan("cufftGetPlanPropertyInt64", plan, [&](LockedPlan const& p) {
    if (!is_property(property) || !returnPtrValue) return CUFFT_INVALID_VALUE;
    *returnPtrValue = property_of(p, property);
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  return with_plan("cufftResetPlanProperty", plan, [&](LockedPlan const& p) {
    if (!is_property(property)) return CUFFT_INVALID_VALUE;
    if (p->is_made()) return CUFFT_NOT_SUPPORTED;
    property_of(p, property) = 0;
    return CUFFT_SUCCESS;
  });
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
