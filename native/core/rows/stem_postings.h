// The postings that an import makes of the words of rows: the lists `stem` of a `.rows` file
// (rows/row_index.h). src/data/lexical/postings.ts has the formula of bm25.

#ifndef SYNOPTIC_ROWS_STEM_POSTINGS_H_
#define SYNOPTIC_ROWS_STEM_POSTINGS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rows/row_words.h"

namespace synoptic {

// The stems of distinct words.
struct WordStems {
  std::size_t stems = 0;
  // Of each word its stem, or `stems` plus a position among the words that have several or none.
  std::vector<std::uint32_t> codes;
  // Of each of these where its stems end in `others`.
  std::vector<std::uint32_t> other_ends;
  std::vector<std::uint32_t> others;
};

struct Bm25 {
  // Of each stem.
  std::vector<double> rarities;
  double saturation = 0;
  double length_share = 0;
  // Words of a row.
  double mean_length = 0;
  // How often a word of a title counts.
  std::uint32_t title_weight = 1;
  // Of an impact in 1.
  double units = 1;
};

// What some stems add to `stem.postings` and to `stem.ends`.
struct PostingsPart {
  std::vector<std::uint16_t> postings;
  std::vector<std::uint32_t> ends;
};

class StemPostings {
 public:
  // Keeps a reference to `words`, which are finished. Throws std::invalid_argument where a word has
  // no stem or a stem has no number.
  StemPostings(const RowWords& words, WordStems stems);

  // How many rows have each stem.
  std::span<const std::uint32_t> stem_rows() const { return stem_rows_; }
  // Before the first part.
  void SetFormula(Bm25 formula);
  // Those of the next stems, as many as are in at most `at_once` rows together, and one at least;
  // nullopt after the last.
  std::optional<PostingsPart> Next(std::size_t at_once);

 private:
  template <class Take>
  void ForEachStem(const Take& take) const;
  void Append(std::uint32_t stem, std::span<const std::uint32_t> rows,
              std::span<const std::uint32_t> weights, PostingsPart& part);
  std::uint16_t ImpactOf(std::uint32_t stem, std::uint32_t row, std::uint32_t weight) const;

  const RowWords& words_;
  const WordStems stems_;
  std::vector<std::uint32_t> stem_rows_;
  Bm25 formula_;
  std::uint32_t next_ = 0;
  std::uint32_t total_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_STEM_POSTINGS_H_
