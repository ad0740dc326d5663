// Lays hits out as results are.

#ifndef SYNOPTIC_ENGINE_RESULT_H_
#define SYNOPTIC_ENGINE_RESULT_H_

#include <cstddef>
#include <vector>

#include "engine/search.h"
#include "engine/top_k.h"

namespace synoptic {

// Room for query_count x k hits, none there yet.
inline SearchResult EmptyResult(std::size_t query_count, std::size_t k) {
  SearchResult result;
  result.rows.resize(query_count * k);
  result.columns.resize(query_count * k);
  result.scores.resize(query_count * k);
  result.counts.resize(query_count);
  return result;
}

// Different queries may be written at the same time.
inline void WriteHits(SearchResult& result, std::size_t query, std::size_t k,
                      const std::vector<Hit>& hits) {
  for (std::size_t j = 0; j < hits.size(); ++j) {
    result.rows[query * k + j] = hits[j].row;
    result.columns[query * k + j] = hits[j].column;
    result.scores[query * k + j] = hits[j].score;
  }
  result.counts[query] = static_cast<std::uint32_t>(hits.size());
}

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_RESULT_H_
