// Passes over a column of one value a row, NaN where it is not known.

#ifndef SYNOPTIC_ROWS_ROW_COLUMNS_H_
#define SYNOPTIC_ROWS_ROW_COLUMNS_H_

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "threads/thread_pool.h"

namespace synoptic {

// One bit a row, least significant bit first: whether its value is known and within the bounds,
// which are included.
std::vector<std::uint8_t> RowsWithin(std::span<const double> values, double first, double last);

// All rows by value, ties by row, those of unknown values last. With `positive_only`, what is not
// above 0 is not known either.
std::vector<std::uint32_t> RowsByValue(std::span<const double> values, bool ascending,
                                       bool positive_only);

// The same on a thread of the pool. `done` gets the result or an error, once, on any thread.
void StartRowsByValue(ThreadPool& pool, std::vector<double> values, bool ascending,
                      bool positive_only,
                      std::function<void(std::exception_ptr, std::vector<std::uint32_t>)> done);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_COLUMNS_H_
