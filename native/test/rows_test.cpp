// The index of rows: hits and scores against sums computed the plain way, for any number of
// threads; and files that are cut, damaged, stale or foreign.

#include <algorithm>
#include <future>
#include <random>

#include "fixtures.h"
#include "harness.h"
#include "rows/word_search.h"
#include "rows_file.h"

namespace synoptic {
namespace {

constexpr RowIndex::DatasetVersion kVersion = {};

std::vector<std::uint8_t> Bytes(const std::string& file) { return {file.begin(), file.end()}; }

std::string StemName(std::size_t number) {
  std::string name = "s";
  return name.append(std::to_string(number));
}

// Each stem is in fewer rows than the one before it.
test::StemRows SomeStems(std::uint32_t row_count, std::size_t stem_count, std::uint32_t seed) {
  std::mt19937 random(seed);
  test::StemRows stems;
  for (std::size_t stem = 0; stem < stem_count; ++stem) {
    auto& rows = stems[StemName(stem)];
    for (std::uint32_t row = 0; row < row_count; ++row) {
      if (random() % (1 + stem * stem) == 0) {
        // Few values, so that many rows tie.
        rows.emplace_back(row, static_cast<std::uint16_t>(1 + random() % 3 * 1000));
      }
    }
  }
  return stems;
}

struct Expected {
  std::vector<std::uint32_t> rows;
  std::vector<float> scores;
};

// In the order of all rows, whatever k and mask.
std::vector<float> PlainScores(std::uint32_t row_count, const test::StemRows& stems,
                               const std::vector<std::string>& names) {
  std::vector<std::uint32_t> sums(row_count);
  for (const auto& name : names) {
    for (const auto& [row, impact] : stems.at(name)) sums[row] += impact;
  }
  std::vector<float> scores;
  for (const std::uint32_t sum : sums) scores.push_back(static_cast<float>(sum) / 1024);
  return scores;
}

Expected PlainHits(const std::vector<float>& scores, std::size_t k,
                   const std::vector<std::uint8_t>& mask) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < scores.size(); ++row) {
    const bool passes = mask.empty() || (mask[row / 8] >> (row % 8) & 1) != 0;
    if (passes && scores[row] > 0) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  rows.resize(std::min(k, rows.size()));
  Expected expected = {rows, {}};
  for (const std::uint32_t row : rows) expected.scores.push_back(scores[row]);
  return expected;
}

WordHits Search(ThreadPool& pool, const std::shared_ptr<const RowIndex>& index,
                WordArguments arguments) {
  std::promise<WordHits> promise;
  SearchWords(pool, index, std::move(arguments), [&](std::exception_ptr error, WordHits hits) {
    error == nullptr ? promise.set_value(std::move(hits)) : promise.set_exception(error);
  });
  return promise.get_future().get();
}

std::vector<float> Score(ThreadPool& pool, const std::shared_ptr<const RowIndex>& index,
                         std::vector<std::uint32_t> stems, std::vector<std::uint32_t> rows) {
  std::promise<std::vector<float>> promise;
  ScoreWords(pool, index, std::move(stems), std::move(rows),
             [&](std::exception_ptr error, std::vector<float> scores) {
               error == nullptr ? promise.set_value(std::move(scores))
                                : promise.set_exception(error);
             });
  return promise.get_future().get();
}

std::vector<std::uint32_t> Numbers(const RowIndex& index, const std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbers;
  for (const auto& name : names) numbers.push_back(index.stems().Find(name).value());
  return numbers;
}

TEST(HitsAndScoresAreThoseOfThePlainSums) {
  ThreadPool one(1), three(3);
  for (const std::uint32_t row_count : {1u, 63u, 5000u, 65536u, 150001u}) {
    const test::StemRows stems = SomeStems(row_count, 30, row_count);
    const auto index = RowIndex::Of(Bytes(test::RowsFile(row_count, stems)), kVersion);
    std::mt19937 random(row_count);
    for (const std::size_t count : {1, 4, 30}) {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < count; ++i) {
        names.push_back(StemName((i * 7 + count) % 30));
      }
      const std::vector<float> scores = PlainScores(row_count, stems, names);
      std::vector<std::uint8_t> mask((row_count + 7) / 8);
      for (auto& byte : mask) byte = static_cast<std::uint8_t>(random() & random());
      for (const auto& own_mask : {std::vector<std::uint8_t>{}, mask}) {
        for (const std::size_t k : {std::size_t{1}, std::size_t{260}, std::size_t{200000}}) {
          const Expected expected = PlainHits(scores, k, own_mask);
          for (ThreadPool* pool : {&one, &three}) {
            const WordHits hits = Search(*pool, index, {Numbers(*index, names), k, own_mask});
            CHECK(hits.rows == expected.rows);
            CHECK(hits.scores == expected.scores);
          }
        }
      }
      for (const std::size_t some : {std::size_t{3}, std::size_t{row_count}}) {
        std::vector<std::uint32_t> rows;
        std::vector<float> own;
        for (std::size_t i = 0; i < some; ++i) {
          rows.push_back(static_cast<std::uint32_t>(random() % row_count));
          own.push_back(scores[rows.back()]);
        }
        CHECK(Score(three, index, Numbers(*index, names), rows) == own);
      }
      std::vector<std::uint32_t> having;
      for (std::uint32_t row = 0; row < row_count; ++row) {
        if (scores[row] > 0) having.push_back(row);
      }
      CHECK(RowsWithWords(*index, Numbers(*index, names)) == having);
    }
  }
}

