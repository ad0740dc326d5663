// The few declarations of cuBLAS that are used, by hand, so that a build needs no 444 MB wheel.
// Where NVIDIA's header is there, blas_types_check.cpp compares them with it.

#ifndef SYNOPTIC_CUDA_BLAS_TYPES_H_
#define SYNOPTIC_CUDA_BLAS_TYPES_H_

#include <cuda_runtime.h>

#include <cstddef>

namespace synoptic_cuda::cublas {

constexpr int kSuccess = 0;
constexpr int kAllocationFailed = 3;
constexpr int kPlain = 0;
constexpr int kTransposed = 1;
constexpr int kFloat = 0;
constexpr int kHalf = 2;
constexpr int kComputeFloat = 68;
constexpr int kDefaultAlgorithm = -1;
constexpr int kNoReducedPrecisionReduction = 16;

using Create = int (*)(void** handle);
using Destroy = int (*)(void* handle);
using SetStream = int (*)(void* handle, cudaStream_t stream);
using SetMathMode = int (*)(void* handle, int mode);
using SetWorkspace = int (*)(void* handle, void* memory, std::size_t bytes);
using GemmEx = int (*)(void* handle, int transpose_a, int transpose_b, int m, int n, int k,
                       const void* alpha, const void* a, int a_type, int lda, const void* b,
                       int b_type, int ldb, const void* beta, void* c, int c_type, int ldc,
                       int compute_type, int algorithm);

}  // namespace synoptic_cuda::cublas

#endif  // SYNOPTIC_CUDA_BLAS_TYPES_H_
