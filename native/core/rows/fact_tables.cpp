#include "rows/fact_tables.h"

#include <string>
#include <utility>

#include "base/error.h"

namespace synoptic {
namespace {

// Sections begin at multiples of 64.
template <class T>
std::span<const T> Column(const RowIndex& index, const std::string& name) {
  const auto bytes = index.Bytes(name);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
std::span<const T> Column(const RowIndex& index, const std::string& name, std::size_t count) {
  const auto column = Column<T>(index, name);
  if (column.size() == count) return column;
  throw Error("EROWS_FORMAT", "row index", std::to_string(count) + " values of " + name,
              std::to_string(column.size()));
}

NumberedLists<std::uint32_t> Lists(const RowIndex& index, const std::string& ends,
                                   const std::string& values) {
  return {Column<std::uint32_t>(index, ends), Column<std::uint32_t>(index, values)};
}

}  // namespace

FactTables::FactTables(std::shared_ptr<const RowIndex> own)
    : index(std::move(own)), rows(index->rows()) {
  const RowIndex& from = *index;
  years = Column<std::uint16_t>(from, "year", rows);
  episodes = Column<std::uint16_t>(from, "episodes", rows);
  volumes = Column<std::uint16_t>(from, "volumes", rows);
  chapters = Column<std::uint16_t>(from, "chapters", rows);
  minutes = Column<std::uint16_t>(from, "minutes", rows);
  scores = Column<float>(from, "score", rows);
  popularity = Column<float>(from, "popularity", rows);
  franchises = Column<std::int32_t>(from, "franchise", rows);
  continued = Column<std::int32_t>(from, "continued", rows);
  is_main = Column<std::uint8_t>(from, "main", rows);
  is_adult = Column<std::uint8_t>(from, "adult", rows);
  norms = Column<double>(from, "norm", rows);
  facts = Lists(from, "fact.ends", "fact.rows");
  fact_weights = Column<std::uint8_t>(from, "fact.weights", facts.values.size());
  traits = Lists(from, "trait.ends", "trait.rows");
  trait_weights = Column<float>(from, "trait.weights", traits.values.size());
  trait_kinds = Column<std::uint8_t>(from, "trait.kinds", traits.size());
  row_traits = Lists(from, "row-trait.ends", "row-trait.traits");
  recommended = Lists(from, "recommended.ends", "recommended.franchises");
  recommended_degrees = Column<double>(from, "recommended.degrees", recommended.values.size());
  recommended_back = Column<double>(from, "recommended.back", recommended.values.size());
  recommended_norms = Column<double>(from, "recommended.norms", recommended.size());
}

}  // namespace synoptic
