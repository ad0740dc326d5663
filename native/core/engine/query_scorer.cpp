#include "engine/query_scorer.h"

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
  collection_.matrices()[candidate.column].PrefetchRow(candidate.row);
}

}  // namespace synoptic
