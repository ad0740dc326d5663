// Any bytes as a `.rows` file: either an Error EROWS_*, or an index whose searches return rows
// that it has, in their order. The header gets its sum, so that what follows is reached.

#include <cstdlib>
#include <future>

#include "base/error.h"
#include "fixtures.h"
#include "harness.h"
#include "rows/word_search.h"
#include "rows_file.h"
#include "target.h"

namespace {

using namespace synoptic;

void CheckNumbers(const RowIndex& index) {
  static constexpr std::size_t kMostLists = 1000;
  for (const char* kind : {"character", "initial"}) {
    try {
      const NumberLists& lists = index.Numbers(kind);
      lists.names().Find("moon");
      lists.names().HasBeginning("mo");
      std::uint64_t sum = 0;
      for (std::size_t list = 0; list < std::min(lists.names().size(), kMostLists); ++list) {
        for (const char letter : lists.names().Of(list)) sum += static_cast<std::uint8_t>(letter);
        for (const std::uint32_t number : lists.Of(list)) sum += number;
      }
      static volatile std::uint64_t read;
      read = sum;
    } catch (const Error& error) {
      if (error.code != "EROWS_FORMAT") std::abort();
    }
  }
}

void CheckSearch(const std::shared_ptr<const RowIndex>& index) {
  static auto* pool = new ThreadPool(1);
  WordArguments arguments;
  const std::size_t stems = std::min<std::size_t>(index->stems().size(), 40);
  for (std::uint32_t stem = 0; stem < stems; ++stem) arguments.stems.push_back(stem);
  arguments.k = 100;
  index->stems().Find("moon");
  const auto numbers = arguments.stems;
  std::promise<WordHits> promise;
  SearchWords(*pool, index, std::move(arguments),
              [&](std::exception_ptr, WordHits hits) { promise.set_value(std::move(hits)); });
  const WordHits hits = promise.get_future().get();
  for (std::size_t i = 0; i < hits.rows.size(); ++i) {
    if (hits.rows[i] >= index->rows() || !(hits.scores[i] > 0)) std::abort();
    if (i > 0 && hits.scores[i] > hits.scores[i - 1]) std::abort();
  }
  for (const std::uint32_t row : RowsWithWords(*index, numbers)) {
    if (row >= index->rows()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(data), size);
  if (size >= 4096) {
    // So many rows take too long to be an interesting input.
    std::uint32_t rows;
    std::memcpy(&rows, file.data() + 12, sizeof(rows));
    test::Put(file, 12, rows % 1000000);
    test::SealHeader(file);
  }
  try {
    const auto index = RowIndex::Of({file.begin(), file.end()}, {});
    CheckSearch(index);
    CheckNumbers(*index);
  } catch (const Error& error) {
    if (!error.code.starts_with("EROWS_")) std::abort();
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  StemRows large;
  for (std::uint32_t row = 0; row < 140000; row += 997) large["moon"].emplace_back(row, row % 900);
  large["boy"] = {{3, 1}, {139999, 65535}};
  return {"", RowsFile(0, {}), RowsFile(9, {{"a", {{1, 1}}}, {"moon", {{0, 5}, {8, 3}}}}),
          RowsFile(140000, large),
          RowsFile(9, {{"a", {{1, 1}}}},
                   {{"character", {{"moon", {1, 2}}, {"moo", {}}}}, {"initial", {{"fma", {7}}}}})};
}
