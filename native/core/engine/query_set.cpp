#include "engine/query_set.h"

#include <cmath>
#include <string>

#include "base/error.h"

namespace synoptic {

QuerySet::QuerySet(const Kernels& kernels, const SearchArguments& arguments, std::size_t dimension)
    : kernels_(kernels),
      arguments_(arguments),
      dimension_(dimension),
      padded_((dimension + kLanes - 1) / kLanes * kLanes),
      widened_(arguments.query_count * padded_),
      norms_(arguments.query_count) {}

void QuerySet::Widen(std::size_t query) {
  const float* values = arguments_.queries.data() + query * dimension_;
  double square = 0;
  kernels_.square_rows(values, dimension_, 0, 1, &square);
  if (!(square > 0) || !std::isfinite(square)) {
    throw Error("EQUERY", "query " + std::to_string(query) +
                              ": expected finite values that are not all zero, received " +
                              (square == 0 ? "only zeros" : "NaN or infinity"));
  }
  norms_[query] = std::sqrt(square);
  for (std::size_t d = 0; d < dimension_; ++d) widened_[query * padded_ + d] = values[d];
}

void QuerySet::Score(std::size_t query, const Matrix& matrix, const std::uint32_t* rows,
                     std::size_t count, double* sums, float* scores) const {
  kernels_.dot_rows(widened(query), matrix.values(), dimension_, rows, count, sums);
  for (std::size_t i = 0; i < count; ++i) {
    const double inverse = 1.0 / (norms_[query] * matrix.norm(rows[i]));
    scores[i] = static_cast<float>(sums[i] * inverse);
  }
}

}  // namespace synoptic
