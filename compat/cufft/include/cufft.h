/* The interface of cuFFT 12, as its manual documents it, for programs that are compiled against libskipper_cufft. Written
 * anew from the manual; types, names and values are those that compiled programs rely on. MIT licence, as Skipper itself.
 *
 * Where CUDA's own headers are found its types are used, so that a program may mix both. Without them, or with
 * SKIPPER_CUFFT_ALONE defined, types of the same layout stand in: nothing of CUDA is needed. */
#ifndef SKIPPER_CUFFT_H
#define SKIPPER_CUFFT_H

#include <stddef.h>

#ifndef SKIPPER_CUFFT_FUNCTIONS_ONLY /* a test declares the functions once more, behind NVIDIA's header */

#if !defined(SKIPPER_CUFFT_ALONE) && defined(__has_include)
#if __has_include(<cuComplex.h>) && __has_include(<library_types.h>)
#define SKIPPER_CUFFT_WITH_CUDA
#endif
#endif

#ifdef SKIPPER_CUFFT_WITH_CUDA
#include <cuComplex.h>
#include <driver_types.h>
#include <library_types.h>
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#else
typedef struct cufftComplex {
  float x, y;
} cufftComplex;
typedef struct cufftDoubleComplex {
  double x, y;
} cufftDoubleComplex;
typedef struct CUstream_st* cudaStream_t;
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
/* Element types of cufftXtMakePlanMany. */
typedef enum cudaDataType_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_C_16F = 6,
  CUDA_R_16BF = 14,
  CUDA_C_16BF = 15
} cudaDataType;
#endif

typedef float cufftReal;
typedef double cufftDoubleReal;

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 12000

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;

/* The sign of the exponent. Neither direction is normalised. */
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;

typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef int cufftHandle;
#define CUFFT_PLAN_NULL -1 /* no plan; cufftDestroy leaves it alone */

typedef enum cufftProperty_t {
  NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 1,
  NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 2
} cufftProperty;

#endif /* SKIPPER_CUFFT_FUNCTIONS_ONLY */

#ifndef CUFFTAPI
#define CUFFTAPI __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A plan in one call. Sizes are slowest first. inembed and onembed: either is null, and the arrays are dense, or both give
 * the sizes of the arrays that hold the data, with strides and distances in elements of their side. */
CUFFTAPI cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
CUFFTAPI cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
CUFFTAPI cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
CUFFTAPI cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                                   int* onembed, int ostride, int odist, cufftType type, int batch);

/* In two: cufftCreate, settings, then one of these, which also gives the size of the work area. */
CUFFTAPI cufftResult cufftCreate(cufftHandle* handle);
CUFFTAPI cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* workSize);
CUFFTAPI cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* workSize);
CUFFTAPI cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                     size_t* workSize);
CUFFTAPI cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                                       int idist, int* onembed, int ostride, int odist, cufftType type,
                                       int batch, size_t* workSize);
CUFFTAPI cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                         long long int istride, long long int idist, long long int* onembed,
                                         long long int ostride, long long int odist, cufftType type,
                                         long long int batch, size_t* workSize);
CUFFTAPI cufftResult cufftDestroy(cufftHandle plan);

/* The size of the work area that a plan would need, or has. */
CUFFTAPI cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* workSize);
CUFFTAPI cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* workSize);
CUFFTAPI cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* workSize);
CUFFTAPI cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                       int ostride, int odist, cufftType type, int batch, size_t* workSize);
CUFFTAPI cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t* workSize);
CUFFTAPI cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t* workSize);
CUFFTAPI cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                                    size_t* workSize);
CUFFTAPI cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int* n, int* inembed, int istride,
                                      int idist, int* onembed, int ostride, int odist, cufftType type,
                                      int batch, size_t* workArea);
CUFFTAPI cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                        long long int istride, long long int idist, long long int* onembed,
                                        long long int ostride, long long int odist, cufftType type,
                                        long long int batch, size_t* workSize);
CUFFTAPI cufftResult cufftGetSize(cufftHandle handle, size_t* workSize);

/* What executions use. */
CUFFTAPI cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
CUFFTAPI cufftResult cufftSetWorkArea(cufftHandle plan, void* workArea);
CUFFTAPI cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate);

/* Transforms of device arrays, in place where the two pointers are one. */
CUFFTAPI cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction);
CUFFTAPI cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata);
CUFFTAPI cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata);
CUFFTAPI cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                                  int direction);
CUFFTAPI cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata);
CUFFTAPI cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata);

CUFFTAPI cufftResult cufftGetVersion(int* version);
CUFFTAPI cufftResult cufftGetProperty(libraryPropertyType type, int* value);

/* Properties, set before a plan is made. */
CUFFTAPI cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                               const long long int inputValueInt);
CUFFTAPI cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property,
                                               long long int* returnPtrValue);
CUFFTAPI cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property);

#ifdef __cplusplus
}
#endif

#endif
