// Searches that run together, are cancelled, outlive their runner, and lose their file.

#include <cstdio>
#include <filesystem>
#include <random>
#include <thread>

#include "blocking_search.h"
#include "fixtures.h"
#include "harness.h"
#include "kernels/cpu.h"
#include "quantized/quantized_codes.h"

namespace synoptic {
namespace {

constexpr std::size_t kRows = 20000, kDimension = 64;

std::string WriteMatrix(const std::string& name) {
  const std::string path = test::ScratchFile(name);
  test::WriteFile(path, test::Npy(kRows, kDimension, test::RandomValues(kRows * kDimension, 3)));
  return path;
}

SearchArguments Arguments(std::size_t queries, std::uint32_t seed) {
  SearchArguments arguments;
  arguments.queries = test::RandomValues(queries * kDimension, seed);
  arguments.query_count = queries;
  arguments.k = 10;
  arguments.columns = {0};
  return arguments;
}

TEST(SearchesTogetherReturnTheSameAsAlone) {
  ThreadPool pool(4);
  SearchRunner runner(pool, test::OpenCollection(pool, {WriteMatrix("m.npy")}, ActiveKernels()));
  std::vector<SearchResult> alone;
  for (std::uint32_t i = 0; i < 40; ++i) {
    alone.push_back(test::Search(runner, Arguments(i % 5 == 4 ? 12 : 1, i)));
  }
  std::vector<std::future<SearchResult>> together;
  for (std::uint32_t i = 0; i < 40; ++i) {
    together.push_back(test::StartSearch(runner, Arguments(i % 5 == 4 ? 12 : 1, i)));
  }
  for (std::size_t i = 0; i < together.size(); ++i) {
    const SearchResult result = together[i].get();
    CHECK(result.rows == alone[i].rows);
    CHECK(result.scores == alone[i].scores);
  }
}

TEST(CancelledSearchesEndAndOthersGoOn) {
  ThreadPool pool(2);
  SearchRunner runner(pool, test::OpenCollection(pool, {WriteMatrix("m.npy")}, ActiveKernels()));
  const SearchResult expected = test::Search(runner, Arguments(1, 0));
  std::mt19937 generator(5);
  int cancelled = 0;
  for (int round = 0; round < 50; ++round) {
    SearchRunner::Handle handles[4];
    std::vector<std::future<SearchResult>> dropped;
    for (auto& handle : handles) {
      dropped.push_back(test::StartSearch(runner, Arguments(200, 1), &handle));
    }
    auto kept = test::StartSearch(runner, Arguments(1, 0));
    if (round % 2 == 1) {
      std::this_thread::sleep_for(std::chrono::microseconds(generator() % 2000));
    }
    for (const auto& handle : handles) {
      SearchRunner::Cancel(handle);
      SearchRunner::Cancel(handle);
    }
    for (auto& search : dropped) {
      try {
        search.get();
      } catch (const Error& error) {
        CHECK_EQUAL(error.code, std::string("ECANCELLED"));
        ++cancelled;
      }
    }
    CHECK(kept.get().rows == expected.rows);
  }
  CHECK(cancelled > 0);
}

// Whether a large search is still under way after small ones were started and have ended. The
// test's own thread may be halted for long enough that it is not, so there are several attempts.
template <class SmallSearches>
bool IsOvertaken(SearchRunner& runner, const SmallSearches& search) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    auto large = test::StartSearch(runner, Arguments(400, 1));
    search();
    const bool is_overtaken =
        large.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
    CHECK_EQUAL(large.get().counts[399], 10u);
    if (is_overtaken) return true;
  }
  return false;
}

// One thread, so that what is submitted first would also end first if it were not for
// fairness.
TEST(ASmallSearchDoesNotWaitForALargeOne) {
  ThreadPool pool(1);
  SearchRunner runner(pool, test::OpenCollection(pool, {WriteMatrix("m.npy")}, ActiveKernels()));
  const SearchResult expected = test::Search(runner, Arguments(1, 0));
  CHECK(IsOvertaken(runner, [&] {
    for (int i = 0; i < 3; ++i) {
      CHECK(test::Search(runner, Arguments(1, 0)).rows == expected.rows);
    }
  }));
}

