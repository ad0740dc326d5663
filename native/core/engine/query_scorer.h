// Scores the candidates of one query exactly, straight from the mapped float32.

#ifndef SYNOPTIC_ENGINE_QUERY_SCORER_H_
#define SYNOPTIC_ENGINE_QUERY_SCORER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/candidates.h"
#include "engine/collection.h"
#include "engine/query_set.h"

namespace synoptic {

class QueryScorer : public CandidateScorer {
 public:
  // Adds the number of pairs to `scored`.
  QueryScorer(const Collection& collection, const QuerySet& queries, std::size_t query,
              std::atomic<std::uint64_t>& scored)
      : collection_(collection), queries_(queries), query_(query), scored_(scored) {}

  void Score(Candidate* candidates, std::size_t count) override;
  void Expect(const Candidate& candidate) override;

 private:
  const Collection& collection_;
  const QuerySet& queries_;
  std::size_t query_;
  std::atomic<std::uint64_t>& scored_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_QUERY_SCORER_H_
