// What Skipper has not: several GPUs, callbacks, and two functions that no header of NVIDIA's declares. Arguments are
// checked as cuFFT does, so that a caller's mistake is told by its own code.
#include "driver.h"
#include "handles.h"
#include "results.h"

using namespace skipper::cufft;

namespace {

constexpr int most_gpus = 16;

/// The answer for a plan that is there.
cufftResult not_supported(char const* function, cufftHandle handle) noexcept {
  return guarded(function, [&] {
    if (!LockedPlan(handle)) return CUFFT_INVALID_PLAN;
    log("%s: Skipper's drop-in library has no multi-GPU plans and no callbacks", function);
    return CUFFT_NOT_SUPPORTED;
  });
}

}  // namespace

/// One GPU is the device that the plan is then made for.
cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs) {
  return guarded("cufftXtSetGPUs", [&] {
    if (!whichGPUs) return CUFFT_INVALID_VALUE;
    LockedPlan const plan(handle);
    if (!plan || plan->is_made()) return CUFFT_INVALID_PLAN;
    if (nGPUs < 1 || nGPUs > most_gpus) return CUFFT_INVALID_VALUE;
    int const count = device_count();
    for (int i = 0; i < nGPUs; ++i)
      if (whichGPUs[i] < 0 || whichGPUs[i] >= count) return CUFFT_INVALID_DEVICE;
    if (nGPUs > 1) {
      log("cufftXtSetGPUs: Skipper's drop-in library has plans for one GPU only");
      return CUFFT_NOT_SUPPORTED;
    }
    plan->device = whichGPUs[0];
    return CUFFT_SUCCESS;
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
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return not_supported("cufftXtExecDescriptor", plan);
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return not_supported("cufftXtExecDescriptorC2C", plan);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return not_supported("cufftXtExecDescriptorR2C", plan);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return not_supported("cufftXtExecDescriptorC2R", plan);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return not_supported("cufftXtExecDescriptorZ2Z", plan);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return not_supported("cufftXtExecDescriptorD2Z", plan);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return not_supported("cufftXtExecDescriptorZ2D", plan);
}
cufftResult cufftXtQueryPlan(cufftHandle plan, void* queryStruct, cufftXtQueryType) {
  if (!queryStruct) return refused("cufftXtQueryPlan", CUFFT_INVALID_VALUE);
  return not_supported("cufftXtQueryPlan", plan);
}

/// cuFFT itself has these two in its static library only, and answers so in the shared one, whatever the plan.
cufftResult cufftXtSetCallback(cufftHandle, void**, cufftXtCallbackType, void**) {
  return refused("cufftXtSetCallback", CUFFT_NOT_IMPLEMENTED);
}
cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) {
  return refused("cufftXtClearCallback", CUFFT_NOT_IMPLEMENTED);
}
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType, size_t) {
  return not_supported("cufftXtSetCallbackSharedSize", plan);
}
cufftResult cufftXtSetJITCallback(cufftHandle plan, char const*, void const*, size_t, cufftXtCallbackType,
                                  void**) {
  return not_supported("cufftXtSetJITCallback", plan);
}

extern "C" {
// cuFFT shows these, but no header of its own declares them: nobody can know what they take.
CUFFTAPI cufftResult cufftXtMakePlanGuru64();
CUFFTAPI cufftResult cufftDebug();
}
cufftResult cufftXtMakePlanGuru64() { return refused("cufftXtMakePlanGuru64", CUFFT_NOT_IMPLEMENTED); }
cufftResult cufftDebug() { return refused("cufftDebug", CUFFT_NOT_IMPLEMENTED); }
