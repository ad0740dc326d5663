// AVX-512 F and BW: as the AVX2 kernels, with rows of 32 int16. A row of levels is one register.

#ifdef SYNOPTIC_EMULATED
#include "simde_avx512.h"
#else
#include <immintrin.h>
#endif

#include "base/compiler.h"
#include "kernels/max_sim_kernels.h"

namespace synoptic {
namespace {

constexpr std::size_t kStep = 32;

SYNOPTIC_INLINE __m512i LoadRow(const std::int8_t* row) noexcept {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
}

// The masked form, because GCC 12 warns of its own header's undefined register in the plain one.
SYNOPTIC_INLINE __m256i AddHalves(__m512i sum) noexcept {
  return _mm256_add_epi32(_mm512_maskz_extracti64x4_epi64(0xFF, sum, 0),
                          _mm512_maskz_extracti64x4_epi64(0xFF, sum, 1));
}

// The sums of four accumulators.
SYNOPTIC_INLINE __m128i AddUp(const __m512i* sums) noexcept {
  const __m256i low = _mm256_hadd_epi32(AddHalves(sums[0]), AddHalves(sums[1]));
  const __m256i high = _mm256_hadd_epi32(AddHalves(sums[2]), AddHalves(sums[3]));
  const __m256i four = _mm256_hadd_epi32(low, high);
  return _mm_add_epi32(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
}

SYNOPTIC_INLINE __m128i Scale(__m128i dots, float inverse_norm, const float* scales) noexcept {
  const __m128 cosines = _mm_mul_ps(_mm_cvtepi32_ps(dots), _mm_set1_ps(inverse_norm));
  return _mm_cvttps_epi32(_mm_mul_ps(cosines, _mm_loadu_ps(scales)));
}

// Levels of lanes q to q + 3 for two rows of the table.
SYNOPTIC_INLINE void CompareFour(const std::int16_t* query, const float* scales,
                                 std::size_t dimension, const std::int8_t* const* rows,
                                 const float* inverse_norms, __m128i* levels) noexcept {
  __m512i sums[2][4];
  for (auto& row_sums : sums) {
    for (auto& sum : row_sums) sum = _mm512_setzero_si512();
  }
  for (std::size_t d = 0; d < dimension; d += kStep) {
    const __m512i first = LoadRow(rows[0] + d);
    const __m512i second = LoadRow(rows[1] + d);
    for (std::size_t q = 0; q < 4; ++q) {
      const __m512i values = _mm512_loadu_si512(query + q * dimension + d);
      sums[0][q] = _mm512_add_epi32(sums[0][q], _mm512_madd_epi16(values, first));
      sums[1][q] = _mm512_add_epi32(sums[1][q], _mm512_madd_epi16(values, second));
    }
  }
  levels[0] = Scale(AddUp(sums[0]), inverse_norms[0], scales);
  levels[1] = Scale(AddUp(sums[1]), inverse_norms[1], scales);
}

void CompareTokens(const MaxSimQuery& query, const std::int8_t* table, std::size_t dimension,
                   const float* inverse_norms, const std::uint16_t* tokens, std::size_t count,
                   std::int16_t* levels) noexcept {
  for (std::size_t i = 0; i < count; i += 2) {
    const std::size_t first = tokens[i];
    // The last of an odd number is done twice.
    const std::size_t second = tokens[i + 1 < count ? i + 1 : i];
    const std::int8_t* const rows[2] = {table + first * dimension, table + second * dimension};
    const float norms[2] = {inverse_norms[first], inverse_norms[second]};
    std::int16_t* const targets[2] = {levels + first * kMaxSimLanes,
                                      levels + second * kMaxSimLanes};
    for (std::size_t q = 0; q < kMaxSimLanes; q += 8) {
      __m128i low[2], high[2];
      for (int row = 0; row < 2; ++row) low[row] = high[row] = _mm_setzero_si128();
      if (q < query.lanes) {
        const std::int16_t* lanes = query.wide_rows + q * dimension;
        CompareFour(lanes, query.scales + q, dimension, rows, norms, low);
        CompareFour(lanes + 4 * dimension, query.scales + q + 4, dimension, rows, norms, high);
      }
      for (int row = 0; row < 2; ++row) {
        const __m128i level = _mm_packs_epi32(low[row], high[row]);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(targets[row] + q),
                         _mm_max_epi16(level, _mm_setzero_si128()));
      }
    }
  }
}

void BestLevels(const std::int16_t* levels, const std::uint16_t* tokens, std::size_t count,
                std::int16_t* best) noexcept {
  __m512i level = _mm512_setzero_si512();
  for (std::size_t i = 0; i < count; ++i) {
    level = _mm512_max_epi16(level, _mm512_loadu_si512(levels + tokens[i] * kMaxSimLanes));
  }
  _mm512_storeu_si512(best, level);
}

}  // namespace

const MaxSimKernels kAvx512MaxSimKernels = {"avx512", CompareTokens, BestLevels};

}  // namespace synoptic