TEST(StemsAreFoundByTheirBytes) {
  const test::StemRows stems = {{"", {{0, 1}}},         {"a", {{1, 1}}},
                                {"ab", {{2, 1}}},       {"b", {}},
                                {"\xc3\xa9", {{0, 2}}}, {"\xf0\x9f\x8c\x99", {{2, 9}}}};
  const auto index = RowIndex::Of(Bytes(test::RowsFile(3, stems)), kVersion);
  std::uint32_t number = 0;
  for (const auto& [name, rows] : stems) CHECK_EQUAL(index->stems().Find(name).value(), number++);
  for (const char* name : {"abc", "c", "A", "\xff"}) CHECK(!index->stems().Find(name).has_value());
  const auto empty = RowIndex::Of(Bytes(test::RowsFile(0, {})), kVersion);
  CHECK(!empty->stems().Find("a").has_value());
  ThreadPool pool(1);
  CHECK(Search(pool, empty, {{}, 5, {}}).rows.empty());
}

TEST(ArgumentsAreChecked) {
  ThreadPool pool(1);
  const auto index = RowIndex::Of(Bytes(test::RowsFile(9, {{"a", {{1, 1}}}})), kVersion);
  CHECK_CODE(Search(pool, index, {{1}, 5, {}}), "EARGUMENT");
  CHECK_CODE(Search(pool, index, {{0}, 5, {0xff}}), "EARGUMENT");
  CHECK_CODE(Score(pool, index, {0}, {9}), "EARGUMENT");
  CHECK_CODE(RowsWithWords(*index, {7}), "EARGUMENT");
}

TEST(FilesThatAreNotWholeAreRefused) {
  const std::string whole = test::RowsFile(70000, SomeStems(70000, 5, 1));
  for (const std::size_t size : {0ul, 7ul, 4095ul, 4096ul, whole.size() / 2, whole.size() - 1}) {
    CHECK_CODE(RowIndex::Of(Bytes(whole.substr(0, size)), kVersion), "EROWS_FORMAT");
  }
  // Hashes may follow.
  CHECK_EQUAL(RowIndex::Of(Bytes(whole + "hashes"), kVersion)->rows(), std::size_t{70000});
  for (std::size_t at = 0; at < 4096; at += at < 256 ? 1 : 97) {
    std::string damaged = whole;
    damaged[at] ^= 0x10;
    CHECK_CODE(RowIndex::Of(Bytes(damaged), kVersion), "EROWS_FORMAT");
  }
  RowIndex::DatasetVersion other = {};
  other[31] = 1;
  CHECK_CODE(RowIndex::Of(Bytes(whole), other), "EROWS_STALE");
  CHECK_CODE(RowIndex::Open(test::ScratchFile("none.rows"), kVersion), "EFILE_OPEN");
}

