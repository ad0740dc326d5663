// Which rows pass a filter, and how many of those that pass have each fact.

#ifndef SYNOPTIC_ROWS_ROW_FILTER_H_
#define SYNOPTIC_ROWS_ROW_FILTER_H_

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rows/fact_tables.h"
#include "rows/row_mask.h"
#include "threads/block_job.h"
#include "threads/thread_pool.h"

namespace synoptic {

// All conditions must hold; an unknown value meets none.
struct RowFilter {
  // Lists of facts by number: a row is in one of each of these, and in none of those.
  std::vector<std::vector<std::uint32_t>> any_of;
  std::vector<std::uint32_t> none_of;
  // Infinite where there is no bound.
  double year_from, year_to, min_score;
  std::optional<bool> is_adult;
};

// Reads what src/native/addon/filter-plan.ts writes. Throws Error EARGUMENT.
RowFilter ReadRowFilter(std::span<const double> numbers);

// Never empty; bits beyond the last row are 0.
RowMask RowsThatPass(const FactTables& tables, const RowFilter& filter);

// Of each list of facts, how many of its rows pass. `done` gets them or an error, once, on any
// thread.
std::shared_ptr<BlockJob> StartCountFacts(
    ThreadPool& pool, std::shared_ptr<const FactTables> tables, RowMask mask,
    std::function<void(std::exception_ptr, std::vector<std::uint32_t>)> done);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_FILTER_H_
