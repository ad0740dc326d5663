// What somebody likes, by works: how like every work is to those that they liked, and unlike those
// that they did not. Works are compared on all threads; their likenesses are added in the order of
// the plan, so the result is the same for any number of threads.

#ifndef SYNOPTIC_ROWS_TASTE_H_
#define SYNOPTIC_ROWS_TASTE_H_

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "rows/fact_tables.h"
#include "rows/rank_plan.h"
#include "threads/block_job.h"
#include "threads/thread_pool.h"

namespace synoptic {

// `done` gets the result or an error, once, on any thread.
using FloatsDone = std::function<void(std::exception_ptr, std::vector<float>)>;

// One value a row: 1 for the work that suits best, 0 and less for those that do not suit.
std::shared_ptr<BlockJob> StartTaste(ThreadPool& pool, std::shared_ptr<const FactTables> tables,
                                     TastePlan plan, FloatsDone done);

// How like each of the rows is to each example: examples x rows.
std::shared_ptr<BlockJob> StartLikenesses(ThreadPool& pool,
                                          std::shared_ptr<const FactTables> tables,
                                          LikenessesPlan plan, FloatsDone done);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_TASTE_H_
