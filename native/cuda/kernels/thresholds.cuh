// Selection by thresholds: raise them to the k-th best lower bound, keep what reaches them. No heap,
// no sort: in which order candidates are kept depends on timing, the result among them does not.

#pragma once

#include "portable.cuh"

namespace synoptic_device {

// Integers in the order of floats; 0 is below all of them.
__device__ __forceinline__ uint32_t Ordered(float value) {
  const uint32_t bits = __float_as_uint(value);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
__device__ __forceinline__ float FromOrdered(uint32_t ordered) {
  return __uint_as_float(ordered >> 31 ? ordered & 0x7FFFFFFFu : ~ordered);
}

// A row has one bucket, so the best of two buckets are of two rows.
__device__ __forceinline__ uint32_t BucketOf(const SynopticCandidate& candidate,
                                             const SynopticSelect& a) {
  const uint32_t pair = a.distinct ? candidate.row : candidate.row + candidate.column * 0x9E3779B1u;
  return pair & (a.bucket_count - 1);
}

// The k-th largest of the buckets' bests, by its bits, eight at a time; known to all threads of the
// block. Minus infinity: fewer than k have one.
__device__ __forceinline__ float KthLargest(const uint32_t* buckets, const SynopticSelect& a) {
  __shared__ uint32_t histogram[256];
  __shared__ uint32_t prefix, wanted, enough;
  if (threadIdx.x == 0) {
    prefix = 0;
    wanted = a.k;
    enough = 0;
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x) histogram[i] = 0;
    __syncthreads();
    const uint32_t known = prefix, want = wanted;
    for (uint32_t i = threadIdx.x; i < a.bucket_count; i += blockDim.x) {
      const uint32_t best = buckets[i];
      if (best == 0 || (shift < 24 && (best ^ known) >> (shift + 8) != 0)) continue;
      atomicAdd(histogram + (best >> shift & 255), 1u);
    }
    __syncthreads();
    if (threadIdx.x < kWarp) {
      // Lane l has the digits from 255 - 8 l down; `before` of the buckets have greater ones.
      const uint32_t top = 255 - 8 * threadIdx.x;
      uint32_t own = 0;
      for (uint32_t j = 0; j < 8; ++j) own += histogram[top - j];
      uint32_t before = own;
      for (uint32_t lanes = 1; lanes < kWarp; lanes *= 2) {
        const uint32_t other = __shfl_up_sync(kAllLanes, before, lanes);
        if (threadIdx.x >= lanes) before += other;
      }
      before -= own;
      if (before < want && want <= before + own) {
        uint32_t digit = top;
        while (before + histogram[digit] < want) before += histogram[digit--];
        prefix = known | digit << shift;
        wanted = want - before;
        enough = 1;
      }
    }
    __syncthreads();
    // The same for all threads, and only the first round can find too few.
    if (enough == 0) return -INFINITY;
  }
  return FromOrdered(prefix);
}

constexpr uint32_t kSelectThreads = 1024;

// Grid: queries. Dynamic shared memory: bucket_count of 4 bytes, where they are to stand there.
__global__ void __launch_bounds__(kSelectThreads) Select(const SynopticSelect a) {
  SYNOPTIC_DYNAMIC_SHARED(uint32_t, shared_buckets);
  __shared__ uint32_t kept_count;
  const uint32_t query = blockIdx.x;
  uint32_t* buckets = a.bucket_count <= SYNOPTIC_CUDA_SHARED_BUCKETS
                          ? shared_buckets
                          : a.buckets + static_cast<uint64_t>(query) * a.bucket_count;
  const SynopticCandidate* list = a.found.list + static_cast<uint64_t>(query) * a.found.capacity;
  const uint32_t count = FoundCount(a.found, query);
  const float before = a.thresholds[query];
  for (uint32_t i = threadIdx.x; i < a.bucket_count; i += blockDim.x) buckets[i] = 0;
  if (threadIdx.x == 0) kept_count = 0;
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const SynopticCandidate candidate = list[i];
    if (isnan(candidate.lower)) continue;
    atomicMax(buckets + BucketOf(candidate, a), Ordered(candidate.lower));
  }
  const float kth = KthLargest(buckets, a);
  const float threshold = kth > before ? kth : before;
  if (a.kept.list != nullptr) {
    SynopticCandidate* kept = a.kept.list + static_cast<uint64_t>(query) * a.kept.capacity;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const SynopticCandidate candidate = list[i];
      if (candidate.upper < threshold) continue;
      const uint32_t place = atomicAdd(&kept_count, 1u);
      if (place < a.kept.capacity) kept[place] = candidate;
    }
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  a.thresholds[query] = threshold;
  *(a.kept.list != nullptr ? a.kept.counts + query : a.found.counts + query) = kept_count;
}

}  // namespace synoptic_device
