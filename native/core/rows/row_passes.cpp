#include "rows/row_passes.h"

#include <algorithm>
#include <cmath>

namespace synoptic {
namespace {

float Rounded(double value) { return static_cast<float>(value); }

double Nearness(double year, double other, double era_years) {
  if (year == 0 || other == 0) return 0;
  return 1 - std::min(std::abs(year - other), era_years) / era_years;
}

}  // namespace

std::vector<Hit> TopRows(std::span<const float> scores, std::size_t k, double above,
                         std::span<const std::uint8_t> mask) {
  TopK best(std::min(k, scores.size()));
  if (k == 0) return {};
  double least = above;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    // A row that ties with the last hit comes after it and stays out.
    if (!(static_cast<double>(scores[row]) > least)) continue;
    if (!mask.empty() && ((mask[row / 8] >> (row % 8)) & 1) == 0) continue;
    best.Push({scores[row], static_cast<std::uint32_t>(row), 0});
    least = std::max(above, static_cast<double>(best.Threshold()));
  }
  return best.Take();
}

void AddList(std::span<float> sums, std::span<const std::uint32_t> rows,
             std::span<const float> weights, double value, bool only_alike) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= sums.size()) continue;
    float& sum = sums[rows[i]];
    if (only_alike && !(sum > 0)) continue;
    sum = Rounded(static_cast<double>(sum) + static_cast<double>(weights[i]) * value);
  }
}

void DivideByNorms(std::span<float> sums, std::span<const double> norms) {
  for (std::size_t row = 0; row < sums.size(); ++row) {
    if (sums[row] > 0) sums[row] = Rounded(static_cast<double>(sums[row]) / norms[row]);
  }
}

void AddShares(std::span<float> sums, std::span<const float> likeness,
               std::span<const std::uint8_t> is_main, double share, double other_share) {
  for (std::size_t row = 0; row < sums.size(); ++row) {
    if (!(likeness[row] > 0)) continue;
    const double own = is_main[row] == 1 ? share : other_share;
    sums[row] = Rounded(static_cast<double>(sums[row]) + static_cast<double>(likeness[row]) * own);
  }
}

void MixLikeness(std::span<float> likeness, const LikenessColumns& columns,
                 const LikenessWeights& weights) {
  for (std::size_t row = 0; row < likeness.size(); ++row) {
    const double cosine = columns.cosines.empty() ? NAN : columns.cosines[row];
    const auto franchise = static_cast<std::uint32_t>(columns.franchises[row]);
    const double recommended =
        weights.recommended_count *
        (franchise < columns.recommended.size() ? columns.recommended[franchise] : 0.0);
    const double own = (1 - weights.text_share) * static_cast<double>(likeness[row]) +
                       (std::isnan(cosine) ? 0 : weights.text_share * cosine);
    const double alike = own * (1 + weights.recommended_share * recommended) +
                         weights.recommended_weight * recommended;
    if (alike == 0) continue;
    const double known = columns.popularity[row];
    likeness[row] = Rounded(
        alike + weights.era_weight * Nearness(weights.year, columns.years[row], weights.era_years) +
        weights.popularity_weight *
            (std::isnan(known) ? 0 : std::min(known, weights.max_popularity)));
  }
}

void Fulfil(std::span<float> fulfilled, const std::vector<RequestedFact>& facts,
            const FulfilRules& rules) {
  std::vector<float> met(fulfilled.size());
  std::vector<float> met_subjects(fulfilled.size());
  double others = 0;
  double subjects = 0;
  for (const RequestedFact& fact : facts) {
    if (fact.is_subject) {
      subjects += fact.weight;
    } else {
      others += 1;
    }
    std::vector<float>& counts = fact.is_subject ? met_subjects : met;
    for (std::size_t row = 0; row < fulfilled.size(); ++row) {
      const double degree = fact.degrees[row];
      if (degree == 0) continue;
      fulfilled[row] = Rounded(static_cast<double>(fulfilled[row]) + fact.share * degree);
      counts[row] = Rounded(static_cast<double>(counts[row]) + fact.weight);
    }
  }
  double wholly = 0;
  for (std::size_t row = 0; row < fulfilled.size(); ++row) {
    if (fulfilled[row] == 0 || static_cast<double>(met[row]) != others) continue;
    if (static_cast<double>(met_subjects[row]) > subjects - rules.rounding) wholly += 1;
  }
  const double subject_weight = wholly < rules.few_wholly ? rules.subject_failure : 1;
  const double all = others + subject_weight * subjects;
  for (std::size_t row = 0; row < fulfilled.size(); ++row) {
    if (fulfilled[row] == 0) continue;
    const double kept =
        static_cast<double>(met[row]) + subject_weight * static_cast<double>(met_subjects[row]);
    // A row that fails one of several facts is worse than the mean shows.
    if (kept < all - rules.rounding) {
      fulfilled[row] = Rounded(static_cast<double>(fulfilled[row]) * std::sqrt(kept / all));
    }
  }
}

}  // namespace synoptic
