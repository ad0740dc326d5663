#include "quantized/codes_planner.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "base/aligned.h"
#include "quantized/codes_space.h"

namespace synoptic {
namespace {

constexpr std::size_t kSampleRows = 2048;
constexpr std::size_t kPseudoQueries = 32;
constexpr std::size_t kWantedHits = 10;
// Below this, scoring every row takes less time than preparing a query for its codes.
constexpr std::size_t kMinRows = 512;
// Four bits must save this much: their candidates are scattered reads.
constexpr double k4BitAdvantage = 0.85;
// What a candidate costs, in rows read one after the other: it misses the cache, and is collected,
// sorted and scored in float64. Batches of real sentences, 7,000 x 256, take half as long again
// with four bits and 80 candidates as with eight bits; 20,000 x 768 are a tenth faster with four
// bits and 110 candidates. Between the two lie 7 to 15 rows.
constexpr double kRowsPerCandidate = 12;

// What is tried. Eight bits are narrow enough without most of the principal directions, whose four
// bytes each of a row are read for nothing then: a search takes 0.88 to 0.98 of the time with two
// of eight, batches 0.73 to 0.9.
struct Variant {
  std::size_t bits;
  std::size_t directions;
};
constexpr Variant kVariants[] = {{8, 2}, {4, kMaxDirections}, {4, 2}};

// Valid rows from everywhere in the matrix: catalogues are ordered.
std::vector<std::uint32_t> SampleRows(const Matrix& matrix) {
  std::vector<std::uint32_t> rows;
  const std::size_t count = std::min(matrix.rows(), kSampleRows);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i * matrix.rows() / count;
    if (matrix.norm(row) > 0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

// The sample's rows as quantized codes hold them.
AlignedVector<std::uint8_t> WriteSample(const Matrix& matrix, const CodesSpace& space,
                                        const std::vector<std::uint32_t>& rows) {
  const CodesLayout& layout = space.layout;
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

// A query that is near two rows, which are themselves left out of its result.
struct PseudoQuery {
  std::vector<double> values;  // padded as kernels take it
  double norm;
  std::size_t own[2];
  double kth_score;
};

PseudoQuery BlendRows(const Matrix& matrix, std::size_t first, std::size_t second) {
  const std::size_t dimension = matrix.dimension();
  PseudoQuery query = {};
  query.values.resize((dimension + kLanes - 1) / kLanes * kLanes);
  double square = 0;
  for (std::size_t d = 0; d < dimension; ++d) {
    double& value = query.values[d];
    value = matrix.values()[first * dimension + d] / matrix.norm(first) +
            matrix.values()[second * dimension + d] / matrix.norm(second) / 2;
    square += value * value;
  }
  query.norm = std::sqrt(square);
  return query;
}

// The queries of the sample, with the score that a pair must reach to be among as many hits of it
// as are a search's share.
std::vector<PseudoQuery> AskSample(const Kernels& kernels, const Matrix& matrix,
                                   const std::vector<std::uint32_t>& rows) {
  const double scaled = static_cast<double>(kWantedHits * rows.size()) /
                        static_cast<double>(std::max<std::size_t>(matrix.rows(), 1));
  const auto k = static_cast<std::ptrdiff_t>(std::max(1.0, std::round(scaled)));
  std::vector<PseudoQuery> queries;
  std::vector<double> scores(rows.size());
  for (std::size_t i = 0; i < kPseudoQueries; ++i) {
    const std::size_t first = i * rows.size() / kPseudoQueries;
    const std::size_t second = (first + rows.size() / 2) % rows.size();
    PseudoQuery query = BlendRows(matrix, rows[first], rows[second]);
    if (query.norm == 0) continue;
    kernels.dot_rows(query.values.data(), matrix.values(), matrix.dimension(), rows.data(),
                     rows.size(), scores.data());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      scores[row] /= query.norm * matrix.norm(rows[row]);
    }
    query.own[0] = first;
    query.own[1] = second;
    scores[first] = scores[second] = -2;
    std::nth_element(scores.begin(), scores.begin() + k - 1, scores.end(), std::greater<>());
    query.kth_score = scores[static_cast<std::size_t>(k - 1)];
    queries.push_back(std::move(query));
  }
  return queries;
}

// The share of the sample whose upper bound reaches the k-th score, which is what a search scores
// in the end; mean over the queries.
double CandidateShare(const Kernels& kernels, const Matrix& matrix, const CodesSpace& space,
                      const std::vector<std::uint32_t>& rows,
                      const std::vector<PseudoQuery>& queries) {
  const AlignedVector<std::uint8_t> blocks = WriteSample(matrix, space, rows);
  const std::size_t block_count = blocks.size() / space.layout.block_bytes();
  const auto bounds = space.layout.bits == 4 ? kernels.codes->bounds4 : kernels.codes->bounds8;
  std::vector<float> upper(block_count * kBlockRows), lower(upper.size());
  std::vector<std::uint16_t> passing(block_count);
  std::size_t candidates = 0;
  for (const PseudoQuery& query : queries) {
    const SingleQuery single(space, space.Rotate(query.values.data(), query.norm));
    bounds(single.kernel_query(), blocks.data(), block_count, 0, upper.data(), lower.data(),
           passing.data());
    for (const std::size_t own : query.own) upper[own] = -2;
    candidates += static_cast<std::size_t>(
        std::count_if(upper.begin(), upper.begin() + static_cast<std::ptrdiff_t>(rows.size()),
                      [&](float bound) { return bound >= query.kth_score; }));
  }
  return static_cast<double>(candidates) / static_cast<double>(kPseudoQueries * rows.size());
}

}  // namespace

CodesPlan PlanCodes(const Kernels& kernels, const Matrix& matrix, const std::vector<double>& basis,
                    std::size_t bits) {
  const std::size_t dimension = matrix.dimension();
  const std::size_t all_directions = basis.size() / dimension;
  const std::vector<std::uint32_t> rows = SampleRows(matrix);
  if (bits == 0 && rows.size() < kMinRows) return {0, 0, 0};
  if (rows.size() < 4 * kWantedHits) return {bits, all_directions, static_cast<float>(rows.size())};
  const std::vector<PseudoQuery> queries = AskSample(kernels, matrix, rows);
  const double total = static_cast<double>(matrix.rows());
  const double row_bytes = static_cast<double>(dimension * sizeof(float));
  CodesPlan best = {0, 0, 0};
  // Reading every float32 is what quantized codes have to beat.
  double best_bytes = bits == 0 ? total * row_bytes : std::numeric_limits<double>::infinity();
  for (const Variant& form : kVariants) {
    if (bits != 0 && bits != form.bits) continue;
    const std::size_t directions = std::min(form.directions, all_directions);
    const CodesLayout layout = {dimension, form.bits, directions};
    const auto end = basis.begin() + static_cast<std::ptrdiff_t>(directions * dimension);
    const CodesSpace space(layout, {basis.begin(), end});
    const double candidates = total * CandidateShare(kernels, matrix, space, rows, queries);
    const double bytes = total * static_cast<double>(layout.block_bytes()) / kBlockRows +
                         candidates * row_bytes * kRowsPerCandidate;
    if (bytes >= best_bytes * (form.bits == 4 && best.bits == 8 ? k4BitAdvantage : 1.0)) {
      continue;
    }
    best_bytes = bytes;
    best = {form.bits, directions, static_cast<float>(candidates)};
  }
  return best;
}

}  // namespace synoptic
