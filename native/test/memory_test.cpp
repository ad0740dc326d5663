// Memory that cannot be had is an error of the request that wanted it: whichever larger allocation
// fails, the request ends with it, and the next one succeeds as ever.

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "blocking_search.h"
#include "fixtures.h"
#include "harness.h"

namespace {

// What is smaller than this is the scheduler's own: a few pointers a request.
constexpr std::size_t kSmallestThatFails = 1024;

// How many larger allocations still succeed; negative: all.
std::atomic<long> left{-1};

void* Allocate(std::size_t size, std::size_t alignment) {
  if (size >= kSmallestThatFails && left.load() >= 0 && left.fetch_sub(1) == 0) {
    throw std::bad_alloc();
  }
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace synoptic {
namespace {

constexpr std::size_t kRows = 3000, kDimension = 128;

// Fails the first, the second … larger allocation of `work`, until it gets by without a failure.
// Returns how many there were.
template <class Work>
long FailEach(const Work& work) {
  for (long allocation = 0;; ++allocation) {
    left = allocation;
    bool failed = false;
    try {
      work();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    const bool reached = left.exchange(-1) < 0;
    CHECK_EQUAL(failed, reached);
    if (!reached || failed != reached) return allocation;
  }
}

std::string WriteMatrix(const std::string& name) {
  const std::string path = test::ScratchFile(name);
  test::WriteFile(path, test::Npy(kRows, kDimension, test::RandomValues(kRows * kDimension, 3)));
  return path;
}

TEST(SearchesFailAlone) {
  ThreadPool pool(2);
  const std::string plain = WriteMatrix("plain.npy"), coded = WriteMatrix("coded.npy");
  test::BuildCodes(pool, coded, 4);
  for (const std::string& path : {plain, coded}) {
    SearchRunner runner(pool, test::OpenCollection(pool, {path}, ActiveKernels()));
    for (const std::size_t queries : {1, 20}) {
      SearchArguments arguments;
      arguments.queries = test::RandomValues(queries * kDimension, 4);
      arguments.query_count = queries;
      arguments.k = 100;
      arguments.columns = {0};
      const SearchResult expected = test::Search(runner, arguments);
      const long allocations =
          FailEach([&] { CHECK(test::Search(runner, arguments).rows == expected.rows); });
      CHECK(allocations > 3);
      CHECK(test::Search(runner, arguments).scores == expected.scores);
    }
  }
}

TEST(CollectionsThatCannotBeOpenedLeaveNothing) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("opened.npy");
  test::BuildCodes(pool, path, 8);
  const long allocations = FailEach(
      [&] { CHECK_EQUAL(test::OpenCollection(pool, {path}, ActiveKernels())->rows(), kRows); });
  CHECK(allocations > 0);
}

TEST(CodesThatCannotBeBuiltLeaveNothing) {
  ThreadPool pool(2);
  const std::string path = WriteMatrix("built.npy");
  const auto folder = std::filesystem::path(path).parent_path();
  const auto files = [&] {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      count += entry.path().filename().string().starts_with("built.npy");
    }
    return count;
  };
  const long allocations = FailEach([&] {
    CHECK_EQUAL(files(), 1u);
    CHECK_EQUAL(test::BuildCodes(pool, path, 8).bits, 8u);
  });
  CHECK(allocations > 3);
  CHECK_EQUAL(files(), 2u);
}

}  // namespace
}  // namespace synoptic
