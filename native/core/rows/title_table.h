// The titles of a dataset as arrays: src/data/titles/open-titles.ts reads them.

#ifndef SYNOPTIC_ROWS_TITLE_TABLE_H_
#define SYNOPTIC_ROWS_TITLE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rows/text_numbers.h"
#include "rows/text_set.h"

namespace synoptic {

struct Title {
  std::uint32_t row = 0;
  // Lower ones come first among titles of one length.
  std::uint8_t kind = 0;
  std::uint32_t season = 0;
  // Of what is looked up exactly.
  double key = 0;
  // As it is shown, in UTF-8.
  std::string text;
};

class TitleTable {
 public:
  using Array =
      std::variant<std::vector<std::uint8_t>, std::vector<std::uint32_t>, std::vector<double>>;
  // Takes an array by its name.
  using Take = std::function<void(const std::string& name, Array array)>;

  // `forms` and `words` are one or more texts, separated by lines; the first kMaxUnits units of
  // each count. A title has the length of its first form.
  void Add(Title title, std::u16string_view forms, std::u16string_view words);
  std::size_t size() const { return rows_.size(); }

  // Distinct words of titles in the order in which they first occur, and how many titles have each.
  const TextNumbers& words() const { return words_.texts; }
  std::vector<std::uint32_t> CountWords() const;

  // Gives all arrays away. `rarity` is of each word, in the order of words(). The last call.
  // Throws std::invalid_argument for another number of them.
  void Build(std::span<const std::uint8_t> rarity, const Take& take);

 private:
  struct TitlesOfTexts {
    TextNumbers texts;
    // Pairs of the number of a text and the position of a title, the titles in order.
    std::vector<std::uint32_t> pairs;
    // Of each text the last title that has it, plus one.
    std::vector<std::uint32_t> last_titles;

    // Returns the units of the first text.
    std::size_t Add(std::u16string_view lines, std::uint32_t title);
  };

  std::vector<std::uint32_t> Order() const;
  void TakeTitles(const std::vector<std::uint32_t>& order, const Take& take);
  static std::vector<std::uint32_t> TakeTexts(const std::string& name, TitlesOfTexts of_texts,
                                              const std::vector<std::uint32_t>& title_of,
                                              const Take& take);

  std::vector<std::uint32_t> rows_;
  std::vector<std::uint8_t> kinds_;
  std::vector<std::uint32_t> seasons_;
  std::vector<double> keys_;
  std::vector<std::uint8_t> lengths_;
  std::vector<std::uint8_t> originals_;
  std::vector<std::uint32_t> original_ends_;
  TitlesOfTexts forms_;
  TitlesOfTexts words_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_TITLE_TABLE_H_
