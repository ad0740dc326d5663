// The facts of all rows as an index of rows has them (src/data/catalogue/row-facts.ts writes them):
// columns of one value a row, and lists of rows. Nothing is copied.

#ifndef SYNOPTIC_ROWS_FACT_TABLES_H_
#define SYNOPTIC_ROWS_FACT_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "rows/row_index.h"

namespace synoptic {

// Lists by number: list i ends at ends[i]. A list that there is not is empty.
template <class T>
struct NumberedLists {
  std::span<const std::uint32_t> ends;
  std::span<const T> values;

  std::size_t size() const { return ends.size(); }
  // Where list i begins and ends, whatever the bytes are.
  std::size_t Begin(std::size_t i) const;
  std::size_t End(std::size_t i) const;
  std::span<const T> Of(std::size_t i) const { return values.subspan(Begin(i), End(i) - Begin(i)); }
};

struct FactTables {
  // Throws Error EROWS_FORMAT where the index has no facts, or they are not those of its rows.
  explicit FactTables(std::shared_ptr<const RowIndex> index);

  // Keeps what the others refer to.
  std::shared_ptr<const RowIndex> index;
  std::size_t rows;
  // 0 where unknown.
  std::span<const std::uint16_t> years;
  std::span<const std::uint16_t> episodes;
  std::span<const std::uint16_t> volumes;
  std::span<const std::uint16_t> chapters;
  std::span<const std::uint16_t> minutes;
  // NaN where unknown.
  std::span<const float> scores;
  std::span<const float> popularity;
  // Below 0: none.
  std::span<const std::int32_t> franchises;
  std::span<const std::int32_t> continued;
  std::span<const std::uint8_t> is_main;
  std::span<const std::uint8_t> is_adult;
  // Lengths of the vectors of traits.
  std::span<const double> norms;

  // Rows, ascending, and as many weights.
  NumberedLists<std::uint32_t> facts;
  std::span<const std::uint8_t> fact_weights;
  NumberedLists<std::uint32_t> traits;
  std::span<const float> trait_weights;
  std::span<const std::uint8_t> trait_kinds;
  // The traits of each row, ascending.
  NumberedLists<std::uint32_t> row_traits;
  // The neighbours of each franchise, by its number.
  NumberedLists<std::uint32_t> recommended;
  std::span<const double> recommended_degrees;
  std::span<const double> recommended_back;
  std::span<const double> recommended_norms;
};

template <class T>
std::size_t NumberedLists<T>::End(std::size_t i) const {
  if (i >= ends.size()) return 0;
  return ends[i] < values.size() ? ends[i] : values.size();
}

template <class T>
std::size_t NumberedLists<T>::Begin(std::size_t i) const {
  if (i == 0 || i >= ends.size()) return 0;
  const std::size_t end = End(i);
  return ends[i - 1] < end ? ends[i - 1] : end;
}

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_FACT_TABLES_H_
