// cuBLAS, loaded at run time: it has 444 MB, and only batches need it.

#ifndef SYNOPTIC_CUDA_BLAS_H_
#define SYNOPTIC_CUDA_BLAS_H_

#include "check.h"

namespace synoptic_cuda {

// The C interface's `load_blas` and `multiply_half`.
int LoadBlas(const char* path);
int MultiplyHalf(SynopticStream* stream, const SynopticMultiply* arguments);

void CloseBlas(SynopticStream* stream);

}  // namespace synoptic_cuda

#endif  // SYNOPTIC_CUDA_BLAS_H_
