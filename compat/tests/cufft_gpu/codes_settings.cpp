// Cases of codes.cpp: streams, work areas, properties, versions; several GPUs and callbacks.
#include "cases.h"

namespace {

void add_areas(Cases& cases) {
  cases.add("SetStream fresh", Made::no, [](G g) { return g.f.SetStream(g.h, nullptr); });
  cases.add("SetStream 999", Made::no, [](G g) { return g.f.SetStream(999, nullptr); });
  cases.add("SetStream per thread", Made::c2c, [](G g) {
    g.f.SetStream(g.h, cudaStreamPerThread);
    return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), CUFFT_FORWARD);
  });
  cases.add("SetStream legacy", Made::c2c, [](G g) {
    g.f.SetStream(g.h, cudaStreamLegacy);
    return g.f.ExecC2C(g.h, g.m.c(), g.m.c(), CUFFT_FORWARD);
  });
  cases.add("SetWorkArea not made", Made::no, [](G g) { return g.f.SetWorkArea(g.h, g.m.at); });
  cases.add("SetWorkArea made", Made::c2c, [](G g) { return g.f.SetWorkArea(g.h, g.m.at); });
  cases.add("SetWorkArea null", Made::c2c, [](G g) { return g.f.SetWorkArea(g.h, nullptr); });
  cases.add("XtSetWorkArea null", Made::c2c, [](G g) { return g.f.XtSetWorkArea(g.h, nullptr); });
  cases.add("XtSetWorkArea made", Made::c2c, [](G g) {
    void* areas[] = {g.m.at};
    return g.f.XtSetWorkArea(g.h, areas);
  });
  cases.add("SetAutoAllocation made", Made::c2c, [](G g) { return g.f.SetAutoAllocation(g.h, 0); });
  cases.add("SetAutoAllocation 7", Made::no, [](G g) { return g.f.SetAutoAllocation(g.h, 7); });
  for (int policy = -1; policy <= 3; ++policy)
    for (Made const made : {Made::no, Made::c2c})
      for (bool const sized : {false, true})
        cases.add("XtSetWorkAreaPolicy " + std::to_string(policy) + (made == Made::no ? " fresh" : " made") +
                      (sized ? " sized" : ""),
                  made, [=](G g) {
                    std::size_t size = 1 << 20;
                    return g.f.XtSetWorkAreaPolicy(g.h, static_cast<cufftXtWorkAreaPolicy>(policy),
                                                   sized ? &size : nullptr);
                  });
}

void add_properties(Cases& cases) {
  for (int property = 0; property <= 3; ++property) {
    auto const which = static_cast<cufftProperty>(property);
    std::string const name = "property " + std::to_string(property);
    cases.add(name + " as it comes", [=](Api const& f) {
      cufftHandle h = -1;
      long long value = -99;
      f.Create(&h);
      cufftResult const result = f.GetPlanPropertyInt64(h, which, &value);
      f.Destroy(h);
      return code(result) + " value " + std::to_string(value);
    });
    for (long long const value : {-1ll, 0ll, 1ll, 2ll})
      cases.add(name + " set to " + std::to_string(value), Made::no,
                [=](G g) { return g.f.SetPlanPropertyInt64(g.h, which, value); });
    cases.add(name + " set when made", Made::c2c,
              [=](G g) { return g.f.SetPlanPropertyInt64(g.h, which, 1); });
    cases.add(name + " reset", Made::no, [=](G g) { return g.f.ResetPlanProperty(g.h, which); });
    cases.add(name + " reset when made", Made::c2c, [=](G g) { return g.f.ResetPlanProperty(g.h, which); });
    cases.add(name + " into null", Made::no,
              [=](G g) { return g.f.GetPlanPropertyInt64(g.h, which, nullptr); });
  }
  cases.add("GetVersion", [](Api const& f) {
    int version = 0;
    std::string const result = code(f.GetVersion(&version));
    return result + (version >= 12000 ? " at least 12000" : " old");
  });
  for (int i = -1; i <= 3; ++i)
    cases.add("GetProperty " + std::to_string(i), Made::no, [=](G g) {
      int value = -1;
      return g.f.GetProperty(static_cast<libraryPropertyType>(i), &value);
    });
}

