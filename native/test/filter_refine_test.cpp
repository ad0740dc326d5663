// Searches through quantized codes against exact ones: the same bits whatever the bits of the
// codes, the kernels, threads, batch, and however little memory there is for candidates.

#include <algorithm>
#include <cmath>

#include "blocking_search.h"
#include "engine/exact_scan.h"
#include "engine/filter_refine_scan.h"
#include "fixtures.h"
#include "harness.h"
#include "kernels/cpu.h"

namespace synoptic {
namespace {

constexpr std::size_t kRows = 3000, kTestChunkRows = 256;

std::string WriteMatrix(const std::string& name, std::size_t dimension,
                        const std::vector<float>& values) {
  const std::string path = test::ScratchFile(name);
  test::WriteFile(path, test::Npy(values.size() / dimension, dimension, values));
  return path;
}

template <class Kind, class... Options>
SearchResult Run(ThreadPool& pool, const std::shared_ptr<Collection>& collection,
                 const SearchArguments& arguments, const Options&... options) {
  std::promise<SearchResult> promise;
  const auto shared_scan = std::make_shared<SharedScan>(pool, collection, kTestChunkRows);
  shared_scan->Add(std::make_unique<Kind>(collection, arguments, pool.thread_count(), options...),
                   [&](std::exception_ptr error, SearchResult result) {
                     if (error != nullptr) {
                       promise.set_exception(error);
                     } else {
                       promise.set_value(std::move(result));
                     }
                   });
  return promise.get_future().get();
}

void CheckSame(const SearchResult& actual, const SearchResult& expected) {
  CHECK(actual.counts == expected.counts);
  CHECK(actual.rows == expected.rows);
  CHECK(actual.columns == expected.columns);
  CHECK(actual.scores == expected.scores);
}

SearchArguments Arguments(std::size_t dimension, std::size_t columns, std::size_t queries,
                          std::size_t k) {
  SearchArguments arguments;
  arguments.queries = test::RandomValues(queries * dimension, 42);
  arguments.query_count = queries;
  arguments.k = k;
  for (std::uint16_t column = 0; column < columns; ++column) arguments.columns.push_back(column);
  return arguments;
}

// Three columns: eight bits, four bits and no codes.
std::vector<std::string> WriteColumns(ThreadPool& pool, std::size_t dimension,
                                      const std::vector<std::vector<float>>& columns) {
  std::vector<std::string> paths;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    std::string name = std::to_string(dimension);
    name.append("-").append(std::to_string(column)).append(".npy");
    paths.push_back(WriteMatrix(name, dimension, columns[column]));
    if (column % 3 != 2)
      CHECK_EQUAL(test::BuildCodes(pool, paths.back(), column % 3 == 0 ? 8 : 4).bits,
                  column % 3 == 0 ? 8u : 4u);
  }
  return paths;
}

void CheckSearches(ThreadPool& pool, const std::shared_ptr<Collection>& collection) {
  const std::size_t columns = collection->matrices().size();
  for (const std::size_t queries : {0, 1, 3, 20}) {
    for (const std::size_t k : {0, 1, 10, 700, 5000}) {
      SearchArguments arguments = Arguments(collection->dimension(), columns, queries, k);
      for (const bool distinct : {true, false}) {
        arguments.distinct = distinct;
        const SearchResult expected = Run<ExactScan>(pool, collection, arguments);
        CheckSame(Run<FilterRefineScan>(pool, collection, arguments), expected);
        // So little room that candidates are scored on the spot again and again.
        CheckSame(Run<FilterRefineScan>(pool, collection, arguments, FilterRefineOptions{4}),
                  expected);
      }
    }
  }
}

TEST(AgreesWithExactOnEveryKernelAndThreadCount) {
  const std::size_t many = test::IsSample() ? kRows / 3 : kRows;
  const std::size_t few = test::IsSample() ? 30 : 100;
  for (const auto& [dimension, rows] :
       {std::pair<std::size_t, std::size_t>{1, 300}, {40, many}, {129, many}, {4096, few}}) {
    ThreadPool builders(2);
    const auto paths = WriteColumns(
        builders, dimension,
        {test::RandomValues(rows * dimension, 1), test::AdversarialValues(rows, dimension, 2),
         test::RandomValues(rows * dimension, 3)});
    for (const unsigned threads : {1u, 3u}) {
      if (threads == 1 && test::IsSample()) continue;
      ThreadPool pool(threads);
      for (const Kernels* kernels : AvailableKernels()) {
        CheckSearches(pool, test::OpenCollection(pool, paths, *kernels));
      }
    }
  }
}

TEST(TiesStandByRowAndColumn) {
  ThreadPool pool(2);
  constexpr std::size_t kDimension = 64;
  // Everything equal; a few distinct rows again and again; the same columns.
  const std::vector<float> equal(kRows * kDimension, 0.25f);
  std::vector<float> repeated(kRows * kDimension);
  const std::vector<float> pattern = test::RandomValues(5 * kDimension, 1);
  for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = pattern[i % pattern.size()];
  CheckSearches(pool, test::OpenCollection(pool, WriteColumns(pool, kDimension, {equal, equal}),
                                           ActiveKernels()));
  CheckSearches(pool, test::OpenCollection(
                          pool, WriteColumns(pool, kDimension, {repeated, repeated, repeated}),
                          ActiveKernels()));
}

TEST(MasksLetPassWhatTheySay) {
  ThreadPool pool(2);
  const auto paths = WriteColumns(
      pool, 64, {test::RandomValues(kRows * 64, 1), test::AdversarialValues(kRows, 64, 2)});
  const auto collection = test::OpenCollection(pool, paths, ActiveKernels());
  for (const std::uint64_t word : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1} << 63,
                                   std::uint64_t{0x00FF000000000F00}}) {
    for (const std::size_t queries : {1, 17}) {
      SearchArguments arguments = Arguments(64, 2, queries, 20);
      arguments.mask_words.assign((kRows + 63) / 64, word);
      CheckSame(Run<FilterRefineScan>(pool, collection, arguments),
                Run<ExactScan>(pool, collection, arguments));
    }
  }
}

