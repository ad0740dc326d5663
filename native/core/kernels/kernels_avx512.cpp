// AVX-512 F, BW, DQ and VL: the 16 lanes are two registers of eight float64. The lanes are added by
// hand, because the order of _mm512_reduce_add_pd is the compiler's choice.

#ifdef SYNOPTIC_EMULATED
#include "simde_avx512.h"
#else
#include <immintrin.h>
#endif

#include "base/compiler.h"
#include "kernels/codes_kernels.h"
#include "kernels/kernels.h"
#include "kernels/rows_ahead.h"

namespace synoptic {
namespace {

struct Lanes {
  __m512d low;
  __m512d high;
};

SYNOPTIC_INLINE double AddLanes(const Lanes& sum) noexcept {
  const __m512d eight = _mm512_add_pd(sum.low, sum.high);
  const __m256d four =
      _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd(eight, 1));
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

SYNOPTIC_INLINE void AddProducts(Lanes& sum, const double* query, const float* row) noexcept {
  sum.low = _mm512_fmadd_pd(_mm512_loadu_pd(query), _mm512_cvtps_pd(_mm256_loadu_ps(row)), sum.low);
  sum.high = _mm512_fmadd_pd(_mm512_loadu_pd(query + 8), _mm512_cvtps_pd(_mm256_loadu_ps(row + 8)),
                             sum.high);
}

SYNOPTIC_INLINE void AddSquares(Lanes& sum, const float* row) noexcept {
  const __m512d low = _mm512_cvtps_pd(_mm256_loadu_ps(row));
  const __m512d high = _mm512_cvtps_pd(_mm256_loadu_ps(row + 8));
  sum.low = _mm512_fmadd_pd(low, low, sum.low);
  sum.high = _mm512_fmadd_pd(high, high, sum.high);
}

// The last, incomplete 16 values of a row, padded with zeros; never reads beyond the row.
inline void CopyTail(float* tail, const float* row, std::size_t count) noexcept {
  for (std::size_t d = 0; d < kLanes; ++d) tail[d] = d < count ? row[d] : 0.0f;
}

void DotRows(const double* query, const float* matrix, std::size_t dimension,
             const std::uint32_t* rows, std::size_t count, double* sums) noexcept {
  const std::size_t whole = dimension / kLanes * kLanes;
  const RowsAhead ahead(dimension);
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = matrix + rows[i] * dimension;
    const float* soon = matrix + rows[ahead.Soon(i, count)] * dimension;
    const float* later = matrix + rows[ahead.Later(i, count)] * dimension;
    Lanes sum = {_mm512_setzero_pd(), _mm512_setzero_pd()};
    for (std::size_t d = 0; d < whole; d += kLanes) {
      PrefetchL2(later + d);
      Prefetch(soon + d);
      AddProducts(sum, query + d, row + d);
    }
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
    Lanes sum = {_mm512_setzero_pd(), _mm512_setzero_pd()};
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

const Kernels kAvx512Kernels = {"avx512", DotRows, SquareRows, &kScalarCodes};

}  // namespace synoptic
