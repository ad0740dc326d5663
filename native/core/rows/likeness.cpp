#include "rows/likeness.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace synoptic {
namespace {

using Values = std::vector<float>;

float Rounded(double value) { return static_cast<float>(value); }

// The kinds of src/data/catalogue/traits.ts that make works alike by themselves: tags and genres.
bool SaysMuch(std::uint8_t kind) { return kind < 2; }

struct Trait {
  std::uint32_t number;
  double value;
};

std::vector<Trait> VectorOf(const FactTables& tables, const Example& example) {
  std::vector<Trait> vector;
  for (const std::uint32_t trait : tables.row_traits.Of(example.row)) {
    if (trait >= tables.traits.size()) continue;
    const auto& ignored = example.ignored;
    if (std::find(ignored.begin(), ignored.end(), trait) != ignored.end()) continue;
    const auto rows = tables.traits.Of(trait);
    const auto found = std::lower_bound(rows.begin(), rows.end(), example.row);
    if (found == rows.end() || *found != example.row) continue;
    const auto at = tables.traits.Begin(trait) + static_cast<std::size_t>(found - rows.begin());
    vector.push_back(
        {trait, static_cast<double>(tables.trait_weights[at]) / tables.norms[example.row]});
  }
  return vector;
}

// sums[row] += weight * value of each row of a trait; with `only_alike` of rows whose sum is above
// 0.
void AddTrait(Values& sums, const FactTables& tables, const Trait& trait, double length,
              bool only_alike) {
  const double value = trait.value / length;
  const auto rows = tables.traits.Of(trait.number);
  const auto weights = tables.trait_weights.subspan(tables.traits.Begin(trait.number), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= sums.size()) continue;
    float& sum = sums[rows[i]];
    if (only_alike && !(sum > 0)) continue;
    sum = Rounded(static_cast<double>(sum) + static_cast<double>(weights[i]) * value);
  }
}

// One value a franchise, 0 to 1: how much it is recommended to people who liked the given one. The
// first names of that one's list have 1; less have its last names, what names it in turn, and what
// others name with it.
Values RecommendedTo(const FactTables& tables, std::int32_t franchise) {
  if (franchise < 0) return {};
  const auto own = static_cast<std::size_t>(franchise);
  const std::size_t begin = tables.recommended.Begin(own);
  const std::size_t end = tables.recommended.End(own);
  if (begin == end) return {};
  const std::size_t count = tables.recommended.size();
  Values found(count);
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t shared = tables.recommended.values[i];
    for (std::size_t at = tables.recommended.Begin(shared); at < tables.recommended.End(shared);
         ++at) {
      const std::uint32_t other = tables.recommended.values[at];
      if (other >= count) continue;
      found[other] = Rounded(static_cast<double>(found[other]) +
                             tables.recommended_degrees[i] * tables.recommended_back[at]);
    }
  }
  const double norm = tables.recommended_norms[own];
  for (std::size_t other = 0; other < count; ++other) {
    if (!(found[other] > 0)) continue;
    found[other] =
        Rounded(static_cast<double>(found[other]) / (norm * tables.recommended_norms[other]));
  }
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t other = tables.recommended.values[i];
    if (other >= count) continue;
    const double direct = tables.recommended_degrees[i];
    found[other] = Rounded(direct + (1 - direct) * static_cast<double>(found[other]));
  }
  found[own] = 0;
  return found;
}

double Nearness(double year, double other, double era_years) {
  if (year == 0 || other == 0) return 0;
  return 1 - std::min(std::abs(year - other), era_years) / era_years;
}

// Adds a share of the likeness; less of works that do not stand for their franchise.
void AddShare(Values& sums, const Values& likeness, const FactTables& tables, double share,
              double other_share) {
  for (std::size_t row = 0; row < sums.size(); ++row) {
    if (!(likeness[row] > 0)) continue;
    const double own = tables.is_main[row] == 1 ? share : share * other_share;
    sums[row] = Rounded(static_cast<double>(sums[row]) + static_cast<double>(likeness[row]) * own);
  }
}

}  // namespace

Values TraitLikeness(const FactTables& tables, const Example& example) {
  Values sums(tables.rows);
  const auto vector = VectorOf(tables, example);
  double squares = 0;
  for (const Trait& trait : vector) squares += trait.value * trait.value;
  if (squares == 0) return sums;
  const double length = std::sqrt(squares);
  for (const bool only_alike : {false, true}) {
    for (const Trait& trait : vector) {
      // Works that have no more in common than that they are for girls are not alike.
      if (SaysMuch(tables.trait_kinds[trait.number]) == only_alike) continue;
      AddTrait(sums, tables, trait, length, only_alike);
    }
  }
  for (std::size_t row = 0; row < sums.size(); ++row) {
    if (sums[row] > 0) sums[row] = Rounded(static_cast<double>(sums[row]) / tables.norms[row]);
  }
  return sums;
}

Values LikenessTo(const FactTables& tables, const LikenessRules& rules, const Example& example) {
  Values likeness = TraitLikeness(tables, example);
  const Values recommended = RecommendedTo(tables, tables.franchises[example.row]);
  // Of each row's texts; 0 where there is none.
  Values cosines(example.cosines.empty() ? 0 : tables.rows);
  for (const auto& [row, cosine] : example.cosines) cosines[row] = cosine;
  for (std::size_t row = 0; row < tables.rows; ++row) {
    const auto franchise = static_cast<std::uint32_t>(tables.franchises[row]);
    const double liked =
        example.recommended_count *
        (franchise < recommended.size() ? static_cast<double>(recommended[franchise]) : 0.0);
    const double text =
        cosines.empty() ? 0.0 : rules.text_share * static_cast<double>(cosines[row]);
    const double own = (1 - rules.text_share) * static_cast<double>(likeness[row]) + text;
    const double alike =
        own * (1 + rules.recommended_share * liked) + rules.recommended_weight * liked;
    if (alike == 0) continue;
    const double known = tables.popularity[row];
    likeness[row] = Rounded(
        alike + rules.era_weight * Nearness(example.year, tables.years[row], rules.era_years) +
        rules.popularity_weight * (std::isnan(known) ? 0 : std::min(known, rules.max_popularity)));
  }
  return likeness;
}

Values LikenessToAll(const FactTables& tables, const LikenessRules& rules, const Likeness& alike) {
  Values sums(tables.rows);
  Values least;
  const auto count = static_cast<double>(alike.examples.size());
  for (const Example& example : alike.examples) {
    if (alike.traits_share > 0) {
      AddShare(sums, TraitLikeness(tables, example), tables, alike.traits_share, rules.other_share);
      continue;
    }
    const Values likeness = LikenessTo(tables, rules, example);
    AddShare(sums, likeness, tables, (1 - alike.least_share) / count, rules.other_share);
    if (alike.least_share == 0) continue;
    if (least.empty()) least.assign(tables.rows, std::numeric_limits<float>::infinity());
    for (std::size_t row = 0; row < least.size(); ++row) {
      least[row] = std::min(least[row], likeness[row]);
    }
  }
  if (!least.empty()) AddShare(sums, least, tables, alike.least_share, rules.other_share);
  for (const std::uint32_t row : alike.named) sums[row] = Rounded(alike.named_value);
  return sums;
}

}  // namespace synoptic
