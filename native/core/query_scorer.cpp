#include "query_scorer.h"

#include "compiler.h"

namespace synoptic {

void QueryScorer::Score(Candidate* candidates, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kExpectedCandidates < count) Expect(candidates[i + kExpectedCandidates]);
    Candidate& candidate = candidates[i];
    double sum;
    queries_.Score(query_, collection_.matrices()[candidate.column], &candidate.row, 1, &sum,
                   &candidate.upper);
    candidate.lower = candidate.upper;
    candidate.exact = true;
  }
  scored_.fetch_add(count, std::memory_order_relaxed);
}

void QueryScorer::Expect(const Candidate& candidate) {
  const std::size_t dimension = collection_.dimension();
  const float* row =
      collection_.matrices()[candidate.column].values() + std::size_t{candidate.row} * dimension;
  for (std::size_t d = 0; d < dimension; d += 16) Prefetch(row + d);
}

}  // namespace synoptic
