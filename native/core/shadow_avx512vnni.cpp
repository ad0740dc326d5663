// AVX-512 VNNI shadow kernels: VPDPBUSD adds four products of unsigned and signed bytes without
// saturation.

#include <cstring>

#include "rows_ahead.h"
#include "shadow_x86_bounds.h"

namespace synoptic {
namespace {

// Rows come in address order, but hardware prefetchers stop at pages. On a Xeon a search takes a
// tenth less time than with the first cache alone, which can wait for few lines at a time.
SYNOPTIC_INLINE void PrefetchAhead(const void* line) noexcept {
  PrefetchL2(static_cast<const char*>(line) + kLaterBytes);
  Prefetch(static_cast<const char*>(line) + kSoonBytes);
}

SYNOPTIC_INLINE __m512i LoadWide(const void* from) noexcept { return _mm512_loadu_si512(from); }

// 256 * high + low, in eight parts.
SYNOPTIC_INLINE __m256i JoinPlanes(__m512i high, __m512i low) noexcept {
  const __m512i sum = _mm512_add_epi32(_mm512_slli_epi32(high, 8), low);
  return _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
}

// The sums of (c + 128) * wide of two rows, which share the loads of the query.
SYNOPTIC_INLINE void DotTwoRows8(const ShadowQuery& query, const std::uint8_t* codes,
                                 __m256i* sums) noexcept {
  const __m512i bias = _mm512_set1_epi8(-128);
  const std::uint8_t* others = codes + query.code_bytes;
  __m512i high[2] = {}, low[2] = {};
  for (std::size_t d = 0; d < query.padded; d += 64) {
    const __m512i high_plane = LoadWide(query.high + d), low_plane = LoadWide(query.low + d);
    PrefetchAhead(codes + d);
    PrefetchAhead(others + d);
    const __m512i code = _mm512_xor_si512(LoadWide(codes + d), bias);
    const __m512i other = _mm512_xor_si512(LoadWide(others + d), bias);
    high[0] = _mm512_dpbusd_epi32(high[0], code, high_plane);
    low[0] = _mm512_dpbusd_epi32(low[0], code, low_plane);
    high[1] = _mm512_dpbusd_epi32(high[1], other, high_plane);
    low[1] = _mm512_dpbusd_epi32(low[1], other, low_plane);
  }
  sums[0] = JoinPlanes(high[0], low[0]);
  sums[1] = JoinPlanes(high[1], low[1]);
}

// The sums of n * wide of two rows.
SYNOPTIC_INLINE void DotTwoRows4(const ShadowQuery& query, const std::uint8_t* codes,
                                 __m256i* sums) noexcept {
  const __m512i low_half = _mm512_set1_epi8(15);
  const std::uint8_t* others = codes + query.code_bytes;
  __m512i high[2] = {}, low[2] = {};
  for (std::size_t d = 0; d < query.padded; d += 128) {
    PrefetchAhead(codes + d / 2);
    PrefetchAhead(others + d / 2);
    __m512i code = LoadWide(codes + d / 2), other = LoadWide(others + d / 2);
    for (std::size_t at = d; at < d + 128; at += 64) {
      const __m512i high_plane = LoadWide(query.high + at), low_plane = LoadWide(query.low + at);
      const __m512i n = _mm512_and_si512(code, low_half);
      const __m512i other_n = _mm512_and_si512(other, low_half);
      high[0] = _mm512_dpbusd_epi32(high[0], n, high_plane);
      low[0] = _mm512_dpbusd_epi32(low[0], n, low_plane);
      high[1] = _mm512_dpbusd_epi32(high[1], other_n, high_plane);
      low[1] = _mm512_dpbusd_epi32(low[1], other_n, low_plane);
      code = _mm512_srli_epi16(code, 4);
      other = _mm512_srli_epi16(other, 4);
    }
  }
  sums[0] = JoinPlanes(high[0], low[0]);
  sums[1] = JoinPlanes(high[1], low[1]);
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
      for (std::size_t row = 0; row < 8; row += 2) {
        const std::uint8_t* row_codes = codes + (half + row) * query.code_bytes;
        kFour ? DotTwoRows4(query, row_codes, rows + row)
              : DotTwoRows8(query, row_codes, rows + row);
      }
      for (std::size_t line = half / 8; line < 3 + query.heads; line += 2) {
        PrefetchAhead(meta + line * kBlockRows);
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

// For the tiles, 64 positions of the 16 rows stand together: where a word is, is then known when
// this is compiled.
constexpr std::size_t kPanelBytes = kBlockRows * 64;

void Unpack8(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* to = static_cast<std::uint8_t*>(rows);
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    for (std::size_t d = 0; d < padded; d += 64) {
      _mm512_storeu_si512(
          to + d * kBlockRows + row * 64,
          _mm512_xor_si512(LoadWide(block + row * padded + d), _mm512_set1_epi8(-128)));
    }
  }
}

void Unpack4(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* to = static_cast<std::uint8_t*>(rows);
  const __m512i low_half = _mm512_set1_epi8(15);
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    for (std::size_t d = 0; d < padded; d += 128) {
      const __m512i both = LoadWide(block + (row * padded + d) / 2);
      std::uint8_t* panel = to + d * kBlockRows + row * 64;
      _mm512_storeu_si512(panel, _mm512_and_si512(both, low_half));
      _mm512_storeu_si512(panel + kPanelBytes,
                          _mm512_and_si512(_mm512_srli_epi16(both, 4), low_half));
    }
  }
}

// Keeps the compiler from copying a sum before and after each of its products.
SYNOPTIC_INLINE void InPlace([[maybe_unused]] __m512i& sum) noexcept {
#if !defined(SYNOPTIC_MSVC) && !defined(SYNOPTIC_EMULATED)
  __asm__("" : "+v"(sum));
#endif
}

// Appends the pairs of one row and sixteen queries that pass; `heads` is the heads' part.
SYNOPTIC_INLINE std::size_t BoundQueries(const ShadowTile& tile, __m512i sums, __m512 heads,
                                         const float* meta, std::size_t row, const float* tau,
                                         TileHit* hits) noexcept {
  const __m512i exact = _mm512_sub_epi32(sums, LoadWide(tile.offset));
  const __m512 value =
      _mm512_fmadd_ps(_mm512_set1_ps(meta[row]),
                      _mm512_mul_ps(_mm512_loadu_ps(tile.scale), _mm512_cvtepi32_ps(exact)), heads);
  const __m512 error =
      _mm512_fmadd_ps(_mm512_set1_ps(meta[kBlockRows + row]), _mm512_loadu_ps(tile.norm),
                      _mm512_fmadd_ps(_mm512_set1_ps(meta[2 * kBlockRows + row]),
                                      _mm512_loadu_ps(tile.phi), _mm512_set1_ps(tile.slack)));
  const __m512 above = _mm512_add_ps(value, error);
  unsigned bits = _mm512_cmp_ps_mask(above, _mm512_loadu_ps(tau), _CMP_GE_OQ);
  if (bits == 0) [[likely]]
    return 0;
  float upper[kTileQueries], lower[kTileQueries];
  _mm512_storeu_ps(upper, above);
  _mm512_storeu_ps(lower, _mm512_sub_ps(value, error));
  std::size_t count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const auto query = std::size_t{LowestBit(bits)};
    hits[count++] = {upper[query], lower[query], static_cast<std::uint16_t>(row),
                     static_cast<std::uint16_t>(query)};
  }
  return count;
}

// All 16 rows by all 16 queries at once: one register of queries, 16 of sums. Meanwhile the next
// block comes from memory, a line for every line's worth of products.
template <bool kFour>
SYNOPTIC_INLINE std::size_t ScoreTile(const ShadowTile& tile, const void* rows, const float* meta,
                                      const float* tau, TileHit* hits) noexcept {
  const auto* codes = static_cast<const std::uint8_t*>(rows);
  const auto* packed = static_cast<const std::int8_t*>(tile.packed);
  const auto* next_block = reinterpret_cast<const char*>(meta + (3 + tile.heads) * kBlockRows);
  __m512i sums[kBlockRows] = {};
  for (std::size_t d = 0; d < tile.padded; d += 64) {
    for (std::size_t word = 0; word < 16; ++word) {
      Prefetch(next_block);
      next_block += kFour ? 32 : 64;
      const __m512i queries = LoadWide(packed);
      packed += 64;
      Unrolled<kBlockRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
        std::int32_t four;
        std::memcpy(&four, codes + row * 64, sizeof(four));
        sums[row] = _mm512_dpbusd_epi32(sums[row], _mm512_set1_epi32(four), queries);
        InPlace(sums[row]);
      });
      codes += 4;
    }
    codes += kPanelBytes - 64;
  }
  alignas(64) std::int32_t products[kBlockRows * kTileQueries];
  Unrolled<kBlockRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
    _mm512_store_si512(products + row * kTileQueries, sums[row]);
  });
  __m512 values[kBlockRows] = {};
  for (std::size_t head = 0; head < tile.heads; ++head) {
    const __m512 queries = _mm512_loadu_ps(tile.head[head]);
    const float* of_rows = meta + (3 + head) * kBlockRows;
    Unrolled<kBlockRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
      values[row] = _mm512_fmadd_ps(queries, _mm512_set1_ps(of_rows[row]), values[row]);
    });
  }
  alignas(64) float heads[kBlockRows * kTileQueries];
  Unrolled<kBlockRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
    _mm512_store_ps(heads + row * kTileQueries, values[row]);
  });
  std::size_t count = 0;
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    Prefetch(next_block + row * 64);
    const __m512i sum = LoadWide(products + row * kTileQueries);
    count +=
        BoundQueries(tile, kFour ? _mm512_slli_epi32(sum, 1) : sum,
                     _mm512_loadu_ps(heads + row * kTileQueries), meta, row, tau, hits + count);
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
