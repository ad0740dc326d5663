#include "half_rows.cuh"
#include "launch.h"

namespace synoptic_cuda {

int LaunchMakeHalf(SynopticStream* stream, const SynopticMakeHalf* a) {
  if (const int status = Use(stream->device)) return status;
  synoptic_device::MakeHalf<<<DivideUp(a->row_count, 8), 256, 0, stream->stream>>>(*a);
  return CheckLaunch("MakeHalf");
}

int LaunchFilterScores(SynopticStream* stream, const SynopticFilterScores* a) {
  if (const int status = Use(stream->device)) return status;
  const dim3 grid(DivideUp(a->row_count, 256),
                  DivideUp(a->query_count, synoptic_device::kFilterQueries));
  synoptic_device::FilterScores<<<grid, 256, 0, stream->stream>>>(*a);
  return CheckLaunch("FilterScores");
}

}  // namespace synoptic_cuda
