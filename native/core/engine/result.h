// Lays hits out as answers are.

#ifndef SYNOPTIC_ENGINE_RESULT_H_
#define SYNOPTIC_ENGINE_RESULT_H_

#include <cstddef>
#include <vector>

#include "engine/search.h"
#include "engine/top_k.h"

namespace synoptic {

// Room for query_count x k hits, none there yet.
inline SearchAnswer EmptyAnswer(std::size_t query_count, std::size_t k) {
  SearchAnswer answer;
  answer.rows.resize(query_count * k);
  answer.columns.resize(query_count * k);
  answer.scores.resize(query_count * k);
  answer.counts.resize(query_count);
  return answer;
}

// Different queries may be written at the same time.
inline void WriteHits(SearchAnswer& answer, std::size_t query, std::size_t k,
                      const std::vector<Hit>& hits) {
  for (std::size_t j = 0; j < hits.size(); ++j) {
    answer.rows[query * k + j] = hits[j].row;
    answer.columns[query * k + j] = hits[j].column;
    answer.scores[query * k + j] = hits[j].score;
  }
  answer.counts[query] = static_cast<std::uint32_t>(hits.size());
}

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_RESULT_H_
