// Every set of kernels over quantized codes against the scalar ones. With no directions and unit
// scales a bound is one conversion of an integer sum, so the sums themselves are compared, bit for
// bit, at their extremes.

#include "kernels/codes_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/aligned.h"
#include "fixtures.h"
#include "harness.h"
#include "kernel_tables.h"

namespace synoptic {
namespace {

constexpr std::size_t kDimensions[] = {1, 63, 64, 65, 128, 129, 384, 768, 1040, 4096};
constexpr std::size_t kBlocks = 3;

enum class Fill { kRandom, kLargest, kSmallest };

struct Example {
  CodesLayout layout;
  AlignedVector<std::uint8_t> blocks;
  AlignedVector<std::int16_t> wide;
  AlignedVector<std::int8_t> high, low;
  CodesQuery query;
};

Example MakeExample(std::size_t dimension, std::size_t bits, std::size_t directions, Fill fill,
                    std::uint32_t seed) {
  Example example{{dimension, bits, directions}, {}, {}, {}, {}, {}};
  const std::size_t padded = example.layout.padded();
  std::mt19937 generator(seed);
  example.blocks.resize(kBlocks * example.layout.block_bytes());
  const std::size_t code_bytes = kBlockRows * example.layout.code_bytes();
  for (std::size_t block = 0; block < kBlocks; ++block) {
    std::uint8_t* codes = example.blocks.data() + block * example.layout.block_bytes();
    for (std::size_t i = 0; i < code_bytes; ++i) {
      // -128 is not a code; four bits take every byte.
      const int code = bits == 8 ? static_cast<int>(generator() % 255) - 127
                                 : static_cast<int>(generator() % 256);
      const int largest = bits == 8 ? 127 : 255, smallest = bits == 8 ? -127 : 0;
      codes[i] = static_cast<std::uint8_t>(fill == Fill::kRandom    ? code
                                           : fill == Fill::kLargest ? largest
                                                                    : smallest);
    }
    auto* meta = reinterpret_cast<float*>(codes + code_bytes);
    for (std::size_t i = 0; i < (3 + directions) * kBlockRows; ++i) {
      meta[i] = directions == 0 ? (i < kBlockRows ? 1.0f : 0.0f)
                                : static_cast<float>(generator() % 1000) / 1000;
    }
  }
  // The largest magnitude that the contract allows at this length.
  const int limit =
      std::min(32512, static_cast<int>(0x1p31 / 127 / static_cast<double>(padded)) - 1);
  example.wide.resize(padded);
  example.high.resize(padded);
  example.low.resize(padded);
  for (std::size_t d = 0; d < padded; ++d) {
    const int random = static_cast<int>(generator() % static_cast<unsigned>(2 * limit + 1)) - limit;
    const int value = fill == Fill::kRandom ? random : d % 7 == 3 ? -limit : limit;
    example.wide[d] = static_cast<std::int16_t>(value);
    example.low[d] = static_cast<std::int8_t>(value & 255);
    example.high[d] = static_cast<std::int8_t>((value - example.low[d]) / 256);
  }
  CodesQuery& query = example.query;
  query = {};
  query.padded = padded;
  query.directions = directions;
  query.code_bytes = example.layout.code_bytes();
  query.block_bytes = example.layout.block_bytes();
  query.wide = example.wide.data();
  query.high = example.high.data();
  query.low = example.low.data();
  for (const std::int16_t value : example.wide) query.wide_sum += value;
  query.scale = directions == 0 ? 1 : 1e-8f;
  query.norm = directions == 0 ? 0 : 0.5f;
  query.phi = directions == 0 ? 0 : 0.01f;
  query.slack = directions == 0 ? 0 : 1e-6f;
  for (std::size_t direction = 0; direction < directions; ++direction)
    query.along[direction] = 0.1f * static_cast<float>(direction);
  return example;
}

bool Near(float actual, float expected, std::size_t directions) {
  if (directions == 0) {
    return std::bit_cast<std::uint32_t>(actual) == std::bit_cast<std::uint32_t>(expected);
  }
  return std::fabs(actual - expected) <= 2e-6f * (1 + std::fabs(expected));
}

void CheckBounds(const CodesKernels& kernels, const Example& example) {
  const bool is_4_bit = example.layout.bits == 4;
  const auto actual_bounds = is_4_bit ? kernels.bounds4 : kernels.bounds8;
  const auto expected_bounds = is_4_bit ? kScalarCodes.bounds4 : kScalarCodes.bounds8;
  float upper[2][kBlocks * kBlockRows], lower[2][kBlocks * kBlockRows];
  std::uint16_t passing[2][kBlocks];
  expected_bounds(example.query, example.blocks.data(), kBlocks, 0, upper[0], lower[0], passing[0]);
  // A threshold that some rows pass and, being one of them, one row meets exactly.
  std::vector<float> sorted(upper[0], upper[0] + kBlocks * kBlockRows);
  std::sort(sorted.begin(), sorted.end());
  const float tau = sorted[sorted.size() / 2];
  expected_bounds(example.query, example.blocks.data(), kBlocks, tau, upper[0], lower[0],
                  passing[0]);
  actual_bounds(example.query, example.blocks.data(), kBlocks, tau, upper[1], lower[1], passing[1]);
  for (std::size_t i = 0; i < kBlocks * kBlockRows; ++i) {
    CHECK(Near(upper[1][i], upper[0][i], example.query.directions));
    CHECK(Near(lower[1][i], lower[0][i], example.query.directions));
    const bool passes = (passing[1][i / kBlockRows] >> i % kBlockRows & 1) != 0;
    CHECK_EQUAL(passes, upper[1][i] >= tau);
  }
}

void CheckTiles(const CodesKernels& kernels, const Example& example) {
  const std::size_t padded = example.layout.padded();
  const bool is_4_bit = example.layout.bits == 4;
  const bool wide = kernels.tile8_is_wide && !is_4_bit;
  const auto unpack = is_4_bit ? kernels.unpack4 : kernels.unpack8;
  const auto score = is_4_bit ? kernels.tile4 : kernels.tile8;
  AlignedVector<std::int16_t> wide_queries(padded * kTileQueries);
  AlignedVector<std::int8_t> narrow_queries(padded * kTileQueries);
  CodesTile tile = {};
  tile.padded = padded;
  tile.directions = example.layout.directions;
  tile.packed = wide ? static_cast<const void*>(wide_queries.data()) : narrow_queries.data();
  tile.slack = example.query.slack;
  std::vector<std::vector<int>> queries(kTileQueries, std::vector<int>(padded));
  std::mt19937 generator(11);
  for (std::size_t query = 0; query < kTileQueries; ++query) {
    int sum = 0;
    for (std::size_t d = 0; d < padded; ++d) {
      int value = static_cast<int>(generator() % 255) - 127;
      if (query < 2) value = query == 0 ? 127 : -127;
      queries[query][d] = value;
      sum += value;
      wide_queries[(d / 2 * kTileQueries + query) * 2 + d % 2] = static_cast<std::int16_t>(value);
      narrow_queries[(d / 4 * kTileQueries + query) * 4 + d % 4] = static_cast<std::int8_t>(value);
    }
    tile.offset[query] = is_4_bit ? 15 * sum : wide ? 0 : kernels.tile8_bias * sum;
    tile.scale[query] = example.query.scale;
    tile.norm[query] = example.query.norm;
    tile.phi[query] = example.query.phi;
    for (std::size_t direction = 0; direction < kMaxDirections; ++direction) {
      tile.along[direction][query] = example.query.along[direction];
    }
  }
  AlignedVector<std::uint8_t> rows(kBlockRows * padded * 2);
  TileHit hits[kBlockRows * kTileQueries];
  const std::uint8_t* block = example.blocks.data() + example.layout.block_bytes();
  const auto* meta =
      reinterpret_cast<const float*>(block + kBlockRows * example.layout.code_bytes());
  unpack(block, padded, rows.data());
  float thresholds[kTileQueries];
  std::fill_n(thresholds, kTileQueries, -std::numeric_limits<float>::infinity());
  // A place without a query never passes.
  thresholds[kTileQueries - 1] = std::numeric_limits<float>::infinity();
  const std::size_t count = score(tile, rows.data(), meta, thresholds, hits);
  CHECK_EQUAL(count, kBlockRows * (kTileQueries - 1));
  // The same pairs through the scalar kernel for one query; both extremes and two others.
  for (const std::size_t query : {0, 1, 7, 14}) {
    AlignedVector<std::int16_t> values(padded);
    CodesQuery single = example.query;
    single.wide = values.data();
    single.wide_sum = 0;
    for (std::size_t d = 0; d < padded; ++d) {
      values[d] = static_cast<std::int16_t>(queries[query][d]);
      single.wide_sum += values[d];
    }
    float upper[kBlockRows], lower[kBlockRows];
    std::uint16_t passing;
    const auto bounds = is_4_bit ? kScalarCodes.bounds4 : kScalarCodes.bounds8;
    bounds(single, block, 1, 0, upper, lower, &passing);
    for (std::size_t i = 0; i < count; ++i) {
      if (hits[i].query != query) continue;
      CHECK(Near(hits[i].upper, upper[hits[i].row], example.layout.directions));
      CHECK(Near(hits[i].lower, lower[hits[i].row], example.layout.directions));
    }
  }
}

TEST(CodesKernelsAgreeWithScalar) {
  for (const CodesKernels* kernels : test::RunnableCodes()) {
    for (const std::size_t bits : {4, 8}) {
      for (const std::size_t dimension : kDimensions) {
        for (const Fill fill : {Fill::kRandom, Fill::kLargest, Fill::kSmallest}) {
          for (const std::size_t directions : {0, 1, 8}) {
            const Example example = MakeExample(dimension, bits, directions, fill, 5);
            CheckBounds(*kernels, example);
            CheckTiles(*kernels, example);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace synoptic
