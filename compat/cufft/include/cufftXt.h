/* The extended interface of cuFFT 12: any precision and 64-bit sizes (cufftXtMakePlanMany, cufftXtExec), several GPUs and
 * callbacks. Of the latter two libskipper_cufft has the functions, which answer that it does not support them. Written
 * anew from the manual. MIT licence, as Skipper itself. */
#ifndef SKIPPER_CUFFTXT_H
#define SKIPPER_CUFFTXT_H

#include "cufft.h"

#ifndef SKIPPER_CUFFT_FUNCTIONS_ONLY

#ifdef SKIPPER_CUFFT_WITH_CUDA
#include <cudalibxt.h>
#else
typedef struct cudaLibXtDesc_t cudaLibXtDesc; /* arrays on several GPUs */
#endif

typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0,
  CUFFT_XT_FORMAT_OUTPUT = 1,
  CUFFT_XT_FORMAT_INPLACE = 2,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
  CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0,
  CUFFT_COPY_DEVICE_TO_HOST = 1,
  CUFFT_COPY_DEVICE_TO_DEVICE = 2,
  CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;

typedef enum cufftXtQueryType_t { CUFFT_QUERY_1D_FACTORS = 0, CUFFT_QUERY_UNDEFINED = 1 } cufftXtQueryType;

/* How a long one-dimensional transform is divided among GPUs. */
typedef struct cufftXt1dFactors_t {
  long long int size, stringCount, stringLength, substringLength, factor1, factor2;
  long long int stringMask, substringMask, factor1Mask, factor2Mask;
  int stringShift, substringShift, factor1Shift, factor2Shift;
} cufftXt1dFactors;

typedef enum cufftXtWorkAreaPolicy_t {
  CUFFT_WORKAREA_MINIMAL = 0,
  CUFFT_WORKAREA_USER = 1,
  CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
  CUFFT_CB_LD_REAL = 2,
  CUFFT_CB_LD_REAL_DOUBLE = 3,
  CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
  CUFFT_CB_ST_REAL = 6,
  CUFFT_CB_ST_REAL_DOUBLE = 7,
  CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

#endif /* SKIPPER_CUFFT_FUNCTIONS_ONLY */

#ifdef __cplusplus
extern "C" {
#endif

CUFFTAPI cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                         long long int istride, long long int idist, cudaDataType inputtype,
                                         long long int* onembed, long long int ostride, long long int odist,
                                         cudaDataType outputtype, long long int batch, size_t* workSize,
                                         cudaDataType executiontype);
CUFFTAPI cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                                        long long int istride, long long int idist, cudaDataType inputtype,
                                        long long int* onembed, long long int ostride, long long int odist,
                                        cudaDataType outputtype, long long int batch, size_t* workSize,
                                        cudaDataType executiontype);
CUFFTAPI cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);
CUFFTAPI cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy,
                                              size_t* workSize);
CUFFTAPI cufftResult cufftXtSetWorkArea(cufftHandle plan, void** workArea);

/* Several GPUs. */
CUFFTAPI cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs);
CUFFTAPI cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format);
CUFFTAPI cufftResult cufftXtMemcpy(cufftHandle plan, void* dstPointer, void* srcPointer,
                                   cufftXtCopyType type);
CUFFTAPI cufftResult cufftXtFree(cudaLibXtDesc* descriptor);
CUFFTAPI cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                           int direction);
CUFFTAPI cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                              int direction);
CUFFTAPI cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
CUFFTAPI cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
CUFFTAPI cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                              int direction);
CUFFTAPI cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
CUFFTAPI cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output);
CUFFTAPI cufftResult cufftXtQueryPlan(cufftHandle plan, void* queryStruct, cufftXtQueryType queryType);

/* A caller's functions on load and store. */
CUFFTAPI cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine, cufftXtCallbackType cbType,
                                        void** caller_info);
CUFFTAPI cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType);
CUFFTAPI cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType,
                                                  size_t sharedSize);
CUFFTAPI cufftResult cufftXtSetJITCallback(cufftHandle plan, const char* lto_callback_symbol_name,
                                           const void* lto_callback_fatbin, size_t lto_callback_fatbin_size,
                                           cufftXtCallbackType type, void** caller_info);

#ifdef __cplusplus
}
#endif

#endif
