// AVX2 kernels over quantized codes; compiled a second time with AVX-VNNI, whose VPDPBUSD takes the
// place of VPMADDUBSW and its saturation-free chains of additions.

#include <cstring>

#include "kernels/codes_x86_bounds.h"

namespace synoptic {
namespace {

// The hardware prefetcher stops at pages; rows are read in address order this far ahead. On an EPYC
// half of it takes a fifth longer with four bits.
constexpr std::size_t kPrefetchBytes = 8192;

// One row's sum of c * wide in eight parts: 15-bit queries times bytes widened on the way.
SYNOPTIC_INLINE __m256i DotRow8(const CodesQuery& query, const std::uint8_t* codes) noexcept {
  __m256i sums[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  for (std::size_t d = 0; d < query.padded; d += 64) {
    Prefetch(codes + d + kPrefetchBytes);
    SYNOPTIC_UNROLL(4)
    for (int part = 0; part < 4; ++part) {
      const __m256i wide = _mm256_cvtepi8_epi16(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + d + part * 16)));
      sums[part % 2] = _mm256_add_epi32(sums[part % 2],
                                        _mm256_madd_epi16(wide, Load(query.wide + d + part * 16)));
    }
  }
  return _mm256_add_epi32(sums[0], sums[1]);
}

// One row's sum of n * wide in eight parts, in two planes of bytes.
SYNOPTIC_INLINE __m256i DotRow4(const CodesQuery& query, const std::uint8_t* codes) noexcept {
  const __m256i low_half = _mm256_set1_epi8(15);
  __m256i high = _mm256_setzero_si256(), low = _mm256_setzero_si256();
#ifdef SYNOPTIC_AVX_VNNI
  for (std::size_t d = 0; d < query.padded; d += 128) {
    Prefetch(codes + d / 2 + kPrefetchBytes);
    SYNOPTIC_UNROLL(2)
    for (std::size_t at = d; at < d + 64; at += 32) {
      const __m256i both = Load(codes + d / 2 + (at - d));
      const __m256i first = _mm256_and_si256(both, low_half);
      const __m256i second = _mm256_and_si256(_mm256_srli_epi16(both, 4), low_half);
      high = _mm256_dpbusd_avx_epi32(high, first, Load(query.high + at));
      low = _mm256_dpbusd_avx_epi32(low, first, Load(query.low + at));
      high = _mm256_dpbusd_avx_epi32(high, second, Load(query.high + at + 64));
      low = _mm256_dpbusd_avx_epi32(low, second, Load(query.low + at + 64));
    }
  }
#else
  const __m256i ones = _mm256_set1_epi16(1);
  // A pair of products is at most 2 * 15 * 128 = 3840: eight of them fit into 16 bits.
  for (std::size_t begin = 0; begin < query.padded; begin += 256) {
    const std::size_t end = begin + 256 < query.padded ? begin + 256 : query.padded;
    __m256i high16 = _mm256_setzero_si256(), low16 = _mm256_setzero_si256();
    for (std::size_t d = begin; d < end; d += 128) {
      Prefetch(codes + d / 2 + kPrefetchBytes);
      SYNOPTIC_UNROLL(2)
      for (std::size_t at = d; at < d + 64; at += 32) {
        const __m256i both = Load(codes + d / 2 + (at - d));
        const __m256i first = _mm256_and_si256(both, low_half);
        const __m256i second = _mm256_and_si256(_mm256_srli_epi16(both, 4), low_half);
        high16 = _mm256_add_epi16(high16, _mm256_maddubs_epi16(first, Load(query.high + at)));
        low16 = _mm256_add_epi16(low16, _mm256_maddubs_epi16(first, Load(query.low + at)));
        high16 = _mm256_add_epi16(high16, _mm256_maddubs_epi16(second, Load(query.high + at + 64)));
        low16 = _mm256_add_epi16(low16, _mm256_maddubs_epi16(second, Load(query.low + at + 64)));
      }
    }
    high = _mm256_add_epi32(high, _mm256_madd_epi16(high16, ones));
    low = _mm256_add_epi32(low, _mm256_madd_epi16(low16, ones));
  }
#endif
  return _mm256_add_epi32(_mm256_slli_epi32(high, 8), low);
}

template <bool kIs4Bit>
SYNOPTIC_INLINE void Bounds(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count,
                            float tau, float* upper, float* lower,
                            std::uint16_t* passing) noexcept {
  const __m256 taus = _mm256_set1_ps(tau);
  const __m256i offset = _mm256_set1_epi32(15 * query.wide_sum);
  for (std::size_t block = 0; block < count; ++block) {
    const std::uint8_t* codes = blocks + block * query.block_bytes;
    const auto* meta = reinterpret_cast<const float*>(codes + kBlockRows * query.code_bytes);
    unsigned bits = 0;
    for (std::size_t half = 0; half < kBlockRows; half += 8) {
      __m256i rows[8];
      for (std::size_t row = 0; row < 8; ++row) {
        const std::uint8_t* row_codes = codes + (half + row) * query.code_bytes;
        rows[row] = kIs4Bit ? DotRow4(query, row_codes) : DotRow8(query, row_codes);
      }
      for (std::size_t line = half / 8; line < 3 + query.directions; line += 2) {
        Prefetch(reinterpret_cast<const char*>(meta + line * kBlockRows) + kPrefetchBytes);
      }
      __m256i sums = AddAcross(rows);
      if (kIs4Bit) sums = _mm256_sub_epi32(_mm256_slli_epi32(sums, 1), offset);
      const std::size_t at = block * kBlockRows + half;
      bits |= BoundRows(query, sums, meta + half, taus, upper + at, lower + at) << half;
    }
    passing[block] = static_cast<std::uint16_t>(bits);
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

void Unpack8(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
#ifdef SYNOPTIC_AVX_VNNI
  auto* to = static_cast<std::uint8_t*>(rows);
  for (std::size_t i = 0; i < kBlockRows * padded; i += 32) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                        _mm256_xor_si256(Load(block + i), _mm256_set1_epi8(-128)));
  }
#else
  auto* to = static_cast<std::int16_t*>(rows);
  for (std::size_t i = 0; i < kBlockRows * padded; i += 16) {
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(to + i),
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + i))));
  }
