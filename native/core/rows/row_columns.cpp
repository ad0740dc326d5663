#include "rows/row_columns.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "threads/block_job.h"

namespace synoptic {

std::vector<std::uint8_t> RowsWithin(std::span<const double> values, double first, double last) {
  std::vector<std::uint8_t> mask((values.size() + 7) / 8);
  for (std::size_t row = 0; row < values.size(); ++row) {
    const bool is_within = values[row] >= first && values[row] <= last;
    mask[row / 8] = static_cast<std::uint8_t>(mask[row / 8] | (is_within ? 1u : 0u) << (row % 8));
  }
  return mask;
}

std::vector<std::uint32_t> RowsByValue(std::span<const double> values, bool ascending,
                                       bool positive_only) {
  std::vector<std::uint32_t> rows(values.size());
  std::iota(rows.begin(), rows.end(), 0u);
  const auto is_known = [&](std::uint32_t row) {
    return positive_only ? values[row] > 0 : !std::isnan(values[row]);
  };
  const auto unknown = std::stable_partition(rows.begin(), rows.end(), is_known);
  std::stable_sort(rows.begin(), unknown, [&](std::uint32_t one, std::uint32_t other) {
    return ascending ? values[one] < values[other] : values[one] > values[other];
  });
  return rows;
}

void StartRowsByValue(ThreadPool& pool, std::vector<double> values, bool ascending,
                      bool positive_only,
                      std::function<void(std::exception_ptr, std::vector<std::uint32_t>)> done) {
  const auto rows = std::make_shared<std::vector<std::uint32_t>>();
  BlockJob::Start(pool, {[] { return std::size_t{1}; },
                         [rows, values = std::move(values), ascending, positive_only](std::size_t) {
                           *rows = RowsByValue(values, ascending, positive_only);
                         },
                         [] {},
                         [rows, done = std::move(done)](std::exception_ptr error) {
                           done(error, std::move(*rows));
                         }});
}

}  // namespace synoptic
