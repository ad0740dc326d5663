#include "engine/loose_vectors.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/query_set.h"

namespace synoptic {

std::vector<float> ScoreVectors(const Kernels& kernels, std::vector<float> query,
                                const float* vectors, std::size_t count) {
  const std::size_t dimension = query.size();
  SearchArguments arguments;
  arguments.queries = std::move(query);
  arguments.query_count = 1;
  QuerySet queries(kernels, arguments, dimension);
  queries.Widen(0);
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  std::vector<double> squares(count);
  std::vector<double> sums(count);
  kernels.square_rows(vectors, dimension, 0, count, squares.data());
  kernels.dot_rows(queries.widened(0), vectors, dimension, rows.data(), count, sums.data());
  std::vector<float> scores(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool valid = squares[i] > 0 && std::isfinite(squares[i]);
    const double inverse = 1.0 / (queries.norm(0) * std::sqrt(squares[i]));
    scores[i] =
        valid ? static_cast<float>(sums[i] * inverse) : std::numeric_limits<float>::quiet_NaN();
  }
  return scores;
}

}  // namespace synoptic
