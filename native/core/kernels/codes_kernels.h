// The functions over shadows that instruction sets fill. Integer sums are exact, so every set finds
// the same; the float32 arithmetic on top may round differently, within the query's slack.

#ifndef SYNOPTIC_KERNELS_CODES_KERNELS_H_
#define SYNOPTIC_KERNELS_CODES_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/codes_layout.h"

namespace synoptic {

// One query against one shadow: w = R(q - B h) is about scale * wide, h is `head`. A row's bounds
// are
//   s * scale * sum(c * wide) + sum(head * h_x)  plus and minus  rho * norm + |s c| * phi + slack.
struct ShadowQuery {
  std::size_t padded;
  std::size_t heads;
  std::size_t code_bytes;
  std::size_t block_bytes;
  // wide = 256 * high + low, with a sum of |wide| that keeps 127 * it below 2^31; aligned to 64
  // bytes.
  const std::int16_t* wide;
  const std::int8_t* high;
  const std::int8_t* low;
  std::int32_t wide_sum;
  float scale;
  float norm;   // >= |w|
  float phi;    // >= |w - scale * wide|
  float slack;  // every rounding of the bounds and of the canonical score
  float head[kMaxHeads];
};

// Queries of a tile.
constexpr std::size_t kTileQueries = 16;

// 16 queries against one shadow with 7-bit or 15-bit queries; unused places have `scale` 0.
struct ShadowTile {
  std::size_t padded;
  std::size_t heads;
  // [padded / 4][16][4] int8, or [padded / 2][16][2] int16 where tile8_is_wide; aligned to 64
  // bytes.
  const void* packed;
  // 4 bits: 15 * sum(w); 8 bits, not wide: tile8_bias * sum(w); wide: 0.
  std::int32_t offset[kTileQueries];
  float scale[kTileQueries];
  float norm[kTileQueries];
  float phi[kTileQueries];
  float head[kMaxHeads][kTileQueries];
  float slack;
};

struct TileHit {
  float upper;
  float lower;
  std::uint16_t row;
  std::uint16_t query;
};

struct ShadowKernels {
  // Bounds of 16 * count rows; bit r of passing[b]: row 16 b + r has upper >= tau.
  using Bounds = void (*)(const ShadowQuery& query, const std::uint8_t* blocks, std::size_t count,
                          float tau, float* upper, float* lower, std::uint16_t* passing) noexcept;
  Bounds bounds8;
  Bounds bounds4;

  // Unpacks the codes of a block for the same set's tiles: 8 bits: int16 where tile8_is_wide, else
  // uint8 with 128 added; 4 bits: n as uint8. 16 x `padded` in the order that the tiles like best,
  // aligned to 64 bytes.
  using Unpack = void (*)(const std::uint8_t* block, std::size_t padded, void* rows) noexcept;
  Unpack unpack8;
  Unpack unpack4;

  // The pairs of a block of 16 rows and a tile with upper >= tau[query]; `meta` are the block's
  // floats. Returns how many; `hits` has room for all 256.
  using ScoreTile = std::size_t (*)(const ShadowTile& tile, const void* rows, const float* meta,
                                    const float* tau, TileHit* hits) noexcept;
  ScoreTile tile8;
  ScoreTile tile4;
  bool tile8_is_wide;
  std::int32_t tile8_bias;
};

extern const ShadowKernels kScalarShadow;
#if defined(SYNOPTIC_X86)
extern const ShadowKernels kAvx2Shadow;
extern const ShadowKernels kAvxVnniShadow;
extern const ShadowKernels kAvx512VnniShadow;
#elif defined(SYNOPTIC_ARM64)
extern const ShadowKernels kNeonDotShadow;
#endif

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_CODES_KERNELS_H_