TEST(SectionsElsewhereAreRefused) {
  const std::string whole =
      test::RowsFile(9, {{"a", {{1, 1}}}}, {{"initial", {{"fma", {7}}, {"gits", {1, 8}}}}});
  const auto with = [&](std::size_t at, std::uint64_t value) {
    std::string file = whole;
    test::Put(file, at, value);
    test::SealHeader(file);
    return Bytes(file);
  };
  for (std::size_t number = 0; number < 8; ++number) {
    const std::size_t entry = 64 + number * test::kEntryBytes;
    // Without its numbers, a kind is not there.
    if (number < 7) CHECK_CODE(RowIndex::Of(with(entry, 0), kVersion), "EROWS_FORMAT");
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{4097}, ~std::uint64_t{63}}) {
      CHECK_CODE(RowIndex::Of(with(entry + 32, offset), kVersion), "EROWS_FORMAT");
    }
    CHECK_CODE(RowIndex::Of(with(entry + 40, ~std::uint64_t{3}), kVersion), "EROWS_FORMAT");
  }
  // As many ends as lists and stripes, and as lists.
  for (const std::size_t ends : {2, 6}) {
    CHECK_CODE(RowIndex::Of(with(64 + ends * test::kEntryBytes + 40, 0), kVersion), "EROWS_FORMAT");
  }
}

TEST(NumbersAreFoundByName) {
  const test::AllNumbers all = {
      {"character", {{"", {}}, {"A B", {4, 2}}, {"A", {1}}, {"\xc3\xa9", {0, 5, 9}}}},
      {"none", {}}};
  const auto index = RowIndex::Of(Bytes(test::RowsFile(3, {}, all)), kVersion);
  for (const auto& [kind, lists] : all) {
    const NumberLists& found = index->Numbers(kind);
    CHECK_EQUAL(found.names().size(), lists.size());
    std::uint32_t number = 0;
    for (const auto& [name, numbers] : lists) {
      CHECK_EQUAL(found.names().Find(name).value(), number);
      CHECK(found.names().Of(number) == name);
      const auto own = found.Of(number++);
      CHECK(std::vector<std::uint32_t>(own.begin(), own.end()) == numbers);
    }
    CHECK(found.Of(number).empty());
    CHECK(!found.names().Find("B").has_value());
  }
  const ListNames& names = index->Numbers("character").names();
  for (const char* beginning : {"", "A", "A ", "A B", "\xc3"}) CHECK(names.HasBeginning(beginning));
  for (const char* beginning : {"A C", "A B ", "B", "\xff"}) CHECK(!names.HasBeginning(beginning));
  CHECK(!index->Numbers("none").names().HasBeginning(""));
  CHECK_CODE(index->Numbers("initial"), "EROWS_FORMAT");
  CHECK_EQUAL(index->Bytes("character.names").size(), std::size_t{6});
  CHECK_CODE(index->Bytes("titles"), "EROWS_FORMAT");
}

#ifndef _WIN32  // which refuses to cut a mapped file
TEST(AFileThatIsCutIsAnErrorOfTheRequest) {
  ThreadPool pool(1);
  const std::string path = test::ScratchFile("cut.rows");
  test::WriteFile(path, test::RowsFile(70000, SomeStems(70000, 5, 2)));
  const auto index = RowIndex::Open(path, kVersion);
  CHECK_EQUAL(Search(pool, index, {{0, 1}, 10, {}}).rows.size(), std::size_t{10});
  test::WriteFile(path, "");
  CHECK_CODE(Search(pool, index, {{0, 1}, 10, {}}), "EFILE_CHANGED");
  CHECK_CODE(Score(pool, index, {0, 1}, {5}), "EFILE_CHANGED");
  CHECK_CODE(RowsWithWords(*index, {0}), "EFILE_CHANGED");
}
#endif

TEST(AnIndexOutlivesItsHandleWhileItIsSearched) {
  ThreadPool pool(2);
  auto index = RowIndex::Of(Bytes(test::RowsFile(70000, SomeStems(70000, 5, 3))), kVersion);
  std::promise<std::size_t> found;
  SearchWords(pool, std::move(index), {{0}, 10, {}},
              [&](std::exception_ptr, WordHits hits) { found.set_value(hits.rows.size()); });
  index.reset();
  CHECK_EQUAL(found.get_future().get(), std::size_t{10});
}

}  // namespace
}  // namespace synoptic
