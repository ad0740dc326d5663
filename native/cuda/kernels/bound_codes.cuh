// Bounds of rows from their quantized codes: a stream over memory. A warp takes a block of 16
// rows, eight lanes a row; a lane reads 16 bytes of each of four rows and multiplies them with up to
// four queries, whose integers stay in the first-level cache.

#pragma once

#include "portable.cuh"

namespace synoptic_device {

__device__ __forceinline__ int32_t Dot16(const int4& a, const int4& b, int32_t sum) {
  sum = __dp4a(a.x, b.x, sum);
  sum = __dp4a(a.y, b.y, sum);
  sum = __dp4a(a.z, b.z, sum);
  return __dp4a(a.w, b.w, sum);
}

__device__ __forceinline__ int4 Nibbles(const int4& bytes, int shift) {
  constexpr int kMask = 0x0F0F0F0F;
  return make_int4(bytes.x >> shift & kMask, bytes.y >> shift & kMask, bytes.z >> shift & kMask,
                   bytes.w >> shift & kMask);
}

// sum + codes . (256 high + low), whatever wraps on the way comes back.
__device__ __forceinline__ int32_t DotPlanes(const int4& codes, const int8_t* high,
                                             const int8_t* low, int32_t sum) {
  const int32_t upper = Dot16(codes, __ldg(reinterpret_cast<const int4*>(high)), 0);
  const int32_t lower = Dot16(codes, __ldg(reinterpret_cast<const int4*>(low)), 0);
  return static_cast<int32_t>(static_cast<uint32_t>(sum) + 256u * static_cast<uint32_t>(upper) +
                              static_cast<uint32_t>(lower));
}

// Grid: blocks x views x groups of queries.
template <int kBits, int kQueries>
__global__ void __launch_bounds__(kThreads) BoundCodes(const SynopticBoundCodes a) {
  const SynopticCodesView view = a.views[blockIdx.y];
  const uint32_t lane = threadIdx.x % kWarp, sub = lane % 8, group = lane / 8;
  const uint32_t warps = blockDim.x / kWarp;
  const uint32_t code_bytes = view.padded / 8 * kBits;
  const uint32_t first_query = blockIdx.z * kQueries;
  const uint32_t first_coded = view.space * a.query_count;
  const int8_t* planes[kQueries];
  for (int q = 0; q < kQueries; ++q) {
    // Where the last group is not full, its last query is scored again and not stored.
    const uint32_t query = first_query + q < a.query_count ? first_query + q : a.query_count - 1;
    planes[q] = a.planes + static_cast<uint64_t>(first_coded + query) * a.plane_bytes;
  }
  const uint32_t visited = (view.block_count + a.stride - 1) / a.stride;
  for (uint32_t i = blockIdx.x * warps + threadIdx.x / kWarp; i < visited; i += gridDim.x * warps) {
    const uint32_t block = i * a.stride;
    const uint32_t first_row = block * kBlockRows;
    uint64_t word = view.valid[first_row / 64];
    if (a.mask != nullptr) word &= a.mask[first_row / 64];
    const uint32_t allowed = static_cast<uint32_t>(word >> first_row % 64) & 0xFFFFu;
    if (allowed == 0) continue;
    const uint8_t* codes = view.codes + static_cast<uint64_t>(block) * view.block_bytes;
    const uint8_t* rows = codes + static_cast<uint64_t>(group) * 4 * code_bytes;
    int32_t sums[kQueries][4] = {};
    for (uint32_t at = sub * 16; at < code_bytes; at += 128) {
      int4 bytes[4];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        bytes[r] = __ldcs(reinterpret_cast<const int4*>(rows + r * code_bytes + at));
      }
#pragma unroll
      for (int q = 0; q < kQueries; ++q) {
        const int8_t* high = planes[q] + (kBits == 8 ? at : at / 64 * 128 + at % 64);
        const int8_t* low = high + view.padded;
#pragma unroll
        for (int r = 0; r < 4; ++r) {
          if (kBits == 8) {
            sums[q][r] = DotPlanes(bytes[r], high, low, sums[q][r]);
          } else {
            sums[q][r] = DotPlanes(Nibbles(bytes[r], 0), high, low, sums[q][r]);
            sums[q][r] = DotPlanes(Nibbles(bytes[r], 4), high + 64, low + 64, sums[q][r]);
          }
        }
      }
    }
#pragma unroll
    for (int q = 0; q < kQueries; ++q) {
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        for (int lanes = 4; lanes > 0; lanes /= 2) {
          sums[q][r] += __shfl_xor_sync(kAllLanes, sums[q][r], lanes);
        }
      }
    }
    // Four of a row group's eight lanes have a row each.
    const uint32_t row = group * 4 + sub;
    if (sub >= 4 || (allowed >> row & 1u) == 0) continue;
    const float* meta = reinterpret_cast<const float*>(codes + kBlockRows * code_bytes);
#pragma unroll
    for (int q = 0; q < kQueries; ++q) {
      const uint32_t query = first_query + q;
      if (query >= a.query_count) break;
      const SynopticCodesQuery& coded = a.coded_queries[first_coded + query];
      int32_t sum = sub == 0 ? sums[q][0]
                             : (sub == 1 ? sums[q][1] : (sub == 2 ? sums[q][2] : sums[q][3]));
      if (kBits == 4) sum = 2 * sum - 15 * coded.wide_sum;
      float value = meta[row] * (coded.scale * static_cast<float>(sum));
      for (uint32_t h = 0; h < view.directions; ++h) {
        value += coded.along[h] * meta[(3 + h) * kBlockRows + row];
      }
      const float error = meta[kBlockRows + row] * coded.norm +
                          (meta[2 * kBlockRows + row] * coded.phi + coded.slack);
      // Not >=: what cannot be compared must not be dropped.
      if (value + error < a.thresholds[query]) continue;
      Append(a.found, query,
             {value + error, value - error, first_row + row, static_cast<uint16_t>(view.column), 0});
    }
  }
}

}  // namespace synoptic_device
