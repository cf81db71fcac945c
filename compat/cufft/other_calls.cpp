// What Skipper has not: several GPUs, callbacks, and two functions that no header of NVIDIA's declares. Arguments are
// checked as cuFFT does, so that a caller's mistake is told by its own code.
#include "driver.h"
#include "handles.h"
#include "results.h"

using namespace skipper::cufft;

namespace {

constexpr int max_gpus = 16;

/// The answer for a plan that is there.
cufftResult not_supported(char const* function, cufftHandle handle) noexcept {
  return guarded(function, [&] {
    if (!LockedPlan(handle)) return CUFFT_INVALID_PLAN;
    log("%s: Skipper's drop-in library has no multi-GPU plans and no callbacks", function);
    return CUFFT_NOT_SUPPORTED;
  });
}

/// For calls on plans for several GPUs, or with a callback: no plan is one.
cufftResult no_such_plan(char const* function) noexcept {
  log("%s: Skipper's drop-in library has no multi-GPU plans and no callbacks", function);
  return refused(function, CUFFT_INVALID_PLAN);
}

}  // namespace

/// As in cuFFT there must be two at least: a plan for one GPU is made without.
cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs) {
  return guarded("cufftXtSetGPUs", [&] {
    if (!whichGPUs) return CUFFT_INVALID_VALUE;
    LockedPlan const plan(handle);
    if (!plan || plan->is_made()) return CUFFT_INVALID_PLAN;
    if (nGPUs < 2 || nGPUs > max_gpus) return CUFFT_INVALID_VALUE;
    int const count = device_count();
    for (int i = 0; i < nGPUs; ++i)
      if (whichGPUs[i] < 0 || whichGPUs[i] >= count) return CUFFT_INVALID_DEVICE;
    log("cufftXtSetGPUs: Skipper's drop-in library has plans for one GPU only");
    return CUFFT_NOT_SUPPORTED;
  });
}

cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat) {
  if (!descriptor) return refused("cufftXtMalloc", CUFFT_INVALID_VALUE);
  return not_supported("cufftXtMalloc", plan);
}
cufftResult cufftXtMemcpy(cufftHandle plan, void*, void*, cufftXtCopyType) {
  return not_supported("cufftXtMemcpy", plan);
}
/// There is none that cufftXtMalloc has given.
cufftResult cufftXtFree(cudaLibXtDesc* descriptor) {
  return descriptor ? refused("cufftXtFree", CUFFT_INVALID_VALUE) : CUFFT_SUCCESS;
}
cufftResult cufftXtExecDescriptor(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return no_such_plan("cufftXtExecDescriptor");
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return no_such_plan("cufftXtExecDescriptorC2C");
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*) {
  return no_such_plan("cufftXtExecDescriptorR2C");
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*) {
  return no_such_plan("cufftXtExecDescriptorC2R");
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return no_such_plan("cufftXtExecDescriptorZ2Z");
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*) {
  return no_such_plan("cufftXtExecDescriptorD2Z");
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*) {
  return no_such_plan("cufftXtExecDescriptorZ2D");
}
cufftResult cufftXtQueryPlan(cufftHandle, void* queryStruct, cufftXtQueryType) {
  if (!queryStruct) return refused("cufftXtQueryPlan", CUFFT_INVALID_VALUE);
  return no_such_plan("cufftXtQueryPlan");
}

/// cuFFT itself has these two in its static library only, and answers so in the shared one, whatever the plan.
cufftResult cufftXtSetCallback(cufftHandle, void**, cufftXtCallbackType, void**) {
  return refused("cufftXtSetCallback", CUFFT_NOT_IMPLEMENTED);
}
cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) {
  return refused("cufftXtClearCallback", CUFFT_NOT_IMPLEMENTED);
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle, cufftXtCallbackType, size_t) {
  return no_such_plan("cufftXtSetCallbackSharedSize");
}
cufftResult cufftXtSetJITCallback(cufftHandle plan, char const* name, void const* code, size_t,
                                  cufftXtCallbackType, void**) {
  bool const given = name && code;
  if (!given && LockedPlan(plan)) return refused("cufftXtSetJITCallback", CUFFT_INVALID_VALUE);
  return not_supported("cufftXtSetJITCallback", plan);
}

extern "C" {
// cuFFT shows these, but no header of its own declares them: nobody can know what they take.
CUFFTAPI cufftResult cufftXtMakePlanGuru64();
CUFFTAPI cufftResult cufftDebug();
}
cufftResult cufftXtMakePlanGuru64() { return refused("cufftXtMakePlanGuru64", CUFFT_NOT_IMPLEMENTED); }
cufftResult cufftDebug() { return refused("cufftDebug", CUFFT_NOT_IMPLEMENTED); }