// The time that a client has used before does not count against it when another client comes.
TEST(ManySearchesBeforeDoNotMakeTheNextOneWait) {
  ThreadPool pool(1);
  SearchRunner runner(pool, test::OpenCollection(pool, {WriteMatrix("m.npy")}, ActiveKernels()));
  for (int i = 0; i < 100; ++i) test::Search(runner, Arguments(8, 0));
  CHECK(IsOvertaken(runner, [&] { test::Search(runner, Arguments(1, 0)); }));
}

TEST(ALargeSearchEndsHoweverManySmallOnesCome) {
  ThreadPool pool(1);
  SearchRunner runner(pool, test::OpenCollection(pool, {WriteMatrix("m.npy")}, ActiveKernels()));
  const auto completed_meanwhile = [&] {
    auto large = test::StartSearch(runner, Arguments(100, 1));
    // Always two of them, so that there is always a small one to prefer.
    std::future<SearchResult> small[2] = {test::StartSearch(runner, Arguments(1, 0)),
                                          test::StartSearch(runner, Arguments(1, 2))};
    int completed = 0;
    while (large.wait_for(std::chrono::seconds(0)) == std::future_status::timeout &&
           completed < 100000) {
      small[completed % 2].get();
      small[completed % 2] = test::StartSearch(runner, Arguments(1, 0));
      ++completed;
    }
    CHECK(completed < 100000);
    CHECK_EQUAL(large.get().counts[99], 10u);
    // A pool that ends leaves what waits, and who waits holds the collection.
    for (auto& search : small) search.wait();
    return completed;
  };
  // None, where this thread was halted until the large one had ended.
  int completed = 0;
  for (int attempt = 0; attempt < 100 && completed < 2; ++attempt)
    completed = completed_meanwhile();
  CHECK(completed > 1);
}

TEST(SearchesOutliveTheirRunner) {
  ThreadPool pool(2);
  std::vector<std::future<SearchResult>> searches;
  {
    SearchRunner runner(pool, test::OpenCollection(pool, {WriteMatrix("m.npy")}, ActiveKernels()));
    for (std::uint32_t i = 0; i < 5; ++i) {
      searches.push_back(test::StartSearch(runner, Arguments(10, i)));
    }
  }
  for (auto& search : searches) CHECK_EQUAL(search.get().counts[0], 10u);
}

TEST(AFileThatIsWrittenToIsAnErrorOfTheRequest) {
  ThreadPool pool(1);
  const std::string path = WriteMatrix("written.npy");
  SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(5));
  CHECK_CODE(test::Search(runner, Arguments(1, 0)), "EFILE_CHANGED");
}

// Windows neither cuts nor replaces a file that is mapped.
#ifdef _WIN32
TEST(AFileThatIsServedStaysAsItIs) {
  ThreadPool pool(1);
  const std::string path = WriteMatrix("shrinks.npy");
  SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  std::error_code error;
  std::filesystem::resize_file(path, 100000, error);
  CHECK(error != std::error_code());
  std::filesystem::rename(WriteMatrix("next.npy"), path, error);
  CHECK(error != std::error_code());
  CHECK_EQUAL(test::Search(runner, Arguments(1, 0)).counts[0], 10u);
}
#else
TEST(AFileThatShrinksIsAnErrorOfTheRequest) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("shrinks.npy"), other = WriteMatrix("stays.npy");
  SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  SearchRunner stays(pool, test::OpenCollection(pool, {other}, ActiveKernels()));
  CHECK_EQUAL(test::Search(runner, Arguments(1, 0)).counts[0], 10u);
  std::filesystem::resize_file(path, 100000);
  CHECK_CODE(test::Search(runner, Arguments(1, 0)), "EFILE_CHANGED");
  CHECK_CODE(test::Search(runner, Arguments(20, 0)), "EFILE_CHANGED");
  CHECK_EQUAL(test::Search(stays, Arguments(1, 0)).counts[0], 10u);
  // Growing back does not bring the values back.
  std::filesystem::resize_file(path, 128 + kRows * kDimension * sizeof(float));
  CHECK_CODE(test::Search(runner, Arguments(1, 0)), "EFILE_CHANGED");
  CHECK_EQUAL(test::OpenCollection(pool, {path}, ActiveKernels())->rows(), kRows);
}

