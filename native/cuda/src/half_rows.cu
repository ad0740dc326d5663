#include "half_rows.cuh"
#include "launch.h"

namespace synoptic_cuda {

using synoptic_device::kThreads;

int LoadHalfRows() {
  if (const int status = LoadKernel(synoptic_device::MakeHalf, "MakeHalf")) return status;
  return LoadKernel(synoptic_device::FilterScores, "FilterScores");
}

int LaunchMakeHalf(SynopticStream* stream, const SynopticMakeHalf* a) {
  if (const int status = Use(stream->device)) return status;
  constexpr std::uint32_t kRows = kThreads / synoptic_device::kWarp;
  synoptic_device::MakeHalf<<<DivideUp(a->row_count, kRows), kThreads, 0, stream->stream>>>(*a);
  return CheckLaunch("MakeHalf");
}

int LaunchFilterScores(SynopticStream* stream, const SynopticFilterScores* a) {
  if (const int status = Use(stream->device)) return status;
  const dim3 grid(DivideUp(a->row_count, kThreads),
                  DivideUp(a->query_count, synoptic_device::kFilterQueries));
  synoptic_device::FilterScores<<<grid, kThreads, 0, stream->stream>>>(*a);
  return CheckLaunch("FilterScores");
}

}  // namespace synoptic_cuda
