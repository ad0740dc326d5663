#include <algorithm>

#include "bound_codes.cuh"
#include "launch.h"

namespace synoptic_cuda {
namespace {

using synoptic_device::kThreads;

constexpr std::uint32_t kWarps = kThreads / synoptic_device::kWarp;
// Blocks of one launch: enough for every multiprocessor of the largest device, many times over; a warp
// then goes on to the next block of rows.
constexpr std::uint32_t kMaxBlocks = 132 * 16;

template <int kBits, int kQueries>
int Launch(SynopticStream* stream, const SynopticBoundCodes& a) {
  const std::uint32_t visited = DivideUp(a.max_blocks, a.stride);
  const std::uint32_t groups = DivideUp(a.query_count, kQueries);
  const std::uint32_t share = std::max(kMaxBlocks / a.view_count, 1u);
  const dim3 grid(std::max(std::min(DivideUp(visited, kWarps), share), 1u), a.view_count, groups);
  synoptic_device::BoundCodes<kBits, kQueries><<<grid, kThreads, 0, stream->stream>>>(a);
  return CheckLaunch("BoundCodes");
}

template <int kBits, int kQueries>
int Load() {
  return LoadKernel(synoptic_device::BoundCodes<kBits, kQueries>, "BoundCodes");
}

}  // namespace

int LoadBoundCodes() {
  if (const int status = Load<8, 1>()) return status;
  if (const int status = Load<8, 4>()) return status;
  if (const int status = Load<4, 1>()) return status;
  return Load<4, 4>();
}

int LaunchBoundCodes(SynopticStream* stream, const SynopticBoundCodes* a) {
  if (const int status = Use(stream->device)) return status;
  if (a->bits == 4) return a->query_count == 1 ? Launch<4, 1>(stream, *a) : Launch<4, 4>(stream, *a);
  return a->query_count == 1 ? Launch<8, 1>(stream, *a) : Launch<8, 4>(stream, *a);
}

}  // namespace synoptic_cuda
