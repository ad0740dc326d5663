// What the x86 kernels over quantized codes do with their integer sums, eight at a time. Everything
// here is local to the file that includes it and compiled with that file's flags.

#ifndef SYNOPTIC_KERNELS_CODES_X86_BOUNDS_H_
#define SYNOPTIC_KERNELS_CODES_X86_BOUNDS_H_

#ifdef SYNOPTIC_EMULATED
#include "simde_avx512.h"
#else
#include <immintrin.h>
#endif

#include <utility>

#include "base/compiler.h"
#include "kernels/codes_kernels.h"

namespace synoptic {
namespace {

SYNOPTIC_INLINE __m256i Load(const void* from) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

template <class Work, std::size_t... kIndex>
SYNOPTIC_INLINE void UnrolledOver(const Work& work, std::index_sequence<kIndex...>) noexcept {
  (work(std::integral_constant<std::size_t, kIndex>()), ...);
}

// work(0), work(1) and so on, written out before the compiler looks at the contents of arrays: only
// then does it keep the sums of a loop around this in registers.
template <std::size_t kCount, class Work>
SYNOPTIC_INLINE void Unrolled(const Work& work) noexcept {
  UnrolledOver(work, std::make_index_sequence<kCount>());
}

// The sums of eight registers' eight int32, in order.
SYNOPTIC_INLINE __m256i AddAcross(const __m256i* rows) noexcept {
  const __m256i a =
      _mm256_hadd_epi32(_mm256_hadd_epi32(rows[0], rows[1]), _mm256_hadd_epi32(rows[2], rows[3]));
  const __m256i b =
      _mm256_hadd_epi32(_mm256_hadd_epi32(rows[4], rows[5]), _mm256_hadd_epi32(rows[6], rows[7]));
  return _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20),
                          _mm256_permute2x128_si256(a, b, 0x31));
}

// Bounds of eight rows from their integer sums; returns the bits of those that pass.
SYNOPTIC_INLINE unsigned BoundRows(const CodesQuery& query, __m256i sums, const float* meta,
                                   __m256 tau, float* upper, float* lower) noexcept {
  __m256 value = _mm256_mul_ps(
      _mm256_loadu_ps(meta), _mm256_mul_ps(_mm256_set1_ps(query.scale), _mm256_cvtepi32_ps(sums)));
  for (std::size_t direction = 0; direction < query.directions; ++direction) {
    value = _mm256_fmadd_ps(_mm256_broadcast_ss(query.along + direction),
                            _mm256_loadu_ps(meta + (3 + direction) * kBlockRows), value);
  }
  const __m256 error =
      _mm256_fmadd_ps(_mm256_loadu_ps(meta + kBlockRows), _mm256_set1_ps(query.norm),
                      _mm256_fmadd_ps(_mm256_loadu_ps(meta + 2 * kBlockRows),
                                      _mm256_set1_ps(query.phi), _mm256_set1_ps(query.slack)));
  const __m256 above = _mm256_add_ps(value, error);
  _mm256_storeu_ps(upper, above);
  _mm256_storeu_ps(lower, _mm256_sub_ps(value, error));
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(above, tau, _CMP_GE_OQ)));
}

// The directions' part of the values of kRows rows and sixteen queries.
template <std::size_t kRows>
SYNOPTIC_INLINE void AddDirections(const CodesTile& tile, const float* meta, std::size_t row,
                                   __m256 (*values)[2]) noexcept {
  for (std::size_t i = 0; i < kRows; ++i) values[i][0] = values[i][1] = _mm256_setzero_ps();
  for (std::size_t direction = 0; direction < tile.directions; ++direction) {
    const __m256 first = _mm256_loadu_ps(tile.along[direction]);
    const __m256 second = _mm256_loadu_ps(tile.along[direction] + 8);
    for (std::size_t i = 0; i < kRows; ++i) {
      const __m256 of_row = _mm256_set1_ps(meta[(3 + direction) * kBlockRows + row + i]);
      values[i][0] = _mm256_fmadd_ps(first, of_row, values[i][0]);
      values[i][1] = _mm256_fmadd_ps(second, of_row, values[i][1]);
    }
  }
}

// Appends the pairs of one row and eight queries that pass; `directions` is the directions' part.
SYNOPTIC_INLINE std::size_t BoundQueries(const CodesTile& tile, __m256i sums, __m256 directions,
                                         const float* meta, std::size_t row, std::size_t first,
                                         const float* tau, TileHit* hits) noexcept {
  const __m256i exact = _mm256_sub_epi32(sums, Load(tile.offset + first));
  const __m256 value = _mm256_fmadd_ps(
      _mm256_set1_ps(meta[row]),
      _mm256_mul_ps(_mm256_loadu_ps(tile.scale + first), _mm256_cvtepi32_ps(exact)), directions);
  const __m256 error = _mm256_fmadd_ps(
      _mm256_set1_ps(meta[kBlockRows + row]), _mm256_loadu_ps(tile.norm + first),
      _mm256_fmadd_ps(_mm256_set1_ps(meta[2 * kBlockRows + row]), _mm256_loadu_ps(tile.phi + first),
                      _mm256_set1_ps(tile.slack)));
  const __m256 above = _mm256_add_ps(value, error);
  unsigned bits = static_cast<unsigned>(
      _mm256_movemask_ps(_mm256_cmp_ps(above, _mm256_loadu_ps(tau + first), _CMP_GE_OQ)));
  if (bits == 0) [[likely]]
    return 0;
  float upper[8], lower[8];
  _mm256_storeu_ps(upper, above);
  _mm256_storeu_ps(lower, _mm256_sub_ps(value, error));
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = std::size_t{LowestBit(bits)};
    hits[count++] = {upper[lane], lower[lane], static_cast<std::uint16_t>(row),
                     static_cast<std::uint16_t>(first + lane)};
  }
  return count;
}

}  // namespace
}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_CODES_X86_BOUNDS_H_
