// Compiled where NVIDIA's header is there: is blas_types.h what it says?

#include "blas_types.h"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>

namespace synoptic_cuda::cublas {

static_assert(kSuccess == CUBLAS_STATUS_SUCCESS);
static_assert(kAllocationFailed == CUBLAS_STATUS_ALLOC_FAILED);
static_assert(kPlain == CUBLAS_OP_N && kTransposed == CUBLAS_OP_T);
static_assert(kFloat == CUDA_R_32F && kHalf == CUDA_R_16F);
static_assert(kComputeFloat == CUBLAS_COMPUTE_32F);
static_assert(kDefaultAlgorithm == CUBLAS_GEMM_DEFAULT);
static_assert(kNoReducedPrecisionReduction == CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
static_assert(sizeof(cublasOperation_t) == sizeof(int) && sizeof(cudaDataType) == sizeof(int) &&
              sizeof(cublasComputeType_t) == sizeof(int) &&
              sizeof(cublasGemmAlgo_t) == sizeof(int) && sizeof(cublasMath_t) == sizeof(int) &&
              sizeof(cublasHandle_t) == sizeof(void*));

// Parameter by parameter; never called.
[[maybe_unused]] cublasStatus_t (*const kGemmEx)(cublasHandle_t, cublasOperation_t,
                                                 cublasOperation_t, int, int, int, const void*,
                                                 const void*, cudaDataType, int, const void*,
                                                 cudaDataType, int, const void*, void*,
                                                 cudaDataType, int, cublasComputeType_t,
                                                 cublasGemmAlgo_t) = nullptr;
using HeaderGemmEx = decltype(kGemmEx);
static_assert(sizeof(static_cast<HeaderGemmEx>(&cublasGemmEx)) == sizeof(GemmEx));

}  // namespace synoptic_cuda::cublas
#endif
