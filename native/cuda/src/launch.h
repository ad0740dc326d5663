// One function an operation: the C interface's launches.

#ifndef SYNOPTIC_CUDA_LAUNCH_H_
#define SYNOPTIC_CUDA_LAUNCH_H_

#include "check.h"

namespace synoptic_cuda {

int LaunchPrepareCodes(SynopticStream* stream, const SynopticPrepareCodes* arguments);
int LaunchBoundCodes(SynopticStream* stream, const SynopticBoundCodes* arguments);
int LaunchMakeHalf(SynopticStream* stream, const SynopticMakeHalf* arguments);
int LaunchFilterScores(SynopticStream* stream, const SynopticFilterScores* arguments);
int LaunchSelect(SynopticStream* stream, const SynopticSelect* arguments);
int LaunchRescore(SynopticStream* stream, const SynopticRescore* arguments);

// Their kernels, into the memory of the device in use.
int LoadPrepareCodes();
int LoadBoundCodes();
int LoadHalfRows();
int LoadSelect();
int LoadRescore();

// Asking for a kernel's attributes loads it, which would otherwise wait for its first launch.
template <class... Arguments>
int LoadKernel(void (*kernel)(Arguments...), const char* name) {
  cudaFuncAttributes attributes = {};
  return Check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), name);
}

inline std::uint32_t DivideUp(std::uint64_t value, std::uint64_t by) {
  return static_cast<std::uint32_t>((value + by - 1) / by);
}

}  // namespace synoptic_cuda

#endif  // SYNOPTIC_CUDA_LAUNCH_H_
