// AVX-512 VNNI kernels over quantized codes: VPDPBUSD adds four products of unsigned and signed
// bytes without saturation.

#include <cstring>

#include "kernels/codes_x86_bounds.h"
#include "kernels/rows_ahead.h"

namespace synoptic {
namespace {

// Rows come in address order, but hardware prefetchers stop at pages. On a Xeon a search takes a
// tenth less time than with the first cache alone, which can wait for few lines at a time.
SYNOPTIC_INLINE void PrefetchAhead(const void* line) noexcept {
  PrefetchL2(static_cast<const char*>(line) + kLaterBytes);
  Prefetch(static_cast<const char*>(line) + kSoonBytes);
}

SYNOPTIC_INLINE __m512i LoadWide(const void* from) noexcept { return _mm512_loadu_si512(from); }

// The sums of each quarter of four registers: those of a, b, c, d, and so on.
SYNOPTIC_INLINE __m512i AddInQuarters(__m512i a, __m512i b, __m512i c, __m512i d) noexcept {
  const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  return _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
}

// Even quarters of a, then of b, each plus the odd one next to it.
SYNOPTIC_INLINE __m512i AddQuarters(__m512i a, __m512i b) noexcept {
  return _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
}

// Rows that share the loads of the query.
constexpr std::size_t kSharedRows = 4;

// The sums over each quarter of a register of (c + 128) * wide or, with four bits, of n * wide.
template <bool kIs4Bit>
SYNOPTIC_INLINE __m512i DotRows(const CodesQuery& query, const std::uint8_t* codes) noexcept {
  const __m512i low_half = _mm512_set1_epi8(15), bias = _mm512_set1_epi8(-128);
  __m512i high[kSharedRows] = {}, low[kSharedRows] = {};
  const auto add = [&](std::size_t d, std::size_t row,
                       __m512i unsigned_codes) SYNOPTIC_INLINE_LAMBDA {
    high[row] = _mm512_dpbusd_epi32(high[row], unsigned_codes, LoadWide(query.high + d));
    low[row] = _mm512_dpbusd_epi32(low[row], unsigned_codes, LoadWide(query.low + d));
  };
  for (std::size_t d = 0; d < query.padded; d += kIs4Bit ? 128 : 64) {
    Unrolled<kSharedRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
      const std::uint8_t* line = codes + row * query.code_bytes + (kIs4Bit ? d / 2 : d);
      PrefetchAhead(line);
      const __m512i code = LoadWide(line);
      if (kIs4Bit) {
        add(d, row, _mm512_and_si512(code, low_half));
        add(d + 64, row, _mm512_and_si512(_mm512_srli_epi16(code, 4), low_half));
      } else {
        add(d, row, _mm512_xor_si512(code, bias));
      }
    });
  }
  __m512i sums[kSharedRows];
  Unrolled<kSharedRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
    sums[row] = _mm512_add_epi32(_mm512_slli_epi32(high[row], 8), low[row]);
  });
  return AddInQuarters(sums[0], sums[1], sums[2], sums[3]);
}

// Bounds of sixteen rows from their integer sums; returns the bits of those that pass.
SYNOPTIC_INLINE unsigned BoundBlock(const CodesQuery& query, __m512i sums, const float* meta,
                                    __m512 tau, float* upper, float* lower) noexcept {
  __m512 value = _mm512_mul_ps(
      _mm512_loadu_ps(meta), _mm512_mul_ps(_mm512_set1_ps(query.scale), _mm512_cvtepi32_ps(sums)));
  for (std::size_t direction = 0; direction < query.directions; ++direction) {
    value = _mm512_fmadd_ps(_mm512_set1_ps(query.along[direction]),
                            _mm512_loadu_ps(meta + (3 + direction) * kBlockRows), value);
  }
  const __m512 error =
      _mm512_fmadd_ps(_mm512_loadu_ps(meta + kBlockRows), _mm512_set1_ps(query.norm),
                      _mm512_fmadd_ps(_mm512_loadu_ps(meta + 2 * kBlockRows),
                                      _mm512_set1_ps(query.phi), _mm512_set1_ps(query.slack)));
  const __m512 above = _mm512_add_ps(value, error);
  _mm512_storeu_ps(upper, above);
  _mm512_storeu_ps(lower, _mm512_sub_ps(value, error));
  return _mm512_cmp_ps_mask(above, tau, _CMP_GE_OQ);
}

