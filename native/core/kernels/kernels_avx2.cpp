// AVX2 and FMA: the 16 lanes are four registers of four float64.

#include <immintrin.h>

#include "base/compiler.h"
#include "kernels/codes_kernels.h"
#include "kernels/kernels.h"
#include "kernels/rows_ahead.h"

namespace synoptic {
namespace {

struct Lanes {
  __m256d lanes[4];
};

SYNOPTIC_INLINE double AddLanes(const Lanes& sum) noexcept {
  const __m256d eight[2] = {_mm256_add_pd(sum.lanes[0], sum.lanes[2]),
                            _mm256_add_pd(sum.lanes[1], sum.lanes[3])};
  const __m256d four = _mm256_add_pd(eight[0], eight[1]);
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

SYNOPTIC_INLINE void AddProducts(Lanes& sum, const double* query, const float* row) noexcept {
  for (int part = 0; part < 4; ++part) {
    sum.lanes[part] =
        _mm256_fmadd_pd(_mm256_loadu_pd(query + part * 4),
                        _mm256_cvtps_pd(_mm_loadu_ps(row + part * 4)), sum.lanes[part]);
  }
}

SYNOPTIC_INLINE void AddSquares(Lanes& sum, const float* row) noexcept {
  for (int part = 0; part < 4; ++part) {
    const __m256d value = _mm256_cvtps_pd(_mm_loadu_ps(row + part * 4));
    sum.lanes[part] = _mm256_fmadd_pd(value, value, sum.lanes[part]);
  }
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
    Lanes sum = {};
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
    Lanes sum = {};
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

const Kernels kAvx2Kernels = {"avx2", DotRows, SquareRows, &kAvx2Codes};

}  // namespace synoptic
