// NEON kernels over quantized codes with SDOT: four products of signed bytes added at a time.

#include <arm_neon.h>

#include <cstring>

#include "base/compiler.h"
#include "kernels/codes_kernels.h"

namespace synoptic {
namespace {

SYNOPTIC_INLINE int8x16_t Load(const void* from) noexcept {
  return vld1q_s8(static_cast<const std::int8_t*>(from));
}

SYNOPTIC_INLINE std::int32_t DotRow8(const CodesQuery& query, const std::uint8_t* codes) noexcept {
  int32x4_t high = vdupq_n_s32(0), low = vdupq_n_s32(0);
  for (std::size_t d = 0; d < query.padded; d += 16) {
    const int8x16_t code = Load(codes + d);
    high = vdotq_s32(high, code, Load(query.high + d));
    low = vdotq_s32(low, code, Load(query.low + d));
  }
  return vaddvq_s32(vaddq_s32(vshlq_n_s32(high, 8), low));
}

SYNOPTIC_INLINE std::int32_t DotRow4(const CodesQuery& query, const std::uint8_t* codes) noexcept {
  int32x4_t high = vdupq_n_s32(0), low = vdupq_n_s32(0);
  for (std::size_t group = 0; group < query.padded; group += 128) {
    for (std::size_t d = group; d < group + 64; d += 16) {
      const uint8x16_t both = vld1q_u8(codes + group / 2 + (d - group));
      const int8x16_t first = vreinterpretq_s8_u8(vandq_u8(both, vdupq_n_u8(15)));
      const int8x16_t second = vreinterpretq_s8_u8(vshrq_n_u8(both, 4));
      high = vdotq_s32(high, first, Load(query.high + d));
      low = vdotq_s32(low, first, Load(query.low + d));
      high = vdotq_s32(high, second, Load(query.high + d + 64));
      low = vdotq_s32(low, second, Load(query.low + d + 64));
    }
  }
  return vaddvq_s32(vaddq_s32(vshlq_n_s32(high, 8), low));
}

// Bounds of the rows of a block from their integer sums; returns the bits of those that pass. Plain
// loops over 16: the compiler makes vectors of them.
SYNOPTIC_INLINE unsigned BoundRows(const CodesQuery& query, const std::int32_t* sums,
                                   const float* meta, float tau, float* upper,
                                   float* lower) noexcept {
  float value[kBlockRows], error[kBlockRows];
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    value[row] = meta[row] * (query.scale * static_cast<float>(sums[row]));
    error[row] = meta[kBlockRows + row] * query.norm +
                 (meta[2 * kBlockRows + row] * query.phi + query.slack);
  }
  for (std::size_t direction = 0; direction < query.directions; ++direction) {
    const float* directions = meta + (3 + direction) * kBlockRows;
    for (std::size_t row = 0; row < kBlockRows; ++row)
      value[row] += query.along[direction] * directions[row];
  }
  unsigned bits = 0;
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    upper[row] = value[row] + error[row];
    lower[row] = value[row] - error[row];
    bits |= static_cast<unsigned>(upper[row] >= tau) << row;
  }
  return bits;
}

