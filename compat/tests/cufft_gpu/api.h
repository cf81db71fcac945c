#pragma once
// One of two libraries with cuFFT's interface, opened by its path: NVIDIA's or ours. The prototypes are NVIDIA's.
#include <cufftXt.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

// clang-format off
#define CUFFT_FUNCTIONS(X) \
  X(Plan1d) X(Plan2d) X(Plan3d) X(PlanMany) X(MakePlan1d) \
  X(MakePlan2d) X(MakePlan3d) X(MakePlanMany) X(MakePlanMany64) \
  X(Create) X(Destroy) X(Estimate1d) X(Estimate2d) \
  X(Estimate3d) X(EstimateMany) X(GetSize1d) X(GetSize2d) \
  X(GetSize3d) X(GetSizeMany) X(GetSizeMany64) X(GetSize) \
  X(SetWorkArea) X(SetAutoAllocation) X(SetStream) X(ExecC2C) \
  X(ExecR2C) X(ExecC2R) X(ExecZ2Z) X(ExecD2Z) \
  X(ExecZ2D) X(GetVersion) X(GetProperty) X(SetPlanPropertyInt64) \
  X(GetPlanPropertyInt64) X(ResetPlanProperty) X(XtMakePlanMany) X(XtGetSizeMany) \
  X(XtExec) X(XtSetGPUs) X(XtMalloc) X(XtMemcpy) \
  X(XtFree) X(XtSetWorkArea) X(XtSetWorkAreaPolicy) X(XtExecDescriptor) \
  X(XtExecDescriptorC2C) X(XtExecDescriptorR2C) X(XtExecDescriptorC2R) X(XtExecDescriptorZ2Z) \
  X(XtExecDescriptorD2Z) X(XtExecDescriptorZ2D) X(XtQueryPlan) X(XtSetCallback) \
  X(XtClearCallback) X(XtSetCallbackSharedSize) X(XtSetJITCallback)
// clang-format on

struct Api {
#define DECLARE(name) decltype(&cufft##name) name = nullptr;
  CUFFT_FUNCTIONS(DECLARE)
#undef DECLARE

  explicit Api(char const* library) {
    void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(2);
    }
#define FIND(name)                                                       \
  name = reinterpret_cast<decltype(name)>(dlsym(opened, "cufft" #name)); \
  if (!name) {                                                           \
    std::fprintf(stderr, "%s lacks cufft" #name "\n", library);          \
    std::exit(2);                                                        \
  }
    CUFFT_FUNCTIONS(FIND)
#undef FIND
  }
};
