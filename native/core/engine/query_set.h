// The queries of a search in the form that exact scoring takes: widened to float64, with norms.

#ifndef SYNOPTIC_ENGINE_QUERY_SET_H_
#define SYNOPTIC_ENGINE_QUERY_SET_H_

#include <cstddef>
#include <vector>

#include "engine/search.h"
#include "kernels/kernels.h"
#include "store/matrix.h"

namespace synoptic {

class QuerySet {
 public:
  QuerySet(const Kernels& kernels, const SearchArguments& arguments, std::size_t dimension);

  // Throws Error EQUERY when the query is zero, NaN or infinite. Different queries may be widened
  // at the same time.
  void Widen(std::size_t query);

  const double* widened(std::size_t query) const { return widened_.data() + query * padded_; }
  double norm(std::size_t query) const { return norms_[query]; }

  // The exact scores of some valid rows; `sums` is scratch for `count` values.
  void Score(std::size_t query, const Matrix& matrix, const std::uint32_t* rows, std::size_t count,
             double* sums, float* scores) const;

 private:
  const Kernels& kernels_;
  const SearchArguments& arguments_;
  std::size_t dimension_;
  std::size_t padded_;
  std::vector<double> widened_;
  std::vector<double> norms_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_QUERY_SET_H_
