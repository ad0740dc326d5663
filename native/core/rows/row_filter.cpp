#include "rows/row_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rows/number_reader.h"

namespace synoptic {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void AddRows(RowMask& mask, const FactTables& tables, const std::vector<std::uint32_t>& lists) {
  for (const std::uint32_t list : lists) {
    for (const std::uint32_t row : tables.facts.Of(list)) {
      if (row < tables.rows)
        mask[row / 8] = static_cast<std::uint8_t>(mask[row / 8] | 1 << row % 8);
    }
  }
}

// Leaves the rows for which `holds(row)`.
template <class Holds>
void Keep(RowMask& mask, std::size_t row_count, const Holds& holds) {
  for (std::size_t begin = 0; begin < row_count; begin += 8) {
    std::uint8_t kept = 0;
    const std::size_t end = std::min(row_count, begin + 8);
    for (std::size_t row = begin; row < end; ++row) {
      kept = static_cast<std::uint8_t>(kept | (holds(row) ? 1 : 0) << (row - begin));
    }
    mask[begin / 8] &= kept;
  }
}

}  // namespace

RowFilter ReadRowFilter(std::span<const double> numbers) {
  NumberReader plan(numbers);
  const auto lists = [&] { return plan.List([&] { return plan.Count(); }); };
  RowFilter filter = {plan.List(lists), lists(), plan.Number(), plan.Number(), plan.Number(), {}};
  const std::uint32_t adult = plan.Whole(3);
  if (adult < 2) filter.is_adult = adult == 1;
  plan.End();
  return filter;
}

RowMask RowsThatPass(const FactTables& tables, const RowFilter& filter) {
  const RowMask none((tables.rows + 7) / 8);
  RowMask mask(none.size(), 0xff);
  for (const auto& lists : filter.any_of) {
    RowMask rows = none;
    AddRows(rows, tables, lists);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= rows[i];
  }
  if (!filter.none_of.empty()) {
    RowMask rows = none;
    AddRows(rows, tables, filter.none_of);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] &= static_cast<std::uint8_t>(~rows[i]);
  }
  if (filter.year_from > -kInfinity || filter.year_to < kInfinity) {
    Keep(mask, tables.rows, [&](std::size_t row) {
      const double year = tables.years[row];
      return year != 0 && year >= filter.year_from && year <= filter.year_to;
    });
  }
  if (filter.min_score > -kInfinity) {
    // Scores are rounded to float32, so the bound is, too.
    const auto least = static_cast<float>(filter.min_score);
    Keep(mask, tables.rows, [&](std::size_t row) { return tables.scores[row] >= least; });
  }
  if (filter.is_adult.has_value()) {
    const std::uint8_t wanted = *filter.is_adult ? 1 : 0;
    Keep(mask, tables.rows, [&](std::size_t row) { return tables.is_adult[row] == wanted; });
  }
  if (tables.rows % 8 != 0) mask.back() &= static_cast<std::uint8_t>((1 << tables.rows % 8) - 1);
  tables.index->CheckUnchanged();
  return mask;
}

std::shared_ptr<BlockJob> StartCountFacts(
    ThreadPool& pool, std::shared_ptr<const FactTables> tables, RowMask mask,
    std::function<void(std::exception_ptr, std::vector<std::uint32_t>)> done) {
  CheckMask(mask, tables->rows);
  // Blocks of lists, which share nothing.
  constexpr std::size_t kListsPerBlock = 1024;
  const std::size_t lists = tables->facts.size();
  const auto counts = std::make_shared<std::vector<std::uint32_t>>(lists);
  return BlockJob::Start(pool,
                         {[lists] { return (lists + kListsPerBlock - 1) / kListsPerBlock; },
                          [tables, counts, mask = std::move(mask), lists](std::size_t block) {
                            const std::size_t end = std::min(lists, (block + 1) * kListsPerBlock);
                            for (std::size_t list = block * kListsPerBlock; list < end; ++list) {
                              std::uint32_t count = 0;
                              for (const std::uint32_t row : tables->facts.Of(list)) {
                                if (row < tables->rows && Passes(mask, row)) ++count;
                              }
                              (*counts)[list] = count;
                            }
                          },
                          [tables] { tables->index->CheckUnchanged(); },
                          [counts, done = std::move(done)](std::exception_ptr error) {
                            done(error, std::move(*counts));
                          }});
}

}  // namespace synoptic
