// Exact scores (docs/numerics.md): 16 lanes of float64, a fixed tree, the same bits as the scalar
// kernel. Products of two float32 are exact in float64, so the fused operation rounds as two would.

#pragma once

#include "portable.cuh"

namespace synoptic_device {

// Candidates are few and far away, so a lane loads many of its values before it adds the first.
constexpr uint32_t kLoadsAhead = 12;

// Grid: parts x queries; half a warp a candidate.
__global__ void __launch_bounds__(kThreads) Rescore(const SynopticRescore a) {
  const uint32_t query = blockIdx.y;
  const uint32_t lane = threadIdx.x % 16, halves = blockDim.x / 16;
  SynopticCandidate* list = a.found.list + static_cast<uint64_t>(query) * a.found.capacity;
  const uint32_t count = FoundCount(a.found, query);
  const float* values = a.queries + static_cast<uint64_t>(query) * a.dimension;
  // Both halves of a warp go round as often, so that all its lanes meet in the shuffles.
  const uint32_t first = blockIdx.x * halves + threadIdx.x / kWarp * 2;
  for (uint32_t base = first; base < count; base += gridDim.x * halves) {
    const uint32_t i = base + threadIdx.x % kWarp / 16;
    const float* x = nullptr;
    double norm = 0;
    if (i < count) {
      const SynopticRows column = a.columns[list[i].column];
      if (column.rows != nullptr) {
        x = column.rows + static_cast<uint64_t>(list[i].row) * a.dimension;
        norm = column.norms[list[i].row];
      }
    }
    double sum = 0;
    for (uint32_t begin = lane; x != nullptr && begin < a.dimension; begin += 16 * kLoadsAhead) {
      float query_values[kLoadsAhead], row_values[kLoadsAhead];
#pragma unroll
      for (uint32_t j = 0; j < kLoadsAhead; ++j) {
        const uint32_t d = begin + 16 * j;
        // Products of zeros leave a sum as it is, which is never the negative zero.
        query_values[j] = d < a.dimension ? values[d] : 0.0f;
        row_values[j] = d < a.dimension ? x[d] : 0.0f;
      }
#pragma unroll
      for (uint32_t j = 0; j < kLoadsAhead; ++j) {
        sum = fma(static_cast<double>(query_values[j]), static_cast<double>(row_values[j]), sum);
      }
    }
    for (int width = 8; width > 0; width /= 2) {
      sum += __shfl_down_sync(kAllLanes, sum, width, 16);
    }
    if (lane != 0 || x == nullptr) continue;
    const double inverse = __ddiv_rn(1.0, __dmul_rn(a.norms[query], norm));
    const float score = __double2float_rn(__dmul_rn(sum, inverse));
    list[i].upper = score;
    list[i].lower = score;
    list[i].exact = 1;
  }
}

}  // namespace synoptic_device