TEST(AFileThatIsReplacedIsServedAsItWas) {
  ThreadPool pool(1);
  const std::string path = WriteMatrix("replaced.npy");
  SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  const SearchResult before = test::Search(runner, Arguments(1, 0));
  std::filesystem::rename(WriteMatrix("next.npy"), path);
  std::filesystem::resize_file(path, 64);
  CHECK(test::Search(runner, Arguments(1, 0)).rows == before.rows);
}

TEST(CodesThatAreCutOrWrittenToAreAnErrorOfTheRequest) {
  ThreadPool pool(2);
  for (const bool cut : {true, false}) {
    const std::string path = WriteMatrix("coded.npy");
    test::BuildCodes(pool, path, 8);
    const std::string codes = CodesPath(path, 8);
    SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
    const SearchResult before = test::Search(runner, Arguments(1, 0));
    if (cut) {
      std::filesystem::resize_file(codes, 10000);
    } else {
      std::filesystem::last_write_time(
          codes, std::filesystem::last_write_time(codes) + std::chrono::seconds(5));
    }
    CHECK_CODE(test::Search(runner, Arguments(1, 0)), "EFILE_CHANGED");
    CHECK_CODE(test::Search(runner, Arguments(20, 0)), "EFILE_CHANGED");
    // Built again and renamed into its place, it serves those who open it from then on.
    test::BuildCodes(pool, path, 8);
    CHECK_CODE(test::Search(runner, Arguments(1, 0)), "EFILE_CHANGED");
    SearchRunner again(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
    CHECK(test::Search(again, Arguments(1, 0)).rows == before.rows);
  }
}

TEST(AMatrixAndItsCodesThatAreReplacedAreServedAsTheyWere) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("both.npy");
  test::BuildCodes(pool, path, 4);
  SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  const SearchResult before = test::Search(runner, Arguments(12, 0));
  const std::string next = test::ScratchFile("next.npy");
  test::WriteFile(next, test::Npy(kRows, kDimension, test::RandomValues(kRows * kDimension, 4)));
  std::filesystem::rename(next, path);
  // The old codes of the new matrix are refused, new ones take their place.
  const auto stale = test::OpenCollection(pool, {path}, ActiveKernels());
  CHECK_EQUAL(stale->codes_refusal(0)->code, std::string("ECODES_STALE"));
  test::BuildCodes(pool, path, 4);
  SearchRunner replaced(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
  const SearchResult after = test::Search(replaced, Arguments(12, 0));
  CHECK(after.rows != before.rows);
  SearchRunner plain(pool, stale);
  CHECK(test::Search(plain, Arguments(12, 0)).scores == after.scores);
  CHECK(test::Search(runner, Arguments(12, 0)).scores == before.scores);
}
#endif

TEST(UnknownKernelsAndThreadCountsAreRefused) {
  CHECK_CODE(ChooseKernels("sse9"), "EKERNEL");
  CHECK_EQUAL(std::string(ChooseKernels("scalar").name), "scalar");
  CHECK_EQUAL(ChooseKernels("").name, AvailableKernels().front()->name);
  CHECK_EQUAL(ChooseKernels(nullptr).name, AvailableKernels().front()->name);
}

}  // namespace
}  // namespace synoptic
