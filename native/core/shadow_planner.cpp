#include "shadow_planner.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "aligned.h"
#include "shadow_space.h"

namespace synoptic {
namespace {

constexpr std::size_t kSampleRows = 2048;
constexpr std::size_t kPseudoQueries = 32;
constexpr std::size_t kWantedHits = 10;
// Below this, scoring every row takes less time than preparing a query for a shadow.
constexpr std::size_t kSmallestRows = 512;
// Four bits must save this much: their survivors are scattered reads.
constexpr double kFourBitAdvantage = 0.85;
// What a survivor costs, in rows read one after the other: it misses the cache, and is collected,
// sorted and scored in float64. Batches of real sentences, 7,000 x 256, take half as long again
// with four bits and 80 survivors as with eight bits; 20,000 x 768 are a tenth faster with four
// bits and 110 survivors. Between the two lie 7 to 15 rows.
constexpr double kRowsPerSurvivor = 12;

// Valid rows from everywhere in the matrix: catalogues stand in an order.
std::vector<std::uint32_t> SampleRows(const Matrix& matrix) {
  std::vector<std::uint32_t> rows;
  const std::size_t count = std::min(matrix.rows(), kSampleRows);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i * matrix.rows() / count;
    if (matrix.norm(row) > 0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

// The sample's rows in the form that a shadow holds them.
AlignedVector<std::uint8_t> WriteSample(const Matrix& matrix, const ShadowSpace& space,
                                        const std::vector<std::uint32_t>& rows) {
  const ShadowLayout& layout = space.layout;
  const std::size_t block_count = (rows.size() + kBlockRows - 1) / kBlockRows;
  AlignedVector<std::uint8_t> blocks(block_count * layout.block_bytes());
  std::vector<double> scratch(2 * layout.padded());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    space.WriteRow(matrix.values() + rows[i] * layout.dimension, matrix.norm(rows[i]),
                   i % kBlockRows, scratch.data(),
                   blocks.data() + i / kBlockRows * layout.block_bytes());
  }
  return blocks;
}

// A query that is near two rows, widened and padded as kernels take it. Returns its norm.
double BlendRows(const Matrix& matrix, std::size_t first, std::size_t second,
                 std::vector<double>& query) {
  const std::size_t dimension = matrix.dimension();
  query.assign((dimension + kLanes - 1) / kLanes * kLanes, 0);
  double square = 0;
  for (std::size_t d = 0; d < dimension; ++d) {
    query[d] = matrix.values()[first * dimension + d] / matrix.norm(first) +
               matrix.values()[second * dimension + d] / matrix.norm(second) / 2;
    square += query[d] * query[d];
  }
  return std::sqrt(square);
}

// The share of the sample whose upper bound reaches the k-th score, which is what a search scores
// in the end; mean over pseudo-queries: blends of two rows, which are themselves left out.
double SurvivingShare(const Kernels& kernels, const Matrix& matrix, const ShadowSpace& space,
                      const std::vector<std::uint32_t>& rows) {
  const AlignedVector<std::uint8_t> blocks = WriteSample(matrix, space, rows);
  const std::size_t block_count = blocks.size() / space.layout.block_bytes();
  const auto bounds = space.layout.bits == 4 ? kernels.shadow->bounds4 : kernels.shadow->bounds8;
  std::vector<float> upper(block_count * kBlockRows), lower(upper.size());
  std::vector<std::uint16_t> passing(block_count);
  std::vector<double> query, scores(rows.size());
  const double scaled = static_cast<double>(kWantedHits * rows.size()) /
                        static_cast<double>(std::max<std::size_t>(matrix.rows(), 1));
  const auto k = static_cast<std::size_t>(std::max(1.0, std::round(scaled)));
  std::size_t survivors = 0;
  for (std::size_t i = 0; i < kPseudoQueries; ++i) {
    const std::size_t first = i * rows.size() / kPseudoQueries;
    const std::size_t second = (first + rows.size() / 2) % rows.size();
    const double norm = BlendRows(matrix, rows[first], rows[second], query);
    if (norm == 0) continue;
    const SingleQuery single(space, space.Rotate(query.data(), norm));
    bounds(single.kernel_query(), blocks.data(), block_count, 0, upper.data(), lower.data(),
           passing.data());
    kernels.dot_rows(query.data(), matrix.values(), matrix.dimension(), rows.data(), rows.size(),
                     scores.data());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      scores[row] /= norm * matrix.norm(rows[row]);
    }
    for (const std::size_t own : {first, second}) scores[own] = upper[own] = -2;
    const auto kth = scores.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(scores.begin(), kth, scores.end(), std::greater<>());
    survivors += static_cast<std::size_t>(
        std::count_if(upper.begin(), upper.begin() + static_cast<std::ptrdiff_t>(rows.size()),
                      [&](float bound) { return bound >= *kth; }));
  }
  return static_cast<double>(survivors) / static_cast<double>(kPseudoQueries * rows.size());
}

}  // namespace

ShadowPlan PlanShadow(const Kernels& kernels, const Matrix& matrix,
                      const std::vector<double>& basis, std::size_t bits) {
  const std::vector<std::uint32_t> rows = SampleRows(matrix);
  if (bits == 0 && rows.size() < kSmallestRows) return {0, 0};
  if (rows.size() < 4 * kWantedHits) return {bits, static_cast<float>(rows.size())};
  const double total = static_cast<double>(matrix.rows());
  const double row_bytes = static_cast<double>(matrix.dimension() * sizeof(float));
  ShadowPlan best = {0, 0};
  // Reading every float32 is what a shadow has to beat.
  double best_bytes = bits == 0 ? total * row_bytes : std::numeric_limits<double>::infinity();
  for (const std::size_t candidate : {std::size_t{8}, std::size_t{4}}) {
    if (bits != 0 && bits != candidate) continue;
    const ShadowLayout layout = {matrix.dimension(), candidate, basis.size() / matrix.dimension()};
    const double survivors =
        total * SurvivingShare(kernels, matrix, ShadowSpace(layout, basis), rows);
    const double bytes = total * static_cast<double>(layout.block_bytes()) / kBlockRows +
                         survivors * row_bytes * kRowsPerSurvivor;
    if (bytes >= best_bytes * (candidate == 4 && best.bits == 8 ? kFourBitAdvantage : 1.0))
      continue;
    best_bytes = bytes;
    best = {candidate, static_cast<float>(survivors)};
  }
  return best;
}

}  // namespace synoptic
