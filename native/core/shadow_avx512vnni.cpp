// AVX-512 VNNI shadow kernels: VPDPBUSD adds four products of unsigned and signed bytes without
// saturation.

#include <cstring>

#include "shadow_x86_bounds.h"

namespace synoptic {
namespace {

// The hardware prefetcher stops at pages; rows are read in address order this far ahead.
constexpr std::size_t kPrefetchBytes = 8192;

SYNOPTIC_INLINE __m512i LoadWide(const void* from) noexcept { return _mm512_loadu_si512(from); }

// 256 * high + low, in eight parts.
SYNOPTIC_INLINE __m256i JoinPlanes(__m512i high, __m512i low) noexcept {
  const __m512i sum = _mm512_add_epi32(_mm512_slli_epi32(high, 8), low);
  return _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
}

// One row's sum of (c + 128) * wide.
SYNOPTIC_INLINE __m256i DotRow8(const ShadowQuery& query, const std::uint8_t* codes) noexcept {
  const __m512i bias = _mm512_set1_epi8(-128);
  __m512i high = _mm512_setzero_si512(), low = _mm512_setzero_si512();
  for (std::size_t d = 0; d < query.padded; d += 64) {
    _mm_prefetch(reinterpret_cast<const char*>(codes + d + kPrefetchBytes), _MM_HINT_T0);
    const __m512i code = _mm512_xor_si512(LoadWide(codes + d), bias);
    high = _mm512_dpbusd_epi32(high, code, LoadWide(query.high + d));
    low = _mm512_dpbusd_epi32(low, code, LoadWide(query.low + d));
  }
  return JoinPlanes(high, low);
}

// One row's sum of n * wide.
SYNOPTIC_INLINE __m256i DotRow4(const ShadowQuery& query, const std::uint8_t* codes) noexcept {
  const __m512i low_half = _mm512_set1_epi8(15);
  __m512i high = _mm512_setzero_si512(), low = _mm512_setzero_si512();
  for (std::size_t d = 0; d < query.padded; d += 128) {
    _mm_prefetch(reinterpret_cast<const char*>(codes + d / 2 + kPrefetchBytes), _MM_HINT_T0);
    const __m512i both = LoadWide(codes + d / 2);
    const __m512i first = _mm512_and_si512(both, low_half);
    const __m512i second = _mm512_and_si512(_mm512_srli_epi16(both, 4), low_half);
    high = _mm512_dpbusd_epi32(high, first, LoadWide(query.high + d));
    low = _mm512_dpbusd_epi32(low, first, LoadWide(query.low + d));
    high = _mm512_dpbusd_epi32(high, second, LoadWide(query.high + d + 64));
    low = _mm512_dpbusd_epi32(low, second, LoadWide(query.low + d + 64));
  }
  return JoinPlanes(high, low);
}

template <bool kFour>
SYNOPTIC_INLINE void Bounds(const ShadowQuery& query, const std::uint8_t* blocks, std::size_t count,
                            float tau, float* upper, float* lower,
                            std::uint16_t* passing) noexcept {
  const __m256 taus = _mm256_set1_ps(tau);
  // 127 * sum(|wide|) < 2^31 lets this wrap around and back.
  const auto shift = static_cast<std::uint32_t>(query.wide_sum) * (kFour ? 15u : 128u);
  const __m256i offset = _mm256_set1_epi32(static_cast<std::int32_t>(shift));
  for (std::size_t block = 0; block < count; ++block) {
    const std::uint8_t* codes = blocks + block * query.block_bytes;
    const auto* meta = reinterpret_cast<const float*>(codes + kBlockRows * query.code_bytes);
    unsigned bits = 0;
    for (std::size_t half = 0; half < kBlockRows; half += 8) {
      __m256i rows[8];
      for (std::size_t row = 0; row < 8; ++row) {
        const std::uint8_t* row_codes = codes + (half + row) * query.code_bytes;
        rows[row] = kFour ? DotRow4(query, row_codes) : DotRow8(query, row_codes);
      }
      __m256i sums = AddAcross(rows);
      if (kFour) sums = _mm256_slli_epi32(sums, 1);
      sums = _mm256_sub_epi32(sums, offset);
      const std::size_t at = block * kBlockRows + half;
      bits |= BoundRows(query, sums, meta + half, taus, upper + at, lower + at) << half;
    }
    passing[block] = static_cast<std::uint16_t>(bits);
  }
}

void Bounds8(const ShadowQuery& query, const std::uint8_t* blocks, std::size_t count, float tau,
             float* upper, float* lower, std::uint16_t* passing) noexcept {
  Bounds<false>(query, blocks, count, tau, upper, lower, passing);
}

void Bounds4(const ShadowQuery& query, const std::uint8_t* blocks, std::size_t count, float tau,
             float* upper, float* lower, std::uint16_t* passing) noexcept {
  Bounds<true>(query, blocks, count, tau, upper, lower, passing);
}

void Unpack8(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* to = static_cast<std::uint8_t*>(rows);
  for (std::size_t i = 0; i < kBlockRows * padded; i += 64) {
    _mm512_storeu_si512(to + i, _mm512_xor_si512(LoadWide(block + i), _mm512_set1_epi8(-128)));
  }
}

void Unpack4(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* to = static_cast<std::uint8_t*>(rows);
  const __m512i low_half = _mm512_set1_epi8(15);
  for (std::size_t i = 0; i < kBlockRows * padded / 2; i += 64) {
    const __m512i both = LoadWide(block + i);
    _mm512_storeu_si512(to + 2 * i, _mm512_and_si512(both, low_half));
    _mm512_storeu_si512(to + 2 * i + 64, _mm512_and_si512(_mm512_srli_epi16(both, 4), low_half));
  }
}

// All 16 rows by all 16 queries at once: one register of queries, 16 of sums.
template <bool kFour>
SYNOPTIC_INLINE std::size_t ScoreTile(const ShadowTile& tile, const void* rows, const float* meta,
                                      const float* tau, TileHit* hits) noexcept {
  const auto* codes = static_cast<const std::uint8_t*>(rows);
  const auto* packed = static_cast<const std::int8_t*>(tile.packed);
  __m512i sums[kBlockRows];
  SYNOPTIC_UNROLL(16)
  for (std::size_t row = 0; row < kBlockRows; ++row) sums[row] = _mm512_setzero_si512();
  for (std::size_t d = 0; d < tile.padded; d += 4) {
    const __m512i queries = LoadWide(packed + d * kTileQueries);
    SYNOPTIC_UNROLL(16)
    for (std::size_t row = 0; row < kBlockRows; ++row) {
      std::int32_t word;
      std::memcpy(&word, codes + row * tile.padded + d, sizeof(word));
      sums[row] = _mm512_dpbusd_epi32(sums[row], _mm512_set1_epi32(word), queries);
    }
  }
  std::size_t count = 0;
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    const __m512i sum = kFour ? _mm512_slli_epi32(sums[row], 1) : sums[row];
    __m256 heads[1][2];
    AddHeads<1>(tile, meta, row, heads);
    count += BoundQueries(tile, _mm512_castsi512_si256(sum), heads[0][0], meta, row, 0, tau,
                          hits + count);
    count += BoundQueries(tile, _mm512_extracti64x4_epi64(sum, 1), heads[0][1], meta, row, 8, tau,
                          hits + count);
  }
  return count;
}

std::size_t ScoreTile8(const ShadowTile& tile, const void* rows, const float* meta,
                       const float* tau, TileHit* hits) noexcept {
  return ScoreTile<false>(tile, rows, meta, tau, hits);
}

std::size_t ScoreTile4(const ShadowTile& tile, const void* rows, const float* meta,
                       const float* tau, TileHit* hits) noexcept {
  return ScoreTile<true>(tile, rows, meta, tau, hits);
}

}  // namespace

const ShadowKernels kAvx512VnniShadow = {Bounds8,    Bounds4,    Unpack8, Unpack4,
                                         ScoreTile8, ScoreTile4, false,   128};

}  // namespace synoptic
