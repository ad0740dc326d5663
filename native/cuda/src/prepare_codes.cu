#include "launch.h"
#include "prepare_codes.cuh"

namespace synoptic_cuda {

int LoadPrepareCodes() { return LoadKernel(synoptic_device::PrepareCodes, "PrepareCodes"); }

int LaunchPrepareCodes(SynopticStream* stream, const SynopticPrepareCodes* a) {
  if (const int status = Use(stream->device)) return status;
  // The caller keeps to dimensions whose two copies fit the 48 KiB that need no asking.
  const std::size_t shared = 2 * sizeof(double) * a->max_padded;
  synoptic_device::PrepareCodes<<<dim3(a->query_count, a->space_count),
                                   synoptic_device::kPrepareThreads, shared, stream->stream>>>(*a);
  return CheckLaunch("PrepareCodes");
}

}  // namespace synoptic_cuda
