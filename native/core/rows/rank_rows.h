// One call for a search: the rows that are worth ranking, and what is known of them for the ranker.
// The same bits for any number of threads and any instruction set, as each job is one plain loop
// after the other.

#ifndef SYNOPTIC_ROWS_RANK_ROWS_H_
#define SYNOPTIC_ROWS_RANK_ROWS_H_

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "rows/fact_tables.h"
#include "rows/rank_plan.h"
#include "rows/row_mask.h"
#include "threads/block_job.h"
#include "threads/thread_pool.h"

namespace synoptic {

struct RankedRows {
  // Whether `rows` are the candidates: false where works like those that are named are too few, so
  // that the text has to be compared first.
  bool are_chosen = true;
  // Ascending.
  std::vector<std::uint32_t> rows;
  // Those that only `named_mask` lets pass, by their titles.
  std::vector<std::uint32_t> named;
  // Of each row, one column after the other: how nearly the query is its title, how far it fulfils
  // the requests, how far it has what is excluded, how alike it is, its bm25, and its degree of
  // each request.
  std::vector<float> features;
  // See FactMatches.
  double known = 1;
};

// The specification.
RankedRows RankRows(const FactTables& tables, const RankPlan& plan, const RowMask& mask,
                    const RowMask& named_mask);

struct LikestRows {
  // The likest first, ties by row.
  std::vector<std::uint32_t> rows;
  std::vector<float> likeness;
};

LikestRows FindLikest(const FactTables& tables, const LikestPlan& plan, const RowMask& mask);

// The same on a thread of the pool. `done` gets the result or an error, once, on any thread.
std::shared_ptr<BlockJob> StartRank(ThreadPool& pool, std::shared_ptr<const FactTables> tables,
                                    RankPlan plan, RowMask mask, RowMask named_mask,
                                    std::function<void(std::exception_ptr, RankedRows)> done);
std::shared_ptr<BlockJob> StartFindLikest(ThreadPool& pool,
                                          std::shared_ptr<const FactTables> tables, LikestPlan plan,
                                          RowMask mask,
                                          std::function<void(std::exception_ptr, LikestRows)> done);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_RANK_ROWS_H_
