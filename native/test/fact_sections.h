// Sections of a `.rows` file with made-up facts, as src/data/catalogue/row-facts.ts writes them.

#ifndef SYNOPTIC_TEST_FACT_SECTIONS_H_
#define SYNOPTIC_TEST_FACT_SECTIONS_H_

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rows_file.h"

namespace synoptic::test {

// Lists of rows in the sections `kind`.ends and `kind`.rows; returns how many rows they have.
inline std::size_t AppendLists(Sections& sections, const std::string& ends_name,
                               const std::string& values_name, std::uint32_t list_count,
                               std::uint32_t value_count, std::mt19937& random) {
  std::string ends, values;
  for (std::uint32_t list = 0; list < list_count; ++list) {
    for (std::uint32_t value = 0; value < value_count; ++value) {
      if (random() % 3 == 0) Append(values, value);
    }
    Append(ends, static_cast<std::uint32_t>(values.size() / sizeof(std::uint32_t)));
  }
  sections.emplace_back(ends_name, ends);
  sections.emplace_back(values_name, values);
  return values.size() / sizeof(std::uint32_t);
}

template <class T, class Value>
void AppendColumn(Sections& sections, const std::string& name, std::size_t count,
                  const Value& value) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) Append(bytes, static_cast<T>(value()));
  sections.emplace_back(name, bytes);
}

inline Sections FactSections(std::uint32_t row_count, std::uint32_t seed) {
  std::mt19937 random(seed);
  constexpr std::uint32_t kLists = 6;
  constexpr std::uint32_t kFranchises = 5;
  const auto below = [&](std::uint32_t most) { return [&, most] { return random() % most; }; };
  const auto share = [&] { return (random() % 1000) / 1000.0; };
  const auto known = [&] { return random() % 5 == 0 ? NAN : (random() % 9000) / 1000.0; };
  Sections sections;
  for (const char* name : {"episodes", "volumes", "chapters", "minutes"}) {
    AppendColumn<std::uint16_t>(sections, name, row_count, below(40));
  }
  AppendColumn<std::uint16_t>(sections, "year", row_count,
                              [&] { return random() % 5 == 0 ? 0 : 1980 + random() % 40; });
  AppendColumn<float>(sections, "score", row_count, known);
  AppendColumn<float>(sections, "popularity", row_count, known);
  const auto franchise = [&] { return static_cast<int>(random() % (kFranchises + 1)) - 1; };
  AppendColumn<std::int32_t>(sections, "franchise", row_count, franchise);
  AppendColumn<std::int32_t>(sections, "continued", row_count, franchise);
  AppendColumn<std::uint8_t>(sections, "main", row_count, below(2));
  AppendColumn<std::uint8_t>(sections, "adult", row_count, below(2));
  AppendColumn<double>(sections, "norm", row_count, [&] { return 0.1 + share(); });
  const auto facts = AppendLists(sections, "fact.ends", "fact.rows", kLists, row_count, random);
  AppendColumn<std::uint8_t>(sections, "fact.weights", facts, below(4));
  const auto traits = AppendLists(sections, "trait.ends", "trait.rows", kLists, row_count, random);
  AppendColumn<float>(sections, "trait.weights", traits, share);
  AppendColumn<std::uint8_t>(sections, "trait.kinds", kLists, below(5));
  AppendLists(sections, "row-trait.ends", "row-trait.traits", row_count, kLists, random);
  const auto liked = AppendLists(sections, "recommended.ends", "recommended.franchises",
                                 kFranchises, kFranchises, random);
  AppendColumn<double>(sections, "recommended.degrees", liked, share);
  AppendColumn<double>(sections, "recommended.back", liked, share);
  AppendColumn<double>(sections, "recommended.norms", kFranchises, [&] { return 1 + share(); });
  return sections;
}

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_FACT_SECTIONS_H_