template <bool kIs4Bit>
SYNOPTIC_INLINE void Bounds(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count,
                            float tau, float* upper, float* lower,
                            std::uint16_t* passing) noexcept {
  const __m512 taus = _mm512_set1_ps(tau);
  // 127 * sum(|wide|) < 2^31 lets this wrap around and back.
  const auto shift = static_cast<std::uint32_t>(query.wide_sum) * (kIs4Bit ? 15u : 128u);
  const __m512i offset = _mm512_set1_epi32(static_cast<std::int32_t>(shift));
  for (std::size_t block = 0; block < count; ++block) {
    const std::uint8_t* codes = blocks + block * query.block_bytes;
    const auto* meta = reinterpret_cast<const float*>(codes + kBlockRows * query.code_bytes);
    __m512i rows[kBlockRows / kSharedRows];
    for (std::size_t i = 0; i < kBlockRows / kSharedRows; ++i) {
      rows[i] = DotRows<kIs4Bit>(query, codes + i * kSharedRows * query.code_bytes);
    }
    for (std::size_t line = 0; line < 3 + query.directions; ++line) {
      PrefetchAhead(meta + line * kBlockRows);
    }
    __m512i sums = AddQuarters(AddQuarters(rows[0], rows[1]), AddQuarters(rows[2], rows[3]));
    if (kIs4Bit) sums = _mm512_slli_epi32(sums, 1);
    const std::size_t at = block * kBlockRows;
    passing[block] = static_cast<std::uint16_t>(
        BoundBlock(query, _mm512_sub_epi32(sums, offset), meta, taus, upper + at, lower + at));
  }
}

void Bounds8(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count, float tau,
             float* upper, float* lower, std::uint16_t* passing) noexcept {
  Bounds<false>(query, blocks, count, tau, upper, lower, passing);
}

void Bounds4(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count, float tau,
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

// Appends the pairs of one row and sixteen queries that pass; `directions` is the directions' part.
SYNOPTIC_INLINE std::size_t BoundQueries(const CodesTile& tile, __m512i sums, __m512 directions,
                                         const float* meta, std::size_t row, const float* tau,
                                         TileHit* hits) noexcept {
  const __m512i exact = _mm512_sub_epi32(sums, LoadWide(tile.offset));
  const __m512 value = _mm512_fmadd_ps(
      _mm512_set1_ps(meta[row]),
      _mm512_mul_ps(_mm512_loadu_ps(tile.scale), _mm512_cvtepi32_ps(exact)), directions);
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
template <bool kIs4Bit>
SYNOPTIC_INLINE std::size_t ScoreTile(const CodesTile& tile, const void* rows, const float* meta,
                                      const float* tau, TileHit* hits) noexcept {
  const auto* codes = static_cast<const std::uint8_t*>(rows);
  const auto* packed = static_cast<const std::int8_t*>(tile.packed);
  const auto* next_block = reinterpret_cast<const char*>(meta + (3 + tile.directions) * kBlockRows);
  __m512i sums[kBlockRows] = {};
  for (std::size_t d = 0; d < tile.padded; d += 64) {
    for (std::size_t word = 0; word < 16; ++word) {
      Prefetch(next_block);
      next_block += kIs4Bit ? 32 : 64;
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
  for (std::size_t direction = 0; direction < tile.directions; ++direction) {
    const __m512 queries = _mm512_loadu_ps(tile.along[direction]);
    const float* of_rows = meta + (3 + direction) * kBlockRows;
    Unrolled<kBlockRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
      values[row] = _mm512_fmadd_ps(queries, _mm512_set1_ps(of_rows[row]), values[row]);
    });
  }
  alignas(64) float directions[kBlockRows * kTileQueries];
  Unrolled<kBlockRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
    _mm512_store_ps(directions + row * kTileQueries, values[row]);
  });
  std::size_t count = 0;
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    Prefetch(next_block + row * 64);
    const __m512i sum = LoadWide(products + row * kTileQueries);
    count += BoundQueries(tile, kIs4Bit ? _mm512_slli_epi32(sum, 1) : sum,
                          _mm512_loadu_ps(directions + row * kTileQueries), meta, row, tau,
                          hits + count);
  }
  return count;
}

std::size_t ScoreTile8(const CodesTile& tile, const void* rows, const float* meta, const float* tau,
                       TileHit* hits) noexcept {
  return ScoreTile<false>(tile, rows, meta, tau, hits);
}

std::size_t ScoreTile4(const CodesTile& tile, const void* rows, const float* meta, const float* tau,
                       TileHit* hits) noexcept {
  return ScoreTile<true>(tile, rows, meta, tau, hits);
}

}  // namespace

const CodesKernels kAvx512VnniCodes = {Bounds8,    Bounds4,    Unpack8, Unpack4,
                                       ScoreTile8, ScoreTile4, false,   128};

}  // namespace synoptic