template <bool kIs4Bit>
SYNOPTIC_INLINE void Bounds(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count,
                            float tau, float* upper, float* lower,
                            std::uint16_t* passing) noexcept {
  for (std::size_t block = 0; block < count; ++block) {
    const std::uint8_t* codes = blocks + block * query.block_bytes;
    std::int32_t sums[kBlockRows];
    for (std::size_t row = 0; row < kBlockRows; ++row) {
      const std::uint8_t* row_codes = codes + row * query.code_bytes;
      sums[row] =
          kIs4Bit ? 2 * DotRow4(query, row_codes) - 15 * query.wide_sum : DotRow8(query, row_codes);
    }
    const auto* meta = reinterpret_cast<const float*>(codes + kBlockRows * query.code_bytes);
    passing[block] = static_cast<std::uint16_t>(
        BoundRows(query, sums, meta, tau, upper + block * kBlockRows, lower + block * kBlockRows));
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
  std::memcpy(rows, block, kBlockRows * padded);
}

void Unpack4(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* to = static_cast<std::uint8_t*>(rows);
  for (std::size_t i = 0; i < kBlockRows * padded / 2; i += 16) {
    const uint8x16_t both = vld1q_u8(block + i);
    std::uint8_t* group = to + i / 64 * 128 + i % 64;
    vst1q_u8(group, vandq_u8(both, vdupq_n_u8(15)));
    vst1q_u8(group + 64, vshrq_n_u8(both, 4));
  }
}

// Rows of a register tile: 4 x 16 queries are 16 accumulators.
constexpr std::size_t kTileRows = 4;

// Four positions of four rows, which are lane kLane of `codes`, times 16 queries.
template <int kLane>
SYNOPTIC_INLINE void AddLane(int32x4_t (*sums)[4], const int8x16_t* codes,
                             const std::int8_t* packed) noexcept {
  for (std::size_t part = 0; part < 4; ++part) {
    const int8x16_t queries = Load(packed + kLane * 4 * kTileQueries + part * 16);
    for (std::size_t row = 0; row < kTileRows; ++row) {
      sums[row][part] = vdotq_laneq_s32(sums[row][part], queries, codes[row], kLane);
    }
  }
}

template <bool kIs4Bit>
SYNOPTIC_INLINE std::size_t ScoreTile(const CodesTile& tile, const void* rows, const float* meta,
                                      const float* tau, TileHit* hits) noexcept {
  const auto* packed = static_cast<const std::int8_t*>(tile.packed);
  std::size_t count = 0;
  for (std::size_t first = 0; first < kBlockRows; first += kTileRows) {
    const std::uint8_t* codes = static_cast<const std::uint8_t*>(rows) + first * tile.padded;
    int32x4_t sums[kTileRows][4];
    for (auto& row : sums) {
      for (auto& part : row) part = vdupq_n_s32(0);
    }
    for (std::size_t d = 0; d < tile.padded; d += 16) {
      int8x16_t row_codes[kTileRows];
      for (std::size_t row = 0; row < kTileRows; ++row) {
        row_codes[row] = Load(codes + row * tile.padded + d);
      }
      AddLane<0>(sums, row_codes, packed + d * kTileQueries);
      AddLane<1>(sums, row_codes, packed + d * kTileQueries);
      AddLane<2>(sums, row_codes, packed + d * kTileQueries);
      AddLane<3>(sums, row_codes, packed + d * kTileQueries);
    }
    for (std::size_t i = 0; i < kTileRows; ++i) {
      const std::size_t row = first + i;
      std::int32_t exact[kTileQueries];
      float value[kTileQueries], error[kTileQueries];
      for (std::size_t part = 0; part < 4; ++part) vst1q_s32(exact + part * 4, sums[i][part]);
      for (std::size_t query = 0; query < kTileQueries; ++query) {
        const std::int32_t sum = (kIs4Bit ? 2 : 1) * exact[query] - tile.offset[query];
        value[query] = meta[row] * (tile.scale[query] * static_cast<float>(sum));
        error[query] = meta[kBlockRows + row] * tile.norm[query] +
                       (meta[2 * kBlockRows + row] * tile.phi[query] + tile.slack);
      }
      for (std::size_t direction = 0; direction < tile.directions; ++direction) {
        const float along = meta[(3 + direction) * kBlockRows + row];
        for (std::size_t query = 0; query < kTileQueries; ++query) {
          value[query] += tile.along[direction][query] * along;
        }
      }
      for (std::size_t query = 0; query < kTileQueries; ++query) {
        const float upper = value[query] + error[query];
        if (!(upper >= tau[query])) continue;
        hits[count++] = {upper, value[query] - error[query], static_cast<std::uint16_t>(row),
                         static_cast<std::uint16_t>(query)};
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

const CodesKernels kNeonDotCodes = {Bounds8,    Bounds4,    Unpack8, Unpack4,
                                    ScoreTile8, ScoreTile4, false,   0};

}  // namespace synoptic