#endif
}

void Unpack4(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* to = static_cast<std::uint8_t*>(rows);
  const __m256i low_half = _mm256_set1_epi8(15);
  for (std::size_t i = 0; i < kBlockRows * padded / 2; i += 32) {
    const __m256i both = Load(block + i);
    std::uint8_t* group = to + i / 64 * 128 + i % 64;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(group), _mm256_and_si256(both, low_half));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(group + 64),
                        _mm256_and_si256(_mm256_srli_epi16(both, 4), low_half));
  }
}

// Rows of a register tile: 4 x 16 queries are eight accumulators.
constexpr std::size_t kTileRows = 4;

struct Sums {
  __m256i of[kTileRows][2];
};

// Keeps the compiler from adding later products first, which needs more registers than there are.
// What is emulated may have no register of this width.
SYNOPTIC_INLINE void InOrder([[maybe_unused]] __m256i& sum) noexcept {
#if !defined(SYNOPTIC_MSVC) && !defined(SYNOPTIC_EMULATED)
  __asm__("" : "+x"(sum));
#endif
}

SYNOPTIC_INLINE __m256i Broadcast4Bytes(const void* from) noexcept {
  std::int32_t word;
  std::memcpy(&word, from, sizeof(word));
  return _mm256_set1_epi32(word);
}

// Sums of int16 products, two positions a step. Meanwhile the same rows of the next block, at
// `next`, come from memory, a line at a time.
SYNOPTIC_INLINE void AddWide(Sums& found, const CodesTile& tile, const std::int16_t* rows,
                             const char* next) noexcept {
  const auto* packed = static_cast<const std::int16_t*>(tile.packed);
  Sums sums = {};
  for (std::size_t begin = 0; begin < tile.padded; begin += 16) {
    Prefetch(next + begin * kTileRows);
    for (std::size_t d = begin; d < begin + 16; d += 2) {
      const __m256i first = Load(packed + d * kTileQueries);
      const __m256i second = Load(packed + d * kTileQueries + 16);
      Unrolled<kTileRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
        const __m256i code = Broadcast4Bytes(rows + row * tile.padded + d);
        sums.of[row][0] = _mm256_add_epi32(sums.of[row][0], _mm256_madd_epi16(code, first));
        sums.of[row][1] = _mm256_add_epi32(sums.of[row][1], _mm256_madd_epi16(code, second));
        InOrder(sums.of[row][0]);
        InOrder(sums.of[row][1]);
      });
    }
  }
  found = sums;
}

