#include "launch.h"
#include "thresholds.cuh"

namespace synoptic_cuda {

int LaunchRaise(SynopticStream* stream, const SynopticRaise* a) {
  if (const int status = Use(stream->device)) return status;
  synoptic_device::RaiseThresholds<<<a->query_count, 1024, 0, stream->stream>>>(*a);
  return CheckLaunch("RaiseThresholds");
}

int LaunchCompact(SynopticStream* stream, const SynopticCompact* a) {
  if (const int status = Use(stream->device)) return status;
  synoptic_device::Compact<<<a->query_count, 1024, 0, stream->stream>>>(*a);
  return CheckLaunch("Compact");
}

}  // namespace synoptic_cuda
