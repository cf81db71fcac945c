// cufftEstimate* and cufftGetSize*: the work area that a plan would need, or has. The answers are exact.
#include "planning.h"
#include "results.h"

using namespace skipper::cufft;

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* workSize) {
  return guarded("cufftEstimate1d", [&] {
    return estimate(Request<int>{1, &nx, {}, elements_of(type), batch, workSize});
  });
}

cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* workSize) {
  return guarded("cufftEstimate2d", [&] {
    int const shape[] = {nx, ny};
    return estimate(Request<int>{2, shape, {}, elements_of(type), 1, workSize});
  });
}

cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* workSize) {
  return guarded("cufftEstimate3d", [&] {
    int const shape[] = {nx, ny, nz};
    return estimate(Request<int>{3, shape, {}, elements_of(type), 1, workSize});
  });
}

cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* workSize) {
  return guarded("cufftEstimateMany", [&] {
    Layout<int> const layout{inembed, istride, idist, onembed, ostride, odist};
    return estimate(Request<int>{rank, n, layout, elements_of(type), batch, workSize});
  });
}

cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* workSize) {
  return guarded("cufftGetSize1d", [&] {
    return size(handle, Request<int>{1, &nx, {}, elements_of(type), batch, workSize});
  });
}

cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* workSize) {
  return guarded("cufftGetSize2d", [&] {
    int const shape[] = {nx, ny};
    return size(handle, Request<int>{2, shape, {}, elements_of(type), 1, workSize});
  });
}

cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t* workSize) {
  return guarded("cufftGetSize3d", [&] {
    int const shape[] = {nx, ny, nz};
    return size(handle, Request<int>{3, shape, {}, elements_of(type), 1, workSize});
  });
}

cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int* n, int* inembed, int istride, int idist,
                             int* onembed, int ostride, int odist, cufftType type, int batch,
                             size_t* workArea) {
  return guarded("cufftGetSizeMany", [&] {
    Layout<int> const layout{inembed, istride, idist, onembed, ostride, odist};
    return size(handle, Request<int>{rank, n, layout, elements_of(type), batch, workArea});
  });
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed, long long ostride,
                               long long odist, cufftType type, long long batch, size_t* workSize) {
  return guarded("cufftGetSizeMany64", [&] {
    Layout<long long> const layout{inembed, istride, idist, onembed, ostride, odist};
    return size(plan, Request<long long>{rank, n, layout, elements_of(type), batch, workSize});
  });
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType inputtype, long long* onembed,
                               long long ostride, long long odist, cudaDataType outputtype, long long batch,
                               size_t* workSize, cudaDataType executiontype) {
  return guarded("cufftXtGetSizeMany", [&] {
    Layout<long long> const layout{inembed, istride, idist, onembed, ostride, odist};
    return size(plan, Request<long long>{rank, n, layout, elements_of(inputtype, outputtype, executiontype),
                                         batch, workSize});
  });
}

cufftResult cufftGetSize(cufftHandle handle, size_t* workSize) {
  return guarded("cufftGetSize", [&] {
    if (!workSize) return CUFFT_INVALID_VALUE;
    LockedPlan const plan(handle);
    if (!plan || !plan->is_made()) return CUFFT_INVALID_PLAN;
    *workSize = plan->work_bytes();
    return CUFFT_SUCCESS;
  });
}