// Sums of unsigned times signed bytes, four positions a step, and the next block in the same way.
template <bool kIs4Bit>
SYNOPTIC_INLINE void AddBytes(Sums& found, const CodesTile& tile, const std::uint8_t* rows,
                              const char* next) noexcept {
  const auto* packed = static_cast<const std::int8_t*>(tile.packed);
  Sums sums = {};
  for (std::size_t begin = 0; begin < tile.padded; begin += 32) {
    Prefetch(next + begin * (kIs4Bit ? 2 : 4));
    if (!kIs4Bit) Prefetch(next + begin * 4 + 64);
#ifdef SYNOPTIC_AVX_VNNI
    for (std::size_t d = begin; d < begin + 32; d += 4) {
      const __m256i first = Load(packed + d * kTileQueries);
      const __m256i second = Load(packed + d * kTileQueries + 32);
      Unrolled<kTileRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
        const __m256i code = Broadcast4Bytes(rows + row * tile.padded + d);
        sums.of[row][0] = _mm256_dpbusd_avx_epi32(sums.of[row][0], code, first);
        sums.of[row][1] = _mm256_dpbusd_avx_epi32(sums.of[row][1], code, second);
        InOrder(sums.of[row][0]);
        InOrder(sums.of[row][1]);
      });
    }
#else
    // Eight steps of four positions fit into 16 bits.
    Sums part = {};
    SYNOPTIC_UNROLL(8)
    for (std::size_t d = begin; d < begin + 32; d += 4) {
      const __m256i first = Load(packed + d * kTileQueries);
      const __m256i second = Load(packed + d * kTileQueries + 32);
      Unrolled<kTileRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
        const __m256i code = Broadcast4Bytes(rows + row * tile.padded + d);
        part.of[row][0] = _mm256_add_epi16(part.of[row][0], _mm256_maddubs_epi16(code, first));
        part.of[row][1] = _mm256_add_epi16(part.of[row][1], _mm256_maddubs_epi16(code, second));
        InOrder(part.of[row][0]);
        InOrder(part.of[row][1]);
      });
    }
    const __m256i ones = _mm256_set1_epi16(1);
    Unrolled<kTileRows>([&](auto row) SYNOPTIC_INLINE_LAMBDA {
      for (int half = 0; half < 2; ++half) {
        sums.of[row][half] =
            _mm256_add_epi32(sums.of[row][half], _mm256_madd_epi16(part.of[row][half], ones));
      }
    });
#endif
  }
  found = sums;
}

template <bool kIs4Bit>
SYNOPTIC_INLINE std::size_t ScoreTile(const CodesTile& tile, const void* rows, const float* meta,
                                      const float* tau, TileHit* hits) noexcept {
  const auto* next_block = reinterpret_cast<const char*>(meta + (3 + tile.directions) * kBlockRows);
  std::size_t count = 0;
  for (std::size_t row = 0; row < kBlockRows; row += kTileRows) {
    Sums sums;
#ifdef SYNOPTIC_AVX_VNNI
    constexpr bool kBytes = true;
#else
    constexpr bool kBytes = kIs4Bit;
#endif
    const char* next = next_block + row * tile.padded / (kIs4Bit ? 2 : 1);
    if constexpr (kBytes) {
      AddBytes<kIs4Bit>(sums, tile, static_cast<const std::uint8_t*>(rows) + row * tile.padded,
                        next);
    } else {
      AddWide(sums, tile, static_cast<const std::int16_t*>(rows) + row * tile.padded, next);
    }
    __m256 directions[kTileRows][2];
    AddDirections<kTileRows>(tile, meta, row, directions);
    for (std::size_t i = 0; i < kTileRows; ++i) {
      for (std::size_t half = 0; half < 2; ++half) {
        const __m256i sum = kIs4Bit ? _mm256_slli_epi32(sums.of[i][half], 1) : sums.of[i][half];
        count += BoundQueries(tile, sum, directions[i][half], meta, row + i, half * 8, tau,
                              hits + count);
      }
    }
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

#ifdef SYNOPTIC_AVX_VNNI
const CodesKernels kAvxVnniCodes = {Bounds8,    Bounds4,    Unpack8, Unpack4,
                                    ScoreTile8, ScoreTile4, false,   128};
#else
const CodesKernels kAvx2Codes = {Bounds8,    Bounds4,    Unpack8, Unpack4,
                                 ScoreTile8, ScoreTile4, true,    0};
#endif

}  // namespace synoptic
