// Searches against a brute force that is written down once more, without any of the core's code.

#include <algorithm>
#include <bit>

#include "blocking_search.h"
#include "engine/top_k.h"
#include "fixtures.h"
#include "harness.h"
#include "kernels/cpu.h"

namespace synoptic {
namespace {

struct Example {
  std::size_t rows;
  std::size_t dimension;
  std::vector<std::vector<float>> columns;
  std::vector<std::string> paths;
};

Example MakeExample(std::size_t rows, std::size_t dimension, std::size_t columns) {
  Example example{rows, dimension, {}, {}};
  for (std::size_t column = 0; column < columns; ++column) {
    example.columns.push_back(
        test::AdversarialValues(rows, dimension, static_cast<std::uint32_t>(column)));
    // The first column again: every row ties with itself in another column.
    if (column == 2) example.columns.back() = example.columns.front();
    example.paths.push_back(test::ScratchFile("column" + std::to_string(column) + ".npy"));
    test::WriteFile(example.paths.back(), test::Npy(rows, dimension, example.columns.back()));
  }
  return example;
}

double Sum(const float* a, const float* b, std::size_t dimension) {
  double lanes[16] = {};
  for (std::size_t d = 0; d < dimension; ++d) {
    lanes[d % 16] += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  }
  for (int width = 8; width > 0; width /= 2) {
    for (int lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

std::vector<Hit> BruteForce(const Example& example, const SearchArguments& arguments,
                            const float* query) {
  std::vector<Hit> hits;
  for (std::uint32_t row = 0; row < example.rows; ++row) {
    if (!arguments.mask_words.empty() && (arguments.mask_words[row / 64] >> row % 64 & 1) == 0) {
      continue;
    }
    std::vector<Hit> found;
    for (const std::uint16_t column : arguments.columns) {
      const float* x = example.columns[column].data() + row * example.dimension;
      const double square = Sum(x, x, example.dimension);
      if (!(square > 0) || std::isinf(square)) continue;
      const double norm = std::sqrt(Sum(query, query, example.dimension));
      const double inverse = 1 / (norm * std::sqrt(square));
      found.push_back(
          {static_cast<float>(Sum(query, x, example.dimension) * inverse), row, column});
    }
    std::sort(found.begin(), found.end(), RanksBefore);
    const auto kept = arguments.distinct && !found.empty() ? found.begin() + 1 : found.end();
    hits.insert(hits.end(), found.begin(), kept);
  }
  std::sort(hits.begin(), hits.end(), RanksBefore);
  hits.resize(std::min(hits.size(), arguments.k));
  return hits;
}

void CheckSearch(SearchRunner& runner, const Example& example, const SearchArguments& arguments) {
  const SearchResult result = test::Search(runner, arguments);
  for (std::size_t query = 0; query < arguments.query_count; ++query) {
    const auto expected =
        BruteForce(example, arguments, arguments.queries.data() + query * example.dimension);
    CHECK_EQUAL(result.counts[query], expected.size());
    for (std::size_t j = 0; j < expected.size(); ++j) {
      const std::size_t at = query * arguments.k + j;
      CHECK_EQUAL(result.rows[at], expected[j].row);
      CHECK_EQUAL(result.columns[at], expected[j].column);
      CHECK_EQUAL(std::bit_cast<std::uint32_t>(result.scores[at]),
                  std::bit_cast<std::uint32_t>(expected[j].score));
    }
  }
}

SearchArguments Arguments(const Example& example, std::size_t queries, std::size_t k) {
  SearchArguments arguments;
  arguments.queries = test::RandomValues(queries * example.dimension, 99);
  arguments.query_count = queries;
  arguments.k = k;
  for (std::size_t column = 0; column < example.columns.size(); ++column) {
    arguments.columns.push_back(static_cast<std::uint16_t>(column));
  }
  return arguments;
}

TEST(AgreesWithBruteForceOnEveryKernelAndThreadCount) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    for (const Kernels* kernels : AvailableKernels()) {
      for (const std::size_t rows : {0, 1, 2, 16, 129, 1100}) {
        const Example example = MakeExample(rows, 33, 3);
        SearchRunner runner(pool, test::OpenCollection(pool, example.paths, *kernels));
        for (const std::size_t queries : {0, 1, 3, 20}) {
          for (const std::size_t k : {0, 1, 10, 5000}) {
            SearchArguments arguments = Arguments(example, queries, k);
            CheckSearch(runner, example, arguments);
            arguments.distinct = false;
            CheckSearch(runner, example, arguments);
            arguments.columns = {1};
            CheckSearch(runner, example, arguments);
          }
        }
      }
    }
  }
}

TEST(MasksLetPassWhatTheySay) {
  ThreadPool pool(2);
  const Example example = MakeExample(700, 20, 2);
  SearchRunner runner(pool, test::OpenCollection(pool, example.paths, ActiveKernels()));
  SearchArguments arguments = Arguments(example, 2, 25);
  for (const std::uint64_t word :
       {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0x8000000000000011}}) {
    arguments.mask_words.assign(11, word);
    CheckSearch(runner, example, arguments);
  }
  arguments.mask_words.assign(11, 0);
  arguments.mask_words[3] = 1;
  CheckSearch(runner, example, arguments);
}

TEST(RefusesWrongQueriesAndArguments) {
  ThreadPool pool(1);
  const Example example = MakeExample(20, 4, 1);
  SearchRunner runner(pool, test::OpenCollection(pool, example.paths, ActiveKernels()));
  const SearchArguments good = Arguments(example, 2, 3);
  for (const float wrong : {0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN(),
                            std::numeric_limits<float>::infinity()}) {
    SearchArguments arguments = good;
    std::fill(arguments.queries.begin() + 4, arguments.queries.end(), wrong);
    CHECK_CODE(test::Search(runner, arguments), "EQUERY");
  }
  const auto refuses = [&](const auto& change) {
    SearchArguments arguments = good;
    change(arguments);
    CHECK_CODE(test::Search(runner, arguments), "EARGUMENT");
  };
  refuses([](SearchArguments& a) { a.queries.pop_back(); });
  refuses([](SearchArguments& a) { a.query_count = 3; });
  refuses([](SearchArguments& a) { a.k = std::size_t{1} << 30; });
  refuses([](SearchArguments& a) { a.mask_words.resize(2); });
  refuses([](SearchArguments& a) { a.columns = {1}; });
  refuses([](SearchArguments& a) { a.columns = {0, 0}; });
}

TEST(RefusesColumnsThatDoNotMatch) {
  ThreadPool pool(1);
  const std::string a = test::ScratchFile("a.npy"), b = test::ScratchFile("b.npy");
  test::WriteFile(a, test::Npy(3, 4, std::vector<float>(12)));
  test::WriteFile(b, test::Npy(4, 3, std::vector<float>(12)));
  CHECK_CODE(test::OpenCollection(pool, {a, b}, ActiveKernels()), "EDIM_MISMATCH");
  test::WriteFile(b, test::Npy(2, 4, std::vector<float>(8)));
  CHECK_CODE(test::OpenCollection(pool, {a, b}, ActiveKernels()), "EROWS_MISMATCH");
  CHECK_CODE(test::OpenCollection(pool, {}, ActiveKernels()), "EARGUMENT");
  CHECK_CODE(test::OpenCollection(pool, {test::ScratchFile("none.npy")}, ActiveKernels()),
             "EFILE_OPEN");
  CHECK_EQUAL(test::OpenCollection(pool, {a}, ActiveKernels())->CountValidRows(), 0u);
}

}  // namespace
}  // namespace synoptic
