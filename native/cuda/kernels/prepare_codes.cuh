// Queries into the spaces of quantized codes: w = R(q - B h), h = B'q, as integers of 15 bits, with
// what they leave out measured. The device's counterpart of CodesSpace::Project and QuantizeWide.

#pragma once

#include "portable.cuh"

namespace synoptic_device {

// The block's sum or maximum, known to all of its threads.
__device__ __forceinline__ double BlockReduce(double value, bool is_sum, double* scratch) {
  const uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  value = is_sum ? WarpSum(value) : WarpMax(value);
  __syncthreads();
  if (lane == 0) scratch[warp] = value;
  __syncthreads();
  double all = scratch[0];
  for (uint32_t i = 1; i < blockDim.x / kWarp; ++i) {
    all = is_sum ? all + scratch[i] : fmax(all, scratch[i]);
  }
  return all;
}

__device__ __forceinline__ void Hadamard(double* values, uint32_t padded, uint32_t block) {
  for (uint32_t half = 1; half < block; half *= 2) {
    __syncthreads();
    for (uint32_t pair = threadIdx.x; pair < padded / 2; pair += blockDim.x) {
      const uint32_t at = pair / half * 2 * half + pair % half;
      const double a = values[at], b = values[at + half];
      values[at] = a + b;
      values[at + half] = a - b;
    }
  }
  const double scale = 1 / sqrt(static_cast<double>(block));
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < padded; i += blockDim.x) values[i] *= scale;
  __syncthreads();
}

// Of a block. A space has few blocks, so each does little a thread.
constexpr uint32_t kPrepareThreads = 512;

// Grid: queries x spaces. Dynamic shared memory: 2 x max_padded float64.
__global__ void __launch_bounds__(kPrepareThreads) PrepareCodes(const SynopticPrepareCodes a) {
  SYNOPTIC_DYNAMIC_SHARED(double, values);
  __shared__ double partial[kPrepareThreads / kWarp];
  __shared__ double along[SYNOPTIC_CUDA_MAX_DIRECTIONS];
  const uint32_t query = blockIdx.x, lane = threadIdx.x % kWarp;
  const SynopticCodesSpace space = a.spaces[blockIdx.y];
  const uint32_t padded = space.padded;
  double* scratch = values + a.max_padded;
  const float* raw = a.queries + static_cast<uint64_t>(query) * a.dimension;
  const double norm = a.norms[query];
  for (uint32_t d = threadIdx.x; d < padded; d += blockDim.x) {
    values[d] = d < a.dimension ? static_cast<double>(raw[d]) / norm : 0;
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x / kWarp; i < space.directions; i += blockDim.x / kWarp) {
    double sum = 0;
    for (uint32_t d = lane; d < a.dimension; d += kWarp) {
      sum += values[d] * space.basis[static_cast<uint64_t>(i) * a.dimension + d];
    }
    sum = WarpSum(sum);
    if (lane == 0) along[i] = sum;
  }
  for (uint32_t i = threadIdx.x; i < padded; i += blockDim.x) {
    scratch[i] = values[space.source[i]] * space.sign[i];
  }
  Hadamard(scratch, padded, space.hadamard);
  for (uint32_t i = threadIdx.x; i < padded; i += blockDim.x) {
    values[i] = scratch[space.source[padded + i]] * space.sign[padded + i];
  }
  Hadamard(values, padded, space.hadamard);

  double sum = 0, square = 0, largest = 0;
  for (uint32_t i = threadIdx.x; i < padded; i += blockDim.x) {
    double value = values[i];
    for (uint32_t h = 0; h < space.directions; ++h) {
      value -= along[h] * space.rotated_basis[static_cast<uint64_t>(h) * padded + i];
    }
    values[i] = value;
    sum += fabs(value);
    square += value * value;
    largest = fmax(largest, fabs(value));
  }
  sum = BlockReduce(sum, true, partial);
  square = BlockReduce(square, true, partial);
  largest = BlockReduce(largest, false, partial);
  // 127 * sum(|integers|) <= 127 * (limit * sum / largest + padded / 2) < 2^31; 127 planes of 256.
  const double room = 2147483648.0 / 127 - static_cast<double>(padded);
  const double limit = largest > 0 ? fmin(32512.0, floor(room * largest / sum)) : 32512.0;
  // A query that lies along the principal directions leaves nothing to quantize.
  const float scale = largest > 1e-30 ? static_cast<float>(largest / limit) : 0.0f;
  const double inverse = scale > 0 ? 1 / static_cast<double>(scale) : 0;

  const uint64_t number = static_cast<uint64_t>(blockIdx.y) * a.query_count + query;
  int8_t* high = a.planes + number * a.plane_bytes;
  int8_t* low = high + padded;
  double residual = 0, wide_sum = 0;
  for (uint32_t i = threadIdx.x; i < padded; i += blockDim.x) {
    const int wide = static_cast<int>(rint(fmin(limit, fmax(-limit, values[i] * inverse))));
    // The low plane takes the last byte as a signed one; |wide| <= 32512 keeps the high one in 127.
    const int8_t last = static_cast<int8_t>(static_cast<uint8_t>(wide & 255));
    low[i] = last;
    high[i] = static_cast<int8_t>((wide - last) / 256);
    const double error = values[i] - static_cast<double>(scale) * wide;
    residual += error * error;
    wide_sum += wide;
  }
  residual = BlockReduce(residual, true, partial);
  wide_sum = BlockReduce(wide_sum, true, partial);
  if (threadIdx.x != 0) return;
  SynopticCodesQuery& coded = a.coded_queries[number];
  coded.scale = scale;
  coded.norm = RoundUp(sqrt(square));
  coded.phi = RoundUp(sqrt(residual));
  // BoundSlack in native/core/quantized/codes_space.h.
  coded.slack = static_cast<float>(space.directions + 24) * 1.1920928955078125e-07f;
  coded.wide_sum = static_cast<int32_t>(wide_sum);
  for (uint32_t h = 0; h < SYNOPTIC_CUDA_MAX_DIRECTIONS; ++h) {
    coded.along[h] = h < space.directions ? static_cast<float>(along[h]) : 0.0f;
  }
}

}  // namespace synoptic_device
