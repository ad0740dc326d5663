// The layout for batches: rows and queries of norm one in float16, multiplied by cuBLAS. What float16
// leaves out of each is measured in float64, so the product's bounds follow by Cauchy-Schwarz.

#pragma once

#include "portable.cuh"

namespace synoptic_device {

// A warp a row. Rows of norm zero, which are invalid, become zeros.
__global__ void __launch_bounds__(kThreads) MakeHalf(const SynopticMakeHalf a) {
  const uint64_t row =
      static_cast<uint64_t>(blockIdx.x) * (blockDim.x / kWarp) + threadIdx.x / kWarp;
  if (row >= a.row_count) return;
  const uint32_t lane = threadIdx.x % kWarp;
  const double norm = a.norms[row];
  double square = 0;
  for (uint32_t d = lane; d < a.stride; d += kWarp) {
    const bool inside = d < a.dimension && norm > 0;
    const double value = inside ? static_cast<double>(a.rows[row * a.dimension + d]) / norm : 0;
    const uint16_t half = HalfOf(value);
    const double error = value - ValueOfHalf(half);
    square += error * error;
    a.half[row * a.stride + d] = half;
  }
  square = WarpSum(square);
  if (lane == 0) a.residuals[row] = RoundUp(sqrt(square));
}

constexpr uint32_t kFilterQueries = 16;
// Scores that a thread reads before it looks at the first.
constexpr uint32_t kFilterAhead = 8;

// Grid: rows x groups of queries; a thread a row, so that scores are read in order.
__global__ void __launch_bounds__(kThreads) FilterScores(const SynopticFilterScores a) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.row_count) return;
  const uint64_t row = a.first_row + static_cast<uint64_t>(i) * a.row_step;
  uint64_t word = a.valid[row / 64];
  if (a.mask != nullptr) word &= a.mask[row / 64];
  if ((word >> row % 64 & 1u) == 0) return;
  const float rho = a.row_residuals[static_cast<uint64_t>(i) * a.residual_step];
  const uint32_t first = blockIdx.y * kFilterQueries;
  const uint32_t end =
      first + kFilterQueries < a.query_count ? first + kFilterQueries : a.query_count;
  for (uint32_t part = first; part < end; part += kFilterAhead) {
    // All reads come before the writes, or each read waits for the last write.
    float score[kFilterAhead], phi[kFilterAhead], threshold[kFilterAhead];
#pragma unroll
    for (uint32_t j = 0; j < kFilterAhead; ++j) {
      const uint32_t query = part + j < end ? part + j : end - 1;
      score[j] = a.scores[static_cast<uint64_t>(query) * a.score_stride + i];
      phi[j] = a.query_residuals[query];
      threshold[j] = a.thresholds[query];
    }
#pragma unroll
    for (uint32_t j = 0; j < kFilterAhead; ++j) {
      if (part + j >= end) break;
      // q.x - q^.x^ = q.(x - x^) + (q - q^).x^, |q| = 1 and |x^| <= 1 + rho.
      const float error = rho + phi[j] * (1 + rho) + a.slack;
      if (score[j] + error < threshold[j]) continue;
      Append(a.found, part + j,
             {score[j] + error, score[j] - error, static_cast<uint32_t>(row),
              static_cast<uint16_t>(a.column), 0});
    }
  }
}

}  // namespace synoptic_device
