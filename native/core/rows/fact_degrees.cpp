#include "rows/fact_degrees.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace synoptic {
namespace {

float Rounded(double value) { return static_cast<float>(value); }

std::span<const std::uint32_t> RowsIn(const FactTables& tables, const RowsOf& rows) {
  return rows.is_listed ? tables.facts.Of(rows.list) : std::span<const std::uint32_t>(rows.own);
}

// Calls `take(row, degree)` for the rows of a list, whatever the bytes of the index are.
template <class Take>
void ForEach(const FactTables& tables, const DegreeList& list, const Take& take) {
  const auto rows = RowsIn(tables, list.rows);
  const bool is_weighted = list.is_weighted && list.rows.is_listed;
  const std::size_t begin = is_weighted ? tables.facts.Begin(list.rows.list) : 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= tables.rows) continue;
    take(rows[i], list.degrees[is_weighted ? tables.fact_weights[begin + i] & 3u : 0]);
  }
}

void Mark(float& degree, double other) {
  degree = Rounded(std::max(static_cast<double>(degree), other));
}

Degrees Of(const FactTables& tables, const ListedFact& fact) {
  Degrees degrees(tables.rows);
  for (const DegreeList& list : fact.lists) {
    ForEach(tables, list, [&](std::uint32_t row, double degree) { Mark(degrees[row], degree); });
  }
  return degrees;
}

double YearDegree(double year, const YearsFact& fact) {
  if (year == 0) return 0;
  const double distance = std::max({0.0, fact.from - year, year - fact.to});
  if (fact.from != fact.to) return distance == 0 ? 1 : 0;
  const auto near = static_cast<double>(fact.near.size());
  return distance < near ? fact.near[static_cast<std::size_t>(distance)] : 0;
}

Degrees Of(const FactTables& tables, const YearsFact& fact) {
  Degrees degrees(tables.rows);
  for (std::size_t row = 0; row < tables.rows; ++row) {
    degrees[row] = Rounded(YearDegree(tables.years[row], fact));
  }
  return degrees;
}

double LengthOf(const FactTables& tables, std::size_t row, LengthFact::Unit unit) {
  switch (unit) {
    case LengthFact::Unit::kEpisodes:
      return tables.episodes[row];
    case LengthFact::Unit::kVolumes:
      return tables.volumes[row];
    case LengthFact::Unit::kChapters:
      return tables.chapters[row];
    case LengthFact::Unit::kEpisodeMinutes:
      return tables.minutes[row];
    case LengthFact::Unit::kMinutes:
      break;
  }
  return static_cast<double>(tables.minutes[row]) * tables.episodes[row];
}

// A length of 0 is unknown.
float LengthDegree(double length, const LengthBounds& bounds) {
  return length != 0 && length >= bounds.min && length <= bounds.max ? 1.0f : 0.0f;
}

void LowerContinued(Degrees& degrees, const FactTables& tables, const LengthFact& fact) {
  std::vector<std::int32_t> series;
  for (const std::uint32_t row : RowsIn(tables, fact.sequels)) {
    if (row < tables.rows && tables.franchises[row] != -1) series.push_back(tables.franchises[row]);
  }
  std::sort(series.begin(), series.end());
  for (std::size_t row = 0; row < tables.rows; ++row) {
    if (degrees[row] == 0) continue;
    if (!std::binary_search(series.begin(), series.end(), tables.franchises[row])) continue;
    degrees[row] = Rounded(static_cast<double>(degrees[row]) * fact.continued_share);
  }
}

Degrees Of(const FactTables& tables, const LengthFact& fact) {
  Degrees degrees(tables.rows);
  for (std::size_t row = 0; row < tables.rows; ++row) {
    if (fact.is_of_series && tables.episodes[row] == 1) continue;
    degrees[row] = LengthDegree(LengthOf(tables, row, fact.unit), fact.bounds);
  }
  for (const std::uint32_t row : RowsIn(tables, fact.films)) {
    if (row >= tables.rows) continue;
    const double length = LengthOf(tables, row, LengthFact::Unit::kMinutes);
    degrees[row] = fact.have_films_bounds ? LengthDegree(length, fact.film_bounds) : 0.0f;
  }
  LowerContinued(degrees, tables, fact);
  return degrees;
}

Degrees Of(const FactTables& tables, const RampFact& fact) {
  const auto column = fact.column == RampFact::Column::kScore ? tables.scores : tables.popularity;
  Degrees degrees(tables.rows);
  for (std::size_t row = 0; row < tables.rows; ++row) {
    const double value = column[row];
    if (std::isnan(value)) continue;
    const double share = std::clamp((value - fact.low) / (fact.high - fact.low), 0.0, 1.0);
    degrees[row] = Rounded(fact.is_inverted ? 1 - share : share);
  }
  return degrees;
}

Degrees Of(const FactTables& tables, const AnyFact& fact) {
  Degrees degrees(tables.rows);
  Degrees sums(tables.rows);
  for (const DegreeList& list : fact.lists) {
    ForEach(tables, list, [&](std::uint32_t row, double degree) {
      Mark(degrees[row], degree);
      sums[row] = Rounded(static_cast<double>(sums[row]) + degree);
    });
  }
  if (fact.count < fact.enough) return degrees;
  for (std::size_t row = 0; row < tables.rows; ++row) {
    if (degrees[row] == 0) continue;
    const double share = std::min(1.0, static_cast<double>(sums[row]) / fact.enough);
    degrees[row] = Rounded(fact.best_share * static_cast<double>(degrees[row]) +
                           (1 - fact.best_share) * share);
  }
  return degrees;
}

Degrees Of(const FactTables& tables, const AllFact& fact) {
  Degrees degrees(tables.rows);
  std::vector<std::uint8_t> met(tables.rows);
  for (const DegreeList& list : fact.lists) {
    ForEach(tables, list, [&](std::uint32_t row, double degree) {
      degrees[row] = Rounded(static_cast<double>(degrees[row]) + degree / fact.count);
      ++met[row];
    });
  }
  for (std::size_t row = 0; row < tables.rows; ++row) {
    if (degrees[row] == 0) continue;
    degrees[row] = Rounded(static_cast<double>(degrees[row]) * std::sqrt(met[row] / fact.count));
  }
  return degrees;
}

}  // namespace

Degrees DegreesOf(const FactTables& tables, const Fact& fact) {
  return std::visit([&](const auto& own) { return Of(tables, own); }, fact);
}

}  // namespace synoptic
