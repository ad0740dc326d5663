#include "rows/stem_postings.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rows/row_index.h"

namespace synoptic {
namespace {

void Require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

// Half a unit is rounded up.
double Round(double value) {
  const double whole = std::floor(value);
  return value - whole >= 0.5 ? whole + 1 : whole;
}

}  // namespace

StemPostings::StemPostings(const RowWords& words, WordStems stems)
    : words_(words), stems_(std::move(stems)), stem_rows_(stems_.stems) {
  Require(stems_.codes.size() == words.words().size(), "codes: expected one a word");
  for (const std::uint32_t code : stems_.codes) {
    Require(code < stems_.stems + stems_.other_ends.size(), "codes: expected numbers of stems");
  }
  Require(std::is_sorted(stems_.other_ends.begin(), stems_.other_ends.end()) &&
              (stems_.other_ends.empty() || stems_.other_ends.back() <= stems_.others.size()),
          "otherEnds: expected ends of lists");
  for (const std::uint32_t stem : stems_.others) {
    Require(stem < stems_.stems, "others: expected numbers of stems");
  }
  // Of each stem the last row that has it, plus one.
  std::vector<std::uint32_t> last_rows(stems_.stems);
  ForEachStem([&](std::uint32_t row, std::uint32_t stem, bool) {
    if (last_rows[stem] != row + 1) ++stem_rows_[stem];
    last_rows[stem] = row + 1;
  });
}

// Calls take(row, stem, is_of_title) for every stem of every word, in order.
template <class Take>
void StemPostings::ForEachStem(const Take& take) const {
  words_.rows().ForEach([&](std::uint32_t row, std::uint32_t word, bool is_of_title) {
    const std::uint32_t code = stems_.codes[word];
    if (code < stems_.stems) {
      take(row, code, is_of_title);
      return;
    }
    const std::size_t other = code - stems_.stems;
    for (std::size_t i = other == 0 ? 0 : stems_.other_ends[other - 1];
         i < stems_.other_ends[other]; ++i) {
      take(row, stems_.others[i], is_of_title);
    }
  });
}

void StemPostings::SetFormula(Bm25 formula) {
  Require(formula.rarities.size() == stems_.stems, "rarities: expected one a stem");
  formula_ = std::move(formula);
}

std::optional<PostingsPart> StemPostings::Next(std::size_t at_once) {
  const std::uint32_t begin = next_;
  if (begin == stems_.stems) return std::nullopt;
  Require(!formula_.rarities.empty(), "expected a formula");
  // Where the rows of each stem of the part begin, and where the last end.
  std::vector<std::size_t> starts{0};
  do {
    starts.push_back(starts.back() + stem_rows_[next_]);
    ++next_;
  } while (next_ < stems_.stems && starts.back() + stem_rows_[next_] <= at_once);
  std::vector<std::uint32_t> rows(starts.back());
  std::vector<std::uint32_t> weights(starts.back());
  std::vector<std::size_t> ends(starts.begin(), starts.end() - 1);
  const std::uint32_t end = next_;
  ForEachStem([&](std::uint32_t row, std::uint32_t stem, bool is_of_title) {
    if (stem < begin || stem >= end) return;
    std::size_t& slot = ends[stem - begin];
    if (slot == starts[stem - begin] || rows[slot - 1] != row) rows[slot++] = row;
    weights[slot - 1] += is_of_title ? formula_.title_weight : 1;
  });
  PostingsPart part;
  part.postings.reserve(2 * rows.size());
  for (std::uint32_t stem = begin; stem < end; ++stem) {
    const std::size_t first = starts[stem - begin];
    const std::size_t count = starts[stem - begin + 1] - first;
    Append(stem, std::span(rows).subspan(first, count), std::span(weights).subspan(first, count),
           part);
  }
  return part;
}

void StemPostings::Append(std::uint32_t stem, std::span<const std::uint32_t> rows,
                          std::span<const std::uint32_t> weights, PostingsPart& part) {
  const std::size_t stripes = (words_.lengths().size() + kStripeRows - 1) / kStripeRows;
  std::size_t begin = 0;
  for (std::size_t stripe = 0; stripe < stripes; ++stripe) {
    std::size_t end = begin;
    for (; end < rows.size() && rows[end] / kStripeRows == stripe; ++end) {
      part.postings.push_back(static_cast<std::uint16_t>(rows[end] % kStripeRows));
    }
    for (std::size_t i = begin; i < end; ++i) {
      part.postings.push_back(ImpactOf(stem, rows[i], weights[i]));
    }
    total_ += static_cast<std::uint32_t>(end - begin);
    part.ends.push_back(total_);
    begin = end;
  }
}

std::uint16_t StemPostings::ImpactOf(std::uint32_t stem, std::uint32_t row,
                                     std::uint32_t weight) const {
  const auto& [rarities, saturation, length_share, mean_length, title_weight, units] = formula_;
  const double length = words_.lengths()[row];
  const double norm = saturation * (1 - length_share + (length_share * length) / mean_length);
  const double impact = (rarities[stem] * weight * (saturation + 1)) / (weight + norm);
  // Not zero: a row with a word of the query is a hit.
  return static_cast<std::uint16_t>(std::clamp(Round(impact * units), 1.0, 65535.0));
}

}  // namespace synoptic
