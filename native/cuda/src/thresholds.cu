#include "launch.h"
#include "thresholds.cuh"

namespace synoptic_cuda {

int LoadSelect() { return LoadKernel(synoptic_device::Select, "Select"); }

int LaunchSelect(SynopticStream* stream, const SynopticSelect* a) {
  if (const int status = Use(stream->device)) return status;
  const bool shared = a->bucket_count <= SYNOPTIC_CUDA_SHARED_BUCKETS;
  synoptic_device::Select<<<a->query_count, synoptic_device::kSelectThreads,
                            shared ? a->bucket_count * sizeof(uint32_t) : 0, stream->stream>>>(*a);
  return CheckLaunch("Select");
}

}  // namespace synoptic_cuda
