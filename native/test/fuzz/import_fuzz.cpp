// Any units as titles and texts of rows: the import's parts have every row once a stem, in order,
// and every text of the titles.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "rows/row_words.h"
#include "rows/stem_postings.h"
#include "rows/title_table.h"
#include "target.h"

namespace {

using namespace synoptic;

// Words are of units below 0x80 whose lowest bit is set, and of one plane.
WordCharacters SomeCharacters() {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t unit = 1; unit < 0x80; unit += 2) ranges.insert(ranges.end(), {unit, unit});
  ranges.insert(ranges.end(), {0x20000, 0x2ffff, 0x120000, 0xffffffff});
  return WordCharacters(ranges);
}

void CheckPostings(const std::vector<std::u16string>& texts) {
  RowWords words(SomeCharacters());
  for (const auto& text : texts) words.Add(text, texts.front());
  words.Finish();
  const std::size_t count = words.words().size();
  WordStems stems{.stems = count};
  for (std::uint32_t word = 0; word < count; ++word) stems.codes.push_back(word);
  StemPostings postings(words, stems);
  postings.SetFormula({.rarities = std::vector<double>(count, 1),
                       .saturation = 1.2,
                       .length_share = 0.75,
                       .mean_length = 3,
                       .title_weight = 2,
                       .units = 1024});
  std::size_t total = 0;
  while (const auto part = postings.Next(5)) {
    total += part->postings.size();
    if (part->ends.back() * 2 != total) std::abort();
  }
  std::size_t expected = 0;
  for (const std::uint32_t rows : words.word_rows()) expected += 2 * rows;
  if (total != expected) std::abort();
}

void CheckTitles(const std::vector<std::u16string>& texts) {
  TitleTable table;
  for (std::uint32_t row = 0; row < texts.size(); ++row) {
    table.Add({row, static_cast<std::uint8_t>(row % 4), row, row * 0.5, "title"}, texts[row],
              texts.front());
  }
  const std::size_t words = table.words().size();
  table.Build(std::vector<std::uint8_t>(words), [&](const std::string& name, auto array) {
    const auto* numbers = std::get_if<std::vector<std::uint32_t>>(&array);
    if (name == "words.titleStarts" && numbers->size() != words + 1) std::abort();
    if (name == "rows" && numbers->size() != texts.size()) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::u16string> texts(1);
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    const auto unit = static_cast<char16_t>(data[i] | data[i + 1] << 8);
    if (unit % 64 == 13) texts.emplace_back();
    texts.back() += unit;
  }
  CheckPostings(texts);
  CheckTitles(texts);
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  std::string units;
  for (const char16_t unit :
       std::u16string(u"One word\rand one more\n\xd840\xdc00w \xd840\r\xdc00")) {
    units += {static_cast<char>(unit), static_cast<char>(unit >> 8)};
  }
  return {"", units, units + units, std::string(3000, 'a')};
}
