// The specification of the kernels over quantized codes.

#include <type_traits>

#include "kernels/codes_kernels.h"

namespace synoptic {
namespace {

struct RowBounds {
  float upper;
  float lower;
};

// `meta` are a block's floats: s[16], rho[16], |s c|[16], along[directions][16].
template <class Query>
RowBounds BoundsOf(const Query& query, std::size_t directions, float scale, float norm, float phi,
                   float slack, std::int32_t sum, const float* meta, std::size_t row) noexcept {
  float value = meta[row] * (scale * static_cast<float>(sum));
  for (std::size_t direction = 0; direction < directions; ++direction) {
    value += query(direction) * meta[(3 + direction) * kBlockRows + row];
  }
  const float error = meta[kBlockRows + row] * norm + (meta[2 * kBlockRows + row] * phi + slack);
  return {value + error, value - error};
}

// The code at a position of a row: c of 8 bits, n of 4.
std::int32_t Code8(const std::uint8_t* codes, std::size_t d) noexcept {
  return static_cast<std::int8_t>(codes[d]);
}
std::int32_t Code4(const std::uint8_t* codes, std::size_t d) noexcept {
  return codes[d / 128 * 64 + d % 64] >> (d % 128 / 64 * 4) & 15;
}

template <std::int32_t (*Code)(const std::uint8_t*, std::size_t) noexcept, bool kIs4Bit>
void Bounds(const CodesQuery& query, const std::uint8_t* blocks, std::size_t count, float tau,
            float* upper, float* lower, std::uint16_t* passing) noexcept {
  for (std::size_t block = 0; block < count; ++block) {
    const std::uint8_t* codes = blocks + block * query.block_bytes;
    const auto* meta = reinterpret_cast<const float*>(codes + kBlockRows * query.code_bytes);
    passing[block] = 0;
    for (std::size_t row = 0; row < kBlockRows; ++row) {
      std::int32_t sum = 0;
      for (std::size_t d = 0; d < query.padded; ++d) {
        sum += Code(codes + row * query.code_bytes, d) * query.wide[d];
      }
      if (kIs4Bit) sum = 2 * sum - 15 * query.wide_sum;
      const RowBounds bounds =
          BoundsOf([&](std::size_t direction) { return query.along[direction]; }, query.directions,
                   query.scale, query.norm, query.phi, query.slack, sum, meta, row);
      upper[block * kBlockRows + row] = bounds.upper;
      lower[block * kBlockRows + row] = bounds.lower;
      if (bounds.upper >= tau) passing[block] |= static_cast<std::uint16_t>(1u << row);
    }
  }
}

void Unpack8(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* wide = static_cast<std::int16_t*>(rows);
  for (std::size_t i = 0; i < kBlockRows * padded; ++i)
    wide[i] = static_cast<std::int8_t>(block[i]);
}

void Unpack4(const std::uint8_t* block, std::size_t padded, void* rows) noexcept {
  auto* codes = static_cast<std::uint8_t*>(rows);
  for (std::size_t i = 0; i < kBlockRows * padded; ++i) {
    codes[i] = static_cast<std::uint8_t>(Code4(block + i / padded * (padded / 2), i % padded));
  }
}

template <class Value, std::size_t kGroup, bool kIs4Bit>
std::size_t ScoreTile(const CodesTile& tile, const void* rows, const float* meta, const float* tau,
                      TileHit* hits) noexcept {
  using Packed = std::conditional_t<kIs4Bit, std::int8_t, std::int16_t>;
  const auto* codes = static_cast<const Value*>(rows);
  const auto* packed = static_cast<const Packed*>(tile.packed);
  std::size_t count = 0;
  for (std::size_t row = 0; row < kBlockRows; ++row) {
    for (std::size_t query = 0; query < kTileQueries; ++query) {
      std::int32_t sum = 0;
      for (std::size_t d = 0; d < tile.padded; ++d) {
        sum += codes[row * tile.padded + d] *
               packed[(d / kGroup * kTileQueries + query) * kGroup + d % kGroup];
      }
      if (kIs4Bit) sum = 2 * sum;
      const RowBounds bounds =
          BoundsOf([&](std::size_t direction) { return tile.along[direction][query]; },
                   tile.directions, tile.scale[query], tile.norm[query], tile.phi[query],
                   tile.slack, sum - tile.offset[query], meta, row);
      if (!(bounds.upper >= tau[query])) continue;
      hits[count++] = {bounds.upper, bounds.lower, static_cast<std::uint16_t>(row),
                       static_cast<std::uint16_t>(query)};
    }
  }
  return count;
}

}  // namespace

const CodesKernels kScalarCodes = {Bounds<Code8, false>,
                                   Bounds<Code4, true>,
                                   Unpack8,
                                   Unpack4,
                                   ScoreTile<std::int16_t, 2, false>,
                                   ScoreTile<std::uint8_t, 4, true>,
                                   true,
                                   0};

}  // namespace synoptic
