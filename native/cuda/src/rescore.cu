#include <algorithm>

#include "launch.h"
#include "rescore.cuh"

namespace synoptic_cuda {

using synoptic_device::kThreads;

int LoadRescore() { return LoadKernel(synoptic_device::Rescore, "Rescore"); }

int LaunchRescore(SynopticStream* stream, const SynopticRescore* a) {
  if (const int status = Use(stream->device)) return status;
  // 16 candidates a block; how many there are is known to the device alone, so blocks go round.
  const std::uint32_t parts = std::min(DivideUp(a->found.capacity, kThreads / 16),
                                       std::max(1024u / a->query_count, 4u));
  synoptic_device::Rescore<<<dim3(parts, a->query_count), kThreads, 0, stream->stream>>>(*a);
  return CheckLaunch("Rescore");
}

}  // namespace synoptic_cuda
