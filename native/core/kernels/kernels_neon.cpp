// NEON of AArch64: the 16 lanes are eight registers of two float64.

#include <arm_neon.h>

#include "base/compiler.h"
#include "kernels/codes_kernels.h"
#include "kernels/kernels.h"

namespace synoptic {
namespace {

struct Lanes {
  float64x2_t lanes[8];
};

SYNOPTIC_INLINE Lanes NoLanes() noexcept {
  Lanes sum;
  for (int part = 0; part < 8; ++part) sum.lanes[part] = vdupq_n_f64(0.0);
  return sum;
}

SYNOPTIC_INLINE double AddLanes(const Lanes& sum) noexcept {
  float64x2_t eight[4], four[2];
  for (int part = 0; part < 4; ++part) {
    eight[part] = vaddq_f64(sum.lanes[part], sum.lanes[part + 4]);
  }
  for (int part = 0; part < 2; ++part) four[part] = vaddq_f64(eight[part], eight[part + 2]);
  const float64x2_t two = vaddq_f64(four[0], four[1]);
  return vgetq_lane_f64(two, 0) + vgetq_lane_f64(two, 1);
}

SYNOPTIC_INLINE void AddProducts(Lanes& sum, const double* query, const float* row) noexcept {
  for (int part = 0; part < 8; part += 2) {
    const float32x4_t values = vld1q_f32(row + part * 2);
    sum.lanes[part] =
        vfmaq_f64(sum.lanes[part], vld1q_f64(query + part * 2), vcvt_f64_f32(vget_low_f32(values)));
    sum.lanes[part + 1] =
        vfmaq_f64(sum.lanes[part + 1], vld1q_f64(query + part * 2 + 2), vcvt_high_f64_f32(values));
  }
}

SYNOPTIC_INLINE void AddSquares(Lanes& sum, const float* row) noexcept {
  for (int part = 0; part < 8; part += 2) {
    const float32x4_t values = vld1q_f32(row + part * 2);
    const float64x2_t low = vcvt_f64_f32(vget_low_f32(values));
    const float64x2_t high = vcvt_high_f64_f32(values);
    sum.lanes[part] = vfmaq_f64(sum.lanes[part], low, low);
    sum.lanes[part + 1] = vfmaq_f64(sum.lanes[part + 1], high, high);
  }
}

// The last, incomplete 16 values of a row, padded with zeros; never reads beyond the row.
inline void CopyTail(float* tail, const float* row, std::size_t count) noexcept {
  for (std::size_t d = 0; d < kLanes; ++d) tail[d] = d < count ? row[d] : 0.0f;
}

void DotRows(const double* query, const float* matrix, std::size_t dimension,
             const std::uint32_t* rows, std::size_t count, double* sums) noexcept {
  const std::size_t whole = dimension / kLanes * kLanes;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = matrix + rows[i] * dimension;
    Lanes sum = NoLanes();
    for (std::size_t d = 0; d < whole; d += kLanes) AddProducts(sum, query + d, row + d);
    if (whole < dimension) {
      float tail[kLanes];
      CopyTail(tail, row + whole, dimension - whole);
      AddProducts(sum, query + whole, tail);
    }
    sums[i] = AddLanes(sum);
  }
}

void SquareRows(const float* matrix, std::size_t dimension, std::size_t first, std::size_t count,
                double* sums) noexcept {
  const std::size_t whole = dimension / kLanes * kLanes;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = matrix + (first + i) * dimension;
    Lanes sum = NoLanes();
    for (std::size_t d = 0; d < whole; d += kLanes) AddSquares(sum, row + d);
    if (whole < dimension) {
      float tail[kLanes];
      CopyTail(tail, row + whole, dimension - whole);
      AddSquares(sum, tail);
    }
    sums[i] = AddLanes(sum);
  }
}

}  // namespace

const Kernels kNeonKernels = {"neon", DotRows, SquareRows, &kScalarCodes};

}  // namespace synoptic