// What must not change a result does not.
TEST(ResultsDoNotDependOnTheWayOfAsking) {
  ThreadPool pool(2);
  constexpr std::size_t kDimension = 96;
  const std::vector<float> values = test::RandomValues(kRows * kDimension, 9);
  const std::string whole = WriteMatrix("whole.npy", kDimension, values);
  test::BuildCodes(pool, whole, 4);
  const auto collection = test::OpenCollection(pool, {whole}, ActiveKernels());
  const SearchArguments batch = Arguments(kDimension, 1, 24, 15);
  const SearchResult expected = Run<FilterRefineScan>(pool, collection, batch);

  for (std::size_t query = 0; query < batch.query_count; ++query) {
    SearchArguments single = batch;
    single.query_count = 1;
    single.queries.assign(
        batch.queries.begin() + static_cast<std::ptrdiff_t>(query * kDimension),
        batch.queries.begin() + static_cast<std::ptrdiff_t>((query + 1) * kDimension));
    const SearchResult result = Run<FilterRefineScan>(pool, collection, single);
    for (std::size_t j = 0; j < 15; ++j) {
      CHECK_EQUAL(result.rows[j], expected.rows[query * 15 + j]);
      CHECK_EQUAL(result.scores[j], expected.scores[query * 15 + j]);
    }
  }

  SearchArguments scaled = batch;
  for (float& value : scaled.queries) value *= 0x1p-40f;
  CheckSame(Run<FilterRefineScan>(pool, collection, scaled), expected);

  // Rows in the opposite order: the same works under other numbers.
  std::vector<float> reversed(values.size());
  for (std::size_t row = 0; row < kRows; ++row) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * kDimension), kDimension,
                reversed.begin() + static_cast<std::ptrdiff_t>((kRows - 1 - row) * kDimension));
  }
  const std::string other = WriteMatrix("reversed.npy", kDimension, reversed);
  test::BuildCodes(pool, other, 8);
  const SearchResult mirrored =
      Run<FilterRefineScan>(pool, test::OpenCollection(pool, {other}, ActiveKernels()), batch);
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    CHECK_EQUAL(mirrored.rows[i], kRows - 1 - expected.rows[i]);
    CHECK_EQUAL(mirrored.scores[i], expected.scores[i]);
  }
}

// Scores that a table gives.
class TableScorer : public CandidateScorer {
 public:
  explicit TableScorer(const std::vector<float>& scores) : scores_(scores) {}
  void Score(Candidate* candidates, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      candidates[i].upper = candidates[i].lower = scores_[candidates[i].row];
      candidates[i].exact = true;
    }
  }
  void Expect(const Candidate&) override {}

 private:
  const std::vector<float>& scores_;
};

TEST(CandidatesTakeNoMoreRoomThanTheyMay) {
  constexpr std::size_t kCandidates = 20000, kHits = 5, kMaxKept = 50;
  // Bounds that rule nothing out, with many ties among the scores.
  std::vector<float> scores = test::RandomValues(kCandidates, 6);
  for (float& score : scores) score = std::round(score * 4) / 4;
  for (const bool distinct : {true, false}) {
    TableScorer scorer(scores);
    SharedThreshold threshold;
    CandidateArena arena(kHits, distinct, kMaxKept);
    std::size_t most = 0;
    TopK expected(kHits);
    for (std::uint32_t row = 0; row < kCandidates; ++row) {
      arena.Add({100, -100, row, 0, false}, threshold, scorer);
      most = std::max(most, arena.candidates().size());
      expected.Push({scores[row], row, 0});
    }
    CHECK(most <= 2 * kMaxKept);
    const auto hits = FirstHits(arena.candidates(), kHits, distinct, scorer);
    const auto best = expected.Take();
    CHECK_EQUAL(hits.size(), best.size());
    for (std::size_t i = 0; i < hits.size(); ++i) CHECK_EQUAL(hits[i].row, best[i].row);
  }
}

TEST(CodesRuleMostRowsOut) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("spare.npy", 256, test::RandomValues(kRows * 256, 4));
  test::BuildCodes(pool, path, 8);
  SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  const SearchResult result = test::Search(runner, Arguments(256, 1, 10, 10));
  CHECK(result.rescored >= 100);
  CHECK(result.rescored < 10 * kRows / 20);
}

}  // namespace
}  // namespace synoptic
