// The bounds hold: for random and hostile rows and queries the exact score lies between them,
// and they are not wider than the codes explain.

#include <algorithm>
#include <cmath>

#include "fixtures.h"
#include "harness.h"
#include "kernel_tables.h"
#include "kernels/cpu.h"
#include "quantized/codes_space.h"

namespace synoptic {
namespace {

#ifdef SYNOPTIC_SLOW
// An emulated processor, whose long double is emulated once more.
constexpr std::size_t kDimensions[] = {1, 65, 384};
#else
constexpr std::size_t kDimensions[] = {1, 15, 63, 64, 65, 127, 383, 768, 1040, 4096};
#endif
constexpr std::size_t kRows = 48;

// The score in extended precision.
double TrueScore(const float* a, const float* b, std::size_t dimension) {
  long double product = 0, square_a = 0, square_b = 0;
  for (std::size_t d = 0; d < dimension; ++d) {
    product += static_cast<long double>(a[d]) * b[d];
    square_a += static_cast<long double>(a[d]) * a[d];
    square_b += static_cast<long double>(b[d]) * b[d];
  }
  return static_cast<double>(product / (std::sqrt(square_a) * std::sqrt(square_b)));
}

double Norm(const float* values, std::size_t dimension) {
  double square = 0;
  for (std::size_t d = 0; d < dimension; ++d) square += static_cast<double>(values[d]) * values[d];
  return std::sqrt(square);
}

bool IsValid(const float* values, std::size_t dimension) {
  const double norm = Norm(values, dimension);
  return norm > 0 && std::isfinite(norm);
}

// Orthonormal directions: some coordinates, and a mean direction among them.
std::vector<double> SomeBasis(std::size_t dimension, std::size_t directions) {
  std::vector<double> basis(directions * dimension);
  for (std::size_t direction = 0; direction < directions; ++direction)
    basis[direction * dimension + direction] = 1;
  return basis;
}

std::vector<float> HostileQueries(const std::vector<float>& rows, std::size_t dimension,
                                  const CodesSpace& space) {
  std::vector<float> queries = test::RandomValues(dimension, 77);
  const auto add = [&](const std::vector<float>& query) {
    queries.insert(queries.end(), query.begin(), query.end());
  };
  // A row itself, its opposite, one coordinate, all equal, tiny and huge.
  for (std::size_t row = 0; row < 12; ++row) {
    const float* x = rows.data() + row * dimension;
    if (IsValid(x, dimension)) add({x, x + dimension});
  }
  std::vector<float> opposite(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(dimension));
  for (float& value : opposite) value = -value;
  add(opposite);
  std::vector<float> single(dimension);
  single[dimension / 2] = 1;
  add(single);
  add(std::vector<float>(dimension, 1e-18f));
  add(std::vector<float>(dimension, -1e17f));
  // Parallel to what the codes of the first row leave out: the worst case of the residual's bound.
  AlignedVector<std::uint8_t> block(space.layout.block_bytes());
  std::vector<double> scratch(2 * space.layout.padded());
  space.WriteRow(rows.data(), Norm(rows.data(), dimension), 0, scratch.data(), block.data());
  if (space.layout.directions == 0 && dimension == space.layout.padded() &&
      space.layout.bits == 8) {
    const float scale =
        *reinterpret_cast<const float*>(block.data() + kBlockRows * space.layout.code_bytes());
    std::vector<float> worst(dimension);
    // R is orthogonal: e in code space comes from R' e; find it by rotating unit vectors.
    std::vector<double> unit(dimension), turned(dimension);
    for (std::size_t d = 0; d < dimension; ++d) {
      unit.assign(dimension, 0);
      unit[d] = 1;
      space.rotation->Apply(unit.data(), turned.data());
      double along = 0;
      for (std::size_t i = 0; i < dimension; ++i) {
        const double code = static_cast<double>(scale) * static_cast<std::int8_t>(block[i]);
        along += unit[i] * (scratch[i] - code);
      }
      worst[d] = static_cast<float>(along * 1e3);
    }
    if (IsValid(worst.data(), dimension)) add(worst);
  }
  return queries;
}

struct Tightness {
  double largest_ratio = 0;
  double error = 0;
  double bound = 0;
};

void CheckPair(float upper, float lower, double score, Tightness& tightness) {
  CHECK(upper >= static_cast<float>(score));
  CHECK(lower <= static_cast<float>(score));
  const double half = (static_cast<double>(upper) - lower) / 2;
  const double error = std::fabs((static_cast<double>(upper) + lower) / 2 - score);
  tightness.largest_ratio = std::max(tightness.largest_ratio, error / half);
  tightness.error += error;
  tightness.bound += half;
}

Tightness CheckSpace(const CodesKernels& kernels, const CodesLayout& layout,
                     const std::vector<float>& rows) {
  const std::size_t dimension = layout.dimension;
  const CodesSpace space(layout, SomeBasis(dimension, layout.directions));
  AlignedVector<std::uint8_t> blocks(kRows / kBlockRows * layout.block_bytes());
  std::vector<double> scratch(2 * layout.padded());
  for (std::size_t row = 0; row < kRows; ++row) {
    const float* x = rows.data() + row * dimension;
    if (!IsValid(x, dimension)) continue;
    space.WriteRow(x, Norm(x, dimension), row % kBlockRows, scratch.data(),
                   blocks.data() + row / kBlockRows * layout.block_bytes());
  }
  const std::vector<float> queries = HostileQueries(rows, dimension, space);
  const bool is_4_bit = layout.bits == 4;
  Tightness tightness;
  std::vector<RotatedQuery> rotated;
  for (std::size_t at = 0; at < queries.size(); at += dimension) {
    std::vector<double> widened(queries.begin() + static_cast<std::ptrdiff_t>(at),
                                queries.begin() + static_cast<std::ptrdiff_t>(at + dimension));
    rotated.push_back(space.Rotate(widened.data(), Norm(queries.data() + at, dimension)));
    const SingleQuery single(space, rotated.back());
    float upper[kRows], lower[kRows];
    std::uint16_t passing[kRows / kBlockRows];
    (is_4_bit ? kernels.bounds4 : kernels.bounds8)(single.kernel_query(), blocks.data(),
                                                   kRows / kBlockRows, 0, upper, lower, passing);
    for (std::size_t row = 0; row < kRows; ++row) {
      const float* x = rows.data() + row * dimension;
      if (!IsValid(x, dimension)) continue;
      CheckPair(upper[row], lower[row], TrueScore(queries.data() + at, x, dimension), tightness);
    }
  }
  // The same pairs in tiles, the last one not full.
  AlignedVector<std::uint8_t> unpacked(kBlockRows * layout.padded() * 2);
  TileHit hits[kBlockRows * kTileQueries];
  for (std::size_t first = 0; first < rotated.size(); first += kTileQueries) {
    const std::size_t count = std::min(kTileQueries, rotated.size() - first);
    const std::vector<RotatedQuery> some(
        rotated.begin() + static_cast<std::ptrdiff_t>(first),
        rotated.begin() + static_cast<std::ptrdiff_t>(first + count));
    const TileOfQueries tile(space, kernels, some);
    float thresholds[kTileQueries];
    std::fill_n(thresholds, kTileQueries, std::numeric_limits<float>::infinity());
    std::fill_n(thresholds, count, -std::numeric_limits<float>::infinity());
    for (std::size_t block = 0; block < kRows / kBlockRows; ++block) {
      const std::uint8_t* codes = blocks.data() + block * layout.block_bytes();
      (is_4_bit ? kernels.unpack4 : kernels.unpack8)(codes, layout.padded(), unpacked.data());
      const auto* meta = reinterpret_cast<const float*>(codes + kBlockRows * layout.code_bytes());
      const std::size_t found = (is_4_bit ? kernels.tile4 : kernels.tile8)(
          tile.kernel_tile(), unpacked.data(), meta, thresholds, hits);
      CHECK_EQUAL(found, count * kBlockRows);
      for (std::size_t i = 0; i < found; ++i) {
        const float* x = rows.data() + (block * kBlockRows + hits[i].row) * dimension;
        if (!IsValid(x, dimension)) continue;
        const float* query = queries.data() + (first + hits[i].query) * dimension;
        CheckPair(hits[i].upper, hits[i].lower, TrueScore(query, x, dimension), tightness);
      }
    }
  }
  return tightness;
}

TEST(EveryScoreLiesWithinItsBounds) {
  for (const CodesKernels* kernels : test::RunnableCodes()) {
    for (const std::size_t dimension : kDimensions) {
      for (const std::size_t bits : {4, 8}) {
        for (const std::size_t directions : {0, 1, 8}) {
          if (directions > dimension) continue;
          CheckSpace(
              *kernels, {dimension, bits, directions},
              test::AdversarialValues(kRows, dimension, static_cast<std::uint32_t>(directions)));
        }
      }
    }
  }
}

TEST(BoundsAreNotTooWide) {
  for (const std::size_t bits : {4, 8}) {
    const Tightness tightness =
        CheckSpace(kScalarCodes, {768, bits, 0}, test::RandomValues(kRows * 768, 3));
    // The bound is for the worst direction; a random one is off by about a 28th (768^-1/2) of it.
    CHECK(tightness.bound < 60 * tightness.error);
    // Isotropic rows of norm one: rho is about 0.0076 with eight bits and 0.11 with four.
    const double mean = tightness.bound / (kRows * 2 * 17);
    CHECK(mean < (bits == 8 ? 0.02 : 0.16));
    // Some pair comes near its bound: the query that is parallel to a residual.
    if (bits == 8) CHECK(tightness.largest_ratio > 0.5);
  }
}

}  // namespace
}  // namespace synoptic
