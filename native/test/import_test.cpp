// What an import makes in the core: words of rows and their postings, titles and their texts,
// against plain passes over the same rows.

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"
#include "rows/named_numbers.h"
#include "rows/row_index.h"
#include "rows/row_words.h"
#include "rows/stem_postings.h"
#include "rows/title_table.h"

namespace synoptic {
namespace {

// a to z, and a letter beyond the first plane.
const std::vector<std::uint32_t> kLetters = {'a', 'z', 0x10400, 0x1044f};

struct Row {
  std::u16string titles;
  std::u16string texts;
};

std::u16string SomeWords(std::mt19937& random, std::size_t count, std::uint32_t vocabulary) {
  std::u16string words;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint32_t rest = 1 + random() % vocabulary; rest > 0; rest /= 26) {
      words += static_cast<char16_t>(u'a' + rest % 26);
    }
    words += random() % 9 == 0 ? u". " : u" ";
  }
  return words;
}

std::vector<Row> SomeRows(std::size_t count, std::size_t words) {
  std::mt19937 random(5);
  std::vector<Row> rows(count);
  for (Row& row : rows) row = {SomeWords(random, 3, 40), SomeWords(random, random() % words, 400)};
  return rows;
}

std::vector<std::u16string> Split(const std::u16string& text) {
  std::vector<std::u16string> words;
  std::u16string word;
  for (const char16_t unit : text + u" ") {
    if (unit >= u'a' && unit <= u'z') {
      word += unit;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

void AddAll(const std::vector<Row>& rows, RowWords& words) {
  for (const Row& row : rows) words.Add(row.titles, row.texts);
  words.Finish();
}

TEST(WordsAreNumberedByTheirFirstPlace) {
  // The second has texts enough for the thread.
  for (const auto& [count, length] : {std::pair{50, 30}, std::pair{6000, 200}}) {
    const auto rows = SomeRows(static_cast<std::size_t>(count), static_cast<std::size_t>(length));
    RowWords words((WordCharacters(kLetters)));
    AddAll(rows, words);
    std::map<std::u16string, std::uint32_t> numbers;
    std::vector<std::uint32_t> word_rows;
    bool same = true;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      auto all = Split(rows[row].titles);
      for (const auto& word : Split(rows[row].texts)) all.push_back(word);
      for (const auto& word : all) {
        if (numbers.emplace(word, numbers.size()).second) word_rows.push_back(0);
      }
      for (const auto& word : std::set(all.begin(), all.end())) ++word_rows[numbers.at(word)];
      same &= words.lengths()[row] == all.size();
    }
    CHECK(same);
    CHECK_EQUAL(words.words().size(), numbers.size());
    for (const auto& [word, number] : numbers) same &= words.words().Of(number) == word;
    CHECK(same);
    CHECK(std::equal(word_rows.begin(), word_rows.end(), words.word_rows().begin(),
                     words.word_rows().end()));
    CHECK_EQUAL(words.words().Find(u"never1"), TextNumbers::kNone);
  }
}

TEST(PairsOfSurrogatesAreCharacters) {
  RowWords words((WordCharacters(kLetters)));
  words.Add(u"a\xd801\xdc00z \xd801 b\xdc00\xd801",
            u"\xd83d\xde00"
            u"c\xd83d");
  words.Finish();
  CHECK_EQUAL(words.words().size(), 3u);
  CHECK(words.words().Of(0) == u"a\xd801\xdc00z");
  CHECK(words.words().Of(1) == u"b");
  CHECK(words.words().Of(2) == u"c");
}

TEST(RowsThatNobodyFinishesEnd) {
  const auto rows = SomeRows(4000, 300);
  RowWords words((WordCharacters(kLetters)));
  for (const Row& row : rows) words.Add(row.titles, row.texts);
}

// Every third word shares a stem with the next; every seventh has two, every eleventh none.
WordStems StemsOf(std::size_t words) {
  WordStems stems;
  stems.stems = words / 2 + 1;
  for (std::uint32_t word = 0; word < words; ++word) {
    const bool none = word % 11 == 0;
    if (!none && word % 7 != 0) {
      stems.codes.push_back(word / 2);
      continue;
    }
    stems.codes.push_back(static_cast<std::uint32_t>(stems.stems + stems.other_ends.size()));
    if (!none) stems.others.insert(stems.others.end(), {word / 2, 0});
    stems.other_ends.push_back(static_cast<std::uint32_t>(stems.others.size()));
  }
  return stems;
}

TEST(PostingsAreThoseOfThePlainFormula) {
  const auto rows = SomeRows(300, 60);
  RowWords words((WordCharacters(kLetters)));
  AddAll(rows, words);
  const WordStems stems = StemsOf(words.words().size());
  // Of each stem the weight of each row.
  std::vector<std::map<std::uint32_t, double>> weights(stems.stems);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    for (const bool of_title : {true, false}) {
      for (const auto& text : Split(of_title ? rows[row].titles : rows[row].texts)) {
        const std::uint32_t word = words.words().Find(text);
        if (word % 11 == 0) continue;
        weights[word / 2][row] += of_title ? 2 : 1;
        if (word % 7 == 0) weights[0][row] += of_title ? 2 : 1;
      }
    }
  }
  Bm25 formula{.rarities = {},
               .saturation = 1.2,
               .length_share = 0.75,
               .mean_length = 31,
               .title_weight = 2,
               .units = 1024};
  for (std::size_t stem = 0; stem < stems.stems; ++stem) formula.rarities.push_back(stem * 0.01);
  std::vector<std::uint16_t> expected;
  std::vector<std::uint32_t> ends;
  for (std::size_t stem = 0; stem < stems.stems; ++stem) {
    for (const auto& [row, weight] : weights[stem]) {
      expected.push_back(static_cast<std::uint16_t>(row));
    }
    for (const auto& [row, weight] : weights[stem]) {
      const double norm = 1.2 * (1 - 0.75 + (0.75 * words.lengths()[row]) / 31);
      const double impact = (formula.rarities[stem] * weight * (1.2 + 1)) / (weight + norm);
      expected.push_back(static_cast<std::uint16_t>(std::max(1.0, impact * 1024 + 0.5)));
    }
    ends.push_back(static_cast<std::uint32_t>(expected.size() / 2));
  }
  for (const std::size_t at_once : {1, 50, 1000, 1000000}) {
    StemPostings postings(words, stems);
    postings.SetFormula(formula);
    std::vector<std::uint16_t> found;
    std::vector<std::uint32_t> found_ends;
    while (const auto part = postings.Next(at_once)) {
      found.insert(found.end(), part->postings.begin(), part->postings.end());
      found_ends.insert(found_ends.end(), part->ends.begin(), part->ends.end());
    }
    CHECK(found == expected);
    CHECK(found_ends == ends);
  }
}

template <class Work>
bool IsRefused(const Work& work) {
  try {
    work();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

TEST(StemsThatDoNotFitAreRefused) {
  RowWords words((WordCharacters(kLetters)));
  words.Add(u"one two", u"");
  words.Finish();
  const auto refused = [&](const WordStems& stems) {
    return IsRefused([&] { StemPostings(words, stems); });
  };
  CHECK(!refused({2, {0, 2}, {2}, {0, 1}}));
  CHECK(refused({2, {0}, {}, {}}));
  CHECK(refused({2, {0, 2}, {}, {}}));
  CHECK(refused({2, {0, 2}, {3}, {0, 1}}));
  CHECK(refused({2, {0, 2}, {2}, {0, 2}}));
  CHECK(refused({2, {2, 3}, {2, 1}, {0, 1}}));
  StemPostings postings(words, {2, {0, 1}, {}, {}});
  CHECK(IsRefused([&] { postings.Next(1); }));
  CHECK(IsRefused([&] { postings.SetFormula({}); }));
}

std::map<std::string, TitleTable::Array> ArraysOf(TitleTable& table, std::size_t words) {
  std::map<std::string, TitleTable::Array> arrays;
  table.Build(std::vector<std::uint8_t>(words),
              [&](const std::string& name, auto array) { arrays[name] = std::move(array); });
  return arrays;
}

template <class T>
const std::vector<T>& Of(const std::map<std::string, TitleTable::Array>& arrays,
                         const std::string& name) {
  return std::get<std::vector<T>>(arrays.at(name));
}

TEST(TitlesAreInOrderOfTheirLengths) {
  TitleTable table;
  table.Add({3, 1, 7, 50, "Beta"}, u"beta", u"beta");
  table.Add({4, 0, 8, 20, "Ä"}, u"a\nab", u"a\nb\na");
  table.Add({4, 0, 9, 50, "Alfa"}, u"alfa", u"alfa\nb");
  CHECK_EQUAL(table.size(), 3u);
  CHECK(table.CountWords() == (std::vector<std::uint32_t>{1, 1, 2, 1}));
  CHECK_EQUAL(table.words().Find(u"alfa"), 3u);
  const auto arrays = ArraysOf(table, 4);
  CHECK(Of<std::uint32_t>(arrays, "rows") == (std::vector<std::uint32_t>{4, 4, 3}));
  CHECK(Of<std::uint32_t>(arrays, "seasons") == (std::vector<std::uint32_t>{8, 9, 7}));
  CHECK(Of<double>(arrays, "keys") == (std::vector<double>{20, 50, 50}));
  CHECK(Of<std::uint32_t>(arrays, "keyTitles") == (std::vector<std::uint32_t>{0, 1, 2}));
  const auto& originals = Of<std::uint8_t>(arrays, "originals");
  CHECK(std::string(originals.begin(), originals.end()) == "ÄAlfaBeta");
  // a and b are words 0 and 1, alfa and beta 2 and 3.
  CHECK(Of<std::uint32_t>(arrays, "words.titleStarts") ==
        (std::vector<std::uint32_t>{0, 1, 3, 4, 5}));
  CHECK(Of<std::uint32_t>(arrays, "words.titles") == (std::vector<std::uint32_t>{0, 0, 1, 1, 2}));
  TitleTable other;
  other.Add({}, u"a", u"a");
  CHECK(IsRefused([&] { ArraysOf(other, 2); }));
}

TEST(TextsAreNumberedByLengthAndAlphabet) {
  std::mt19937 random(9);
  TextNumbers texts;
  for (int i = 0; i < 3000; ++i) {
    std::u16string text;
    for (std::size_t length = 1 + random() % 12; length > 0; --length) {
      text += static_cast<char16_t>(random() % 5 == 0 ? 0x3040 + random() % 4 : 'a' + random() % 4);
    }
    texts.Add(text);
  }
  texts.Add(std::u16string(kMaxUnits, u'x'));
  const TextSet set = BuildTextSet(texts);
  std::vector<std::u16string> sorted;
  for (std::uint32_t i = 0; i < texts.size(); ++i) sorted.emplace_back(texts.Of(i));
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> alphabetical;
  for (const auto& text : sorted) alphabetical.push_back(set.numbers[texts.Find(text)]);
  CHECK(alphabetical == set.alphabetical);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& one, const auto& other) { return one.size() < other.size(); });
  bool same = true;
  for (std::uint32_t number = 0; number < sorted.size(); ++number) {
    const auto& text = sorted[number];
    same &= set.numbers[texts.Find(text)] == number && set.lengths[number] == text.size() &&
            number >= set.length_starts[text.size()] && number < set.length_starts[text.size() + 1];
    const std::size_t bytes = set.starts[number + 1] - set.starts[number];
    same &= bytes == text.size() || bytes == 2 * text.size();
  }
  CHECK(same);
  CHECK(std::is_sorted(set.gram_starts.begin(), set.gram_starts.end()));
  CHECK_EQUAL(set.gram_texts.size(), set.gram_starts.back());
}

TEST(NamesAreInTheOrderOfTheirBytes) {
  NamedNumbers named;
  // In UTF-16 the second comes before the first.
  named.Add(u"\xff5e", "\xef\xbd\x9e", 1);
  named.Add(u"\xd801\xdc00", "\xf0\x90\x90\x80", 2);
  named.Add(u"ann", "Ann", 3);
  named.Add(u"anna", "Anna", 3);
  named.Add(u"ann", "ANN", 3);
  named.Add(u"ann", "ann", 5);
  named.Add(u"longer than eight", "longer than eight", 0);
  named.Add(u"longer than a", "longer than a", 0xffffffff);
  const NamedNumbersSections sections = named.Build();
  CHECK_EQUAL(sections.names, "AnnAnnalonger than alonger than eight\xef\xbd\x9e\xf0\x90\x90\x80");
  CHECK(sections.name_ends == (std::vector<std::uint32_t>{3, 7, 20, 37, 40, 44}));
  CHECK(sections.numbers == (std::vector<std::uint32_t>{3, 5, 3, 0xffffffff, 0, 1, 2}));
  CHECK(sections.ends == (std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7}));
  CHECK(NamedNumbers().Build().ends.empty());
}

}  // namespace
}  // namespace synoptic
