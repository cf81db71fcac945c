// cufftCreate, cufftDestroy and the calls that make plans.
#include "planning.h"
#include "results.h"

using namespace skipper::cufft;

namespace {

/// As cuFFT does, without a GPU there is not even an empty plan.
cufftResult create(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  if (!driver()) return CUFFT_INTERNAL_ERROR;
  cufftHandle const added = add_plan();
  if (added == CUFFT_PLAN_NULL) return CUFFT_ALLOC_FAILED;
  *handle = added;
  return CUFFT_SUCCESS;
}

/// The whole way. Where it fails the caller's handle stays what it was.
template <class T>
cufftResult planned(cufftHandle* handle, Request<T> request) {
  std::size_t bytes = 0;
  request.bytes = &bytes;
  cufftHandle made = CUFFT_PLAN_NULL;
  if (!handle) return CUFFT_INVALID_VALUE;
  if (cufftResult const result = create(&made)) return result;
  struct Guard {
    cufftHandle handle;
    ~Guard() { remove_plan(handle); }
  } guard{made};
  if (cufftResult const result = make(made, request)) return result;
  guard.handle = CUFFT_PLAN_NULL;
  *handle = made;
  return CUFFT_SUCCESS;
}

}  // namespace

cufftResult cufftCreate(cufftHandle* handle) {
  return guarded("cufftCreate", [&] { return create(handle); });
}

cufftResult cufftDestroy(cufftHandle plan) {
  return guarded("cufftDestroy", [&] {
    return plan == CUFFT_PLAN_NULL || remove_plan(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
  });
}

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return guarded("cufftPlan1d", [&] {
    return planned(plan, Request<int>{1, &nx, {}, elements_of(type), batch});
  });
}

cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return guarded("cufftPlan2d", [&] {
    int const shape[] = {nx, ny};
    return planned(plan, Request<int>{2, shape, {}, elements_of(type)});
  });
}

cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return guarded("cufftPlan3d", [&] {
    int const shape[] = {nx, ny, nz};
    return planned(plan, Request<int>{3, shape, {}, elements_of(type)});
  });
}

cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  return guarded("cufftPlanMany", [&] {
    Layout<int> const layout{inembed, istride, idist, onembed, ostride, odist};
    return planned(plan, Request<int>{rank, n, layout, elements_of(type), batch});
  });
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* workSize) {
  return guarded("cufftMakePlan1d", [&] {
    return make(plan, Request<int>{1, &nx, {}, elements_of(type), batch, workSize});
  });
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* workSize) {
  return guarded("cufftMakePlan2d", [&] {
    int const shape[] = {nx, ny};
    return make(plan, Request<int>{2, shape, {}, elements_of(type), 1, workSize});
  });
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* workSize) {
  return guarded("cufftMakePlan3d", [&] {
    int const shape[] = {nx, ny, nz};
    return make(plan, Request<int>{3, shape, {}, elements_of(type), 1, workSize});
  });
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              size_t* workSize) {
  return guarded("cufftMakePlanMany", [&] {
    Layout<int> const layout{inembed, istride, idist, onembed, ostride, odist};
    return make(plan, Request<int>{rank, n, layout, elements_of(type), batch, workSize});
  });
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t* workSize) {
  return guarded("cufftMakePlanMany64", [&] {
    Layout<long long> const layout{inembed, istride, idist, onembed, ostride, odist};
    return make(plan, Request<long long>{rank, n, layout, elements_of(type), batch, workSize});
  });
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, size_t* workSize,
                                cudaDataType executiontype) {
  return guarded("cufftXtMakePlanMany", [&] {
    Layout<long long> const layout{inembed, istride, idist, onembed, ostride, odist};
    return make(plan, Request<long long>{rank, n, layout, elements_of(inputtype, outputtype, executiontype),
                                         batch, workSize});
  });
}
