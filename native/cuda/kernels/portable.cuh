// What the kernels share. Their text is compiled by nvcc for devices and, with SYNOPTIC_EMULATED_CUDA,
// by any C++ compiler for the emulation in native/test/gpu.

#pragma once

#include "synoptic_cuda.h"

#ifdef SYNOPTIC_EMULATED_CUDA
#include "emulated_cuda.h"
#else
#include <cuda_fp16.h>

// Shared memory whose size the launch gives, as an array.
#define SYNOPTIC_DYNAMIC_SHARED(type, name)                        \
  extern __shared__ __align__(16) unsigned char synoptic_shared[]; \
  type* name = reinterpret_cast<type*>(synoptic_shared)

__device__ __forceinline__ uint16_t HalfOf(double value) {
  return __half_as_ushort(__double2half(value));
}
__device__ __forceinline__ double ValueOfHalf(uint16_t half) {
  return static_cast<double>(__half2float(__ushort_as_half(half)));
}
#endif

namespace synoptic_device {

constexpr unsigned kAllLanes = 0xFFFFFFFFu;
constexpr uint32_t kWarp = 32;
// Of a block, where a kernel says nothing else.
constexpr uint32_t kThreads = 256;
constexpr uint32_t kBlockRows = 16;

// Above every rounding of a float64 sum of squares, of its root and of the conversion to float32.
__device__ __forceinline__ float RoundUp(double value) {
  return static_cast<float>(value * (1 + 1e-6) + 1e-30);
}

__device__ __forceinline__ double WarpSum(double value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(kAllLanes, value, lanes);
  return value;
}

__device__ __forceinline__ double WarpMax(double value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    value = fmax(value, __shfl_xor_sync(kAllLanes, value, lanes));
  }
  return value;
}

__device__ __forceinline__ uint32_t FoundCount(const SynopticCandidates& found, uint32_t query) {
  const uint32_t count = found.counts[query];
  return count < found.capacity ? count : found.capacity;
}

// Counts on when there is no place left, so that the host sees it.
__device__ __forceinline__ void Append(const SynopticCandidates& found, uint32_t query,
                                       const SynopticCandidate& candidate) {
  const uint32_t place = atomicAdd(found.counts + query, 1u);
  if (place < found.capacity) {
    found.list[static_cast<uint64_t>(query) * found.capacity + place] = candidate;
  }
}

}  // namespace synoptic_device
