// NEON of AArch64: products of int8 as int16, added in pairs to int32, one row of the table by four
// of the query at a time.

#include <arm_neon.h>

#include "base/compiler.h"
#include "kernels/max_sim_kernels.h"

namespace synoptic {
namespace {

constexpr std::size_t kStep = 16;

// Levels of lanes q to q + 3 for one row of the table.
SYNOPTIC_INLINE int16x4_t CompareFour(const std::int8_t* query, const float* scales,
                                      std::size_t dimension, const std::int8_t* row,
                                      float inverse_norm) noexcept {
  int32x4_t sums[4];
  for (auto& sum : sums) sum = vdupq_n_s32(0);
  for (std::size_t d = 0; d < dimension; d += kStep) {
    const int8x16_t values = vld1q_s8(row + d);
    for (std::size_t q = 0; q < 4; ++q) {
      const int8x16_t lane = vld1q_s8(query + q * dimension + d);
      // A product of two -128 is the largest, 2^14; added at once it would leave int16.
      sums[q] = vpadalq_s16(sums[q], vmull_s8(vget_low_s8(values), vget_low_s8(lane)));
      sums[q] = vpadalq_s16(sums[q], vmull_high_s8(values, lane));
    }
  }
  const int32x4_t dots = vpaddq_s32(vpaddq_s32(sums[0], sums[1]), vpaddq_s32(sums[2], sums[3]));
  const float32x4_t cosines = vmulq_f32(vcvtq_f32_s32(dots), vdupq_n_f32(inverse_norm));
  return vqmovn_s32(vcvtq_s32_f32(vmulq_f32(cosines, vld1q_f32(scales))));
}

void CompareTokens(const MaxSimQuery& query, const std::int8_t* table, std::size_t dimension,
                   const float* inverse_norms, const std::uint16_t* tokens, std::size_t count,
                   std::int16_t* levels) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t token = tokens[i];
    const std::int8_t* row = table + token * dimension;
    std::int16_t* target = levels + token * kMaxSimLanes;
    for (std::size_t q = 0; q < kMaxSimLanes; q += 4) {
      int16x4_t level = vdup_n_s16(0);
      if (q < query.lanes) {
        level = CompareFour(query.rows + q * dimension, query.scales + q, dimension, row,
                            inverse_norms[token]);
      }
      vst1_s16(target + q, vmax_s16(level, vdup_n_s16(0)));
    }
  }
}

void BestLevels(const std::int16_t* levels, const std::uint16_t* tokens, std::size_t count,
                std::int16_t* best) noexcept {
  int16x8_t parts[4];
  for (auto& part : parts) part = vdupq_n_s16(0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int16_t* level = levels + tokens[i] * kMaxSimLanes;
    for (int part = 0; part < 4; ++part) {
      parts[part] = vmaxq_s16(parts[part], vld1q_s16(level + part * 8));
    }
  }
  for (int part = 0; part < 4; ++part) vst1q_s16(best + part * 8, parts[part]);
}

}  // namespace

const MaxSimKernels kNeonMaxSimKernels = {"neon", CompareTokens, BestLevels};

}  // namespace synoptic