void add_others(Cases& cases) {
  for (int count = 0; count <= 2; ++count)
    cases.add("XtSetGPUs " + std::to_string(count), Made::no, [=](G g) {
      int gpus[] = {0, 1};
      return g.f.XtSetGPUs(g.h, count, gpus);
    });
  cases.add("XtSetGPUs 17", Made::no, [](G g) {
    int gpus[17] = {};
    return g.f.XtSetGPUs(g.h, 17, gpus);
  });
  cases.add("XtSetGPUs device 99", Made::no, [](G g) {
    int gpus[] = {99};
    return g.f.XtSetGPUs(g.h, 1, gpus);
  });
  cases.add("XtSetGPUs null", Made::no, [](G g) { return g.f.XtSetGPUs(g.h, 1, nullptr); });
  cases.add("XtSetGPUs made", Made::c2c, [](G g) {
    int gpus[] = {0};
    return g.f.XtSetGPUs(g.h, 1, gpus);
  });
  cases.add("XtMalloc null", Made::c2c,
            [](G g) { return g.f.XtMalloc(g.h, nullptr, CUFFT_XT_FORMAT_INPUT); });
  cases.add("XtMalloc of a plan for one GPU", Made::c2c, [](G g) {
    cudaLibXtDesc* d = nullptr;
    return g.f.XtMalloc(g.h, &d, CUFFT_XT_FORMAT_INPUT);
  });
  cases.add("XtFree null", Made::no, [](G g) { return g.f.XtFree(nullptr); });
  cases.add("XtMemcpy null", Made::c2c,
            [](G g) { return g.f.XtMemcpy(g.h, nullptr, nullptr, CUFFT_COPY_HOST_TO_DEVICE); });
  cases.add("XtMemcpy 999", Made::no,
            [](G g) { return g.f.XtMemcpy(999, nullptr, nullptr, CUFFT_COPY_HOST_TO_DEVICE); });
  cases.add("XtExecDescriptor null", Made::c2c,
            [](G g) { return g.f.XtExecDescriptor(g.h, nullptr, nullptr, CUFFT_FORWARD); });
  cases.add("XtExecDescriptorC2C null", Made::c2c,
            [](G g) { return g.f.XtExecDescriptorC2C(g.h, nullptr, nullptr, CUFFT_FORWARD); });
  cases.add("XtExecDescriptorR2C null", Made::r2c,
            [](G g) { return g.f.XtExecDescriptorR2C(g.h, nullptr, nullptr); });
  cases.add("XtExecDescriptorC2R null", Made::c2r,
            [](G g) { return g.f.XtExecDescriptorC2R(g.h, nullptr, nullptr); });
  cases.add("XtExecDescriptorZ2Z null", Made::z2z,
            [](G g) { return g.f.XtExecDescriptorZ2Z(g.h, nullptr, nullptr, CUFFT_FORWARD); });
  cases.add("XtExecDescriptorD2Z null", Made::d2z,
            [](G g) { return g.f.XtExecDescriptorD2Z(g.h, nullptr, nullptr); });
  cases.add("XtExecDescriptorZ2D null", Made::z2d,
            [](G g) { return g.f.XtExecDescriptorZ2D(g.h, nullptr, nullptr); });
  cases.add("XtQueryPlan", Made::c2c, [](G g) {
    cufftXt1dFactors q;
    return g.f.XtQueryPlan(g.h, &q, CUFFT_QUERY_1D_FACTORS);
  });
  cases.add("XtSetCallback", Made::c2c, [](G g) {
    void* routine = nullptr;
    return g.f.XtSetCallback(g.h, &routine, CUFFT_CB_LD_COMPLEX, nullptr);
  });
  cases.add("XtClearCallback", Made::c2c, [](G g) { return g.f.XtClearCallback(g.h, CUFFT_CB_LD_COMPLEX); });
  cases.add("XtSetCallbackSharedSize", Made::c2c,
            [](G g) { return g.f.XtSetCallbackSharedSize(g.h, CUFFT_CB_LD_COMPLEX, 16); });
  cases.add("XtSetJITCallback null", Made::no,
            [](G g) { return g.f.XtSetJITCallback(g.h, nullptr, nullptr, 0, CUFFT_CB_LD_COMPLEX, nullptr); });
  cases.add("XtSetJITCallback rubbish", Made::no,
            [](G g) { return g.f.XtSetJITCallback(g.h, "f", "rubbish", 7, CUFFT_CB_LD_COMPLEX, nullptr); });
}

}  // namespace

void add_settings(Cases& cases) {
  add_areas(cases);
  add_properties(cases);
  add_others(cases);
}
