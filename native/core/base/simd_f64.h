// Four float64 side by side, in the registers that every processor of a kind has; compilers miss
// them in most loops that add up. Each operation rounds as that of one float64 does, so the bits
// are the same everywhere.

#ifndef SYNOPTIC_BASE_SIMD_F64_H_
#define SYNOPTIC_BASE_SIMD_F64_H_

#include <cstdint>

#include "base/compiler.h"

#if defined(SYNOPTIC_X86)
#include <emmintrin.h>
#elif defined(SYNOPTIC_ARM64)
#include <arm_neon.h>
#endif

namespace synoptic {

// What a processor calls the operations on two of the four.
struct F64x2 {
#if defined(SYNOPTIC_X86)
  __m128d of;
  static SYNOPTIC_INLINE F64x2 Splat(double value) noexcept { return {_mm_set1_pd(value)}; }
  static SYNOPTIC_INLINE F64x2 Load(const double* from) noexcept { return {_mm_loadu_pd(from)}; }
  SYNOPTIC_INLINE void Store(double* to) const noexcept { _mm_storeu_pd(to, of); }
  SYNOPTIC_INLINE F64x2 Add(F64x2 b) const noexcept { return {_mm_add_pd(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Subtract(F64x2 b) const noexcept { return {_mm_sub_pd(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Multiply(F64x2 b) const noexcept { return {_mm_mul_pd(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Min(F64x2 b) const noexcept { return {_mm_min_pd(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Max(F64x2 b) const noexcept { return {_mm_max_pd(of, b.of)}; }
  SYNOPTIC_INLINE void StoreTruncated(std::int32_t* to) const noexcept {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_cvttpd_epi32(of));
  }
#elif defined(SYNOPTIC_ARM64)
  float64x2_t of;
  static SYNOPTIC_INLINE F64x2 Splat(double value) noexcept { return {vdupq_n_f64(value)}; }
  static SYNOPTIC_INLINE F64x2 Load(const double* from) noexcept { return {vld1q_f64(from)}; }
  SYNOPTIC_INLINE void Store(double* to) const noexcept { vst1q_f64(to, of); }
  SYNOPTIC_INLINE F64x2 Add(F64x2 b) const noexcept { return {vaddq_f64(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Subtract(F64x2 b) const noexcept { return {vsubq_f64(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Multiply(F64x2 b) const noexcept { return {vmulq_f64(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Min(F64x2 b) const noexcept { return {vminq_f64(of, b.of)}; }
  SYNOPTIC_INLINE F64x2 Max(F64x2 b) const noexcept { return {vmaxq_f64(of, b.of)}; }
  SYNOPTIC_INLINE void StoreTruncated(std::int32_t* to) const noexcept {
    vst1_s32(to, vmovn_s64(vcvtq_s64_f64(of)));
  }
#else
  double of, other;
  static F64x2 Splat(double value) noexcept { return {value, value}; }
  static F64x2 Load(const double* from) noexcept { return {from[0], from[1]}; }
  void Store(double* to) const noexcept { to[0] = of, to[1] = other; }
  F64x2 Add(F64x2 b) const noexcept { return {of + b.of, other + b.other}; }
  F64x2 Subtract(F64x2 b) const noexcept { return {of - b.of, other - b.other}; }
  F64x2 Multiply(F64x2 b) const noexcept { return {of * b.of, other * b.other}; }
  F64x2 Min(F64x2 b) const noexcept {
    return {of < b.of ? of : b.of, other < b.other ? other : b.other};
  }
  F64x2 Max(F64x2 b) const noexcept {
    return {of > b.of ? of : b.of, other > b.other ? other : b.other};
  }
  void StoreTruncated(std::int32_t* to) const noexcept {
    to[0] = static_cast<std::int32_t>(of), to[1] = static_cast<std::int32_t>(other);
  }
#endif
};

struct F64x4 {
  F64x2 low, high;

  static SYNOPTIC_INLINE F64x4 Splat(double value) noexcept {
    return {F64x2::Splat(value), F64x2::Splat(value)};
  }
  static SYNOPTIC_INLINE F64x4 Load(const double* from) noexcept {
    return {F64x2::Load(from), F64x2::Load(from + 2)};
  }
  SYNOPTIC_INLINE void Store(double* to) const noexcept {
    low.Store(to);
    high.Store(to + 2);
  }
  // Without the digits after the point.
  SYNOPTIC_INLINE void StoreTruncated(std::int32_t* to) const noexcept {
    low.StoreTruncated(to);
    high.StoreTruncated(to + 2);
  }
  // The first two and the last two, and then these sums.
  SYNOPTIC_INLINE double Sum() const noexcept {
    double values[4];
    Store(values);
    return (values[0] + values[1]) + (values[2] + values[3]);
  }
};

SYNOPTIC_INLINE F64x4 operator+(const F64x4& a, const F64x4& b) noexcept {
  return {a.low.Add(b.low), a.high.Add(b.high)};
}
SYNOPTIC_INLINE F64x4 operator-(const F64x4& a, const F64x4& b) noexcept {
  return {a.low.Subtract(b.low), a.high.Subtract(b.high)};
}
SYNOPTIC_INLINE F64x4 operator*(const F64x4& a, const F64x4& b) noexcept {
  return {a.low.Multiply(b.low), a.high.Multiply(b.high)};
}
SYNOPTIC_INLINE F64x4& operator+=(F64x4& a, const F64x4& b) noexcept { return a = a + b; }
// Of numbers, not of NaN.
SYNOPTIC_INLINE F64x4 Min(const F64x4& a, const F64x4& b) noexcept {
  return {a.low.Min(b.low), a.high.Min(b.high)};
}
SYNOPTIC_INLINE F64x4 Max(const F64x4& a, const F64x4& b) noexcept {
  return {a.low.Max(b.low), a.high.Max(b.high)};
}

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_SIMD_F64_H_
