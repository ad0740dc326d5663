// One function an operation: the C interface's launches.

#ifndef SYNOPTIC_CUDA_LAUNCH_H_
#define SYNOPTIC_CUDA_LAUNCH_H_

#include "check.h"

namespace synoptic_cuda {

int LaunchPrepareShadow(SynopticStream* stream, const SynopticPrepareShadow* arguments);
int LaunchBoundShadow(SynopticStream* stream, const SynopticBoundShadow* arguments);
int LaunchMakeHalf(SynopticStream* stream, const SynopticMakeHalf* arguments);
int LaunchFilterScores(SynopticStream* stream, const SynopticFilterScores* arguments);
int LaunchRaise(SynopticStream* stream, const SynopticRaise* arguments);
int LaunchCompact(SynopticStream* stream, const SynopticCompact* arguments);
int LaunchRescore(SynopticStream* stream, const SynopticRescore* arguments);

inline std::uint32_t DivideUp(std::uint64_t value, std::uint64_t by) {
  return static_cast<std::uint32_t>((value + by - 1) / by);
}

}  // namespace synoptic_cuda

#endif  // SYNOPTIC_CUDA_LAUNCH_H_
