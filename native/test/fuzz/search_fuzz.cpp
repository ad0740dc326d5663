// Any arguments of a search: an answer of the promised shape, or an Error EARGUMENT or EQUERY.

#include <cstdlib>
#include <cstring>

#include "blocking_search.h"
#include "cpu.h"
#include "error.h"
#include "fixtures.h"
#include "harness.h"
#include "target.h"

namespace synoptic {
namespace {

constexpr std::size_t kRows = 300, kDimension = 5;

SearchRunner& TheRunner() {
  static SearchRunner* runner = [] {
    auto* pool = new ThreadPool(1);
    std::vector<std::string> paths;
    for (const std::uint32_t seed : {1u, 2u}) {
      paths.push_back(test::ScratchFile("fuzz" + std::to_string(seed) + ".npy"));
      test::WriteFile(paths.back(), test::Npy(kRows, kDimension,
                                              test::AdversarialValues(kRows, kDimension, seed)));
    }
    return new SearchRunner(*pool, test::OpenCollection(*pool, paths, ActiveKernels()));
  }();
  return *runner;
}

}  // namespace
}  // namespace synoptic

// Bytes: counts of queries, of k, of columns and of mask words, distinct; then columns, mask,
// queries.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace synoptic;
  if (size < 5) return 0;
  SearchArguments arguments;
  arguments.query_count = data[0] % 20;
  arguments.k = data[1] == 255 ? ~std::size_t{0} : std::size_t{data[1]} * 3;
  arguments.distinct = data[4] % 2 == 0;
  const std::size_t columns = data[2] % 4, mask_words = data[3] % 8;
  std::size_t at = 5;
  for (std::size_t i = 0; i < columns && at < size; ++i) arguments.columns.push_back(data[at++]);
  for (std::size_t i = 0; i < mask_words && at + 8 <= size; ++i, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, data + at, sizeof(word));
    arguments.mask_words.push_back(word);
  }
  arguments.queries.resize((size - at) / sizeof(float));
  if (!arguments.queries.empty()) {
    std::memcpy(arguments.queries.data(), data + at, arguments.queries.size() * sizeof(float));
  }
  try {
    const SearchAnswer answer = test::Search(TheRunner(), arguments);
    const std::size_t hits = arguments.query_count * arguments.k;
    if (answer.rows.size() != hits || answer.scores.size() != hits) std::abort();
    for (std::size_t query = 0; query < arguments.query_count; ++query) {
      if (answer.counts[query] > arguments.k) std::abort();
      for (std::size_t j = 0; j < answer.counts[query]; ++j) {
        if (answer.rows[query * arguments.k + j] >= kRows) std::abort();
      }
    }
  } catch (const Error& error) {
    if (error.code != "EARGUMENT" && error.code != "EQUERY") std::abort();
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  const auto with = [](std::string head, std::size_t floats) {
    const std::vector<float> values = RandomValues(floats, 3);
    head.append(reinterpret_cast<const char*>(values.data()), floats * sizeof(float));
    return head;
  };
  return {with(std::string("\x01\x03\x02\x00\x00\x00\x01", 7), 5),
          with(std::string("\x0c\x50\x01\x00\x01\x01", 6), 60),
          with(std::string("\x02\x02\x01\x05\x00\x00", 6) + std::string(40, '\x55'), 10)};
}
