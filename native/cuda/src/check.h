// Statuses of the C interface and the text of a thread's last failure.

#ifndef SYNOPTIC_CUDA_CHECK_H_
#define SYNOPTIC_CUDA_CHECK_H_

#include <cuda_runtime.h>

#include <string>

#include "synoptic_cuda.h"

namespace synoptic_cuda {

const char* LastError();

// Keeps the text and returns the status.
int Fail(int status, std::string text);

// The status of a CUDA call; forgets the error, except where the device is lost.
int Check(cudaError_t error, const char* what);

// Makes `device` the one that this thread's next calls are for.
int Use(int device);

// Whether the last launch was accepted.
inline int CheckLaunch(const char* kernel) { return Check(cudaGetLastError(), kernel); }

}  // namespace synoptic_cuda

struct SynopticStream {
  int device;
  cudaStream_t stream;
  // cuBLAS's, made when first needed.
  void* blas;
  void* blas_workspace;
};

#endif  // SYNOPTIC_CUDA_CHECK_H_
