// The functions over quantized codes that instruction sets fill. Integer sums are exact, so every
// set finds the same; the float32 arithmetic on top may round differently, within the query's
// slack.

#ifndef SYNOPTIC_KERNELS_CODES_KERNELS_H_
#define SYNOPTIC_KERNELS_CODES_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/codes_layout.h"

namespace synoptic {

// One query against one column's codes: w = R(q - B h) is about scale * wide, h is `along`. A row's
// bounds are
//   s * scale * sum(c * wide) + sum(along * h_x)  plus and minus  rho * norm + |s c| * phi + slack.
struct CodesQuery {
  std::size_t padded;
  std::size_t directions;
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
  float slack;  // every rounding of the bounds and of the exact score
  float along[kMaxDirections];
};

// Queries of a tile.
constexpr std::size_t kTileQueries = 16;

// 16 queries against one column's codes with 7-bit or 15-bit queries; unused slots have `scale` 0.
struct CodesTile {
  std::size_t padded;
  std::size_t directions;
  // [padded / 4][16][4] int8, or [padded / 2][16][2] int16 where tile8_is_wide; aligned to 64
  // bytes.
  const void* packed;
  // 4 bits: 15 * sum(w); 8 bits, not wide: tile8_bias * sum(w); wide: 0.
  std::int32_t offset[kTileQueries];
  float scale[kTileQueries];
  float norm[kTileQueries];
  float phi[kTileQueries];
  float along[kMaxDirections][kTileQueries];
  float slack;
};

struct TileHit {
  float upper;
  float lower;
  std::uint16_t row;
  std::uint16_t query;
};

struct CodesKernels {
  // Bounds of 16 * count rows; bit r of passing[b]: row 16 b + r has upper >= tau.
  using Bounds = void (*)(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count,
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
  using ScoreTile = std::size_t (*)(const CodesTile& tile, const void* rows, const float* meta,
                                    const float* tau, TileHit* hits) noexcept;
  ScoreTile tile8;
  ScoreTile tile4;
  bool tile8_is_wide;
  std::int32_t tile8_bias;
};

extern const CodesKernels kScalarCodes;
#if defined(SYNOPTIC_X86)
extern const CodesKernels kAvx2Codes;
extern const CodesKernels kAvxVnniCodes;
extern const CodesKernels kAvx512VnniCodes;
#elif defined(SYNOPTIC_ARM64)
extern const CodesKernels kNeonDotCodes;
#endif

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_CODES_KERNELS_H_
