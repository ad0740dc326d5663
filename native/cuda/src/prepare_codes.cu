#include "launch.h"
#include "prepare_codes.cuh"

namespace synoptic_cuda {

int LoadPrepareShadow() { return LoadKernel(synoptic_device::PrepareShadow, "PrepareShadow"); }

int LaunchPrepareShadow(SynopticStream* stream, const SynopticPrepareShadow* a) {
  if (const int status = Use(stream->device)) return status;
  // The caller keeps to dimensions whose two copies fit the 48 KiB that need no asking.
  const std::size_t shared = 2 * sizeof(double) * a->most_padded;
  synoptic_device::PrepareShadow<<<dim3(a->query_count, a->space_count),
                                   synoptic_device::kPrepareThreads, shared, stream->stream>>>(*a);
  return CheckLaunch("PrepareShadow");
}

}  // namespace synoptic_cuda
