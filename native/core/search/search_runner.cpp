#include "search/search_runner.h"

#include <atomic>
#include <bit>
#include <mutex>
#include <utility>

#include "engine/exact_scan.h"
#include "engine/filter_refine_scan.h"

namespace synoptic {
namespace {

// A larger batch would slow down every member of the shared scan. It gets a scan of its own, and
// the pool divides the time between the two.
constexpr std::size_t kMaxSharedQueries = 8;

// Rows of a chunk. Long pieces keep the prefetchers busy: through quantized codes searches take up
// to a tenth less time with 1024 rows than with 256. But a chunk of ten columns should take a few
// milliseconds at most, because others wait for it: 256 queries take 25 ms for 256 rows of float32.
constexpr std::size_t kCodedChunkRows = kChunkRows, kPlainChunkRows = 256;
constexpr std::size_t kMinChunkRows = 64;
// Batches of more have shorter chunks.
constexpr std::size_t kManyQueries = 64;
// So that no thread has to wait long for another one's last chunk.
constexpr std::size_t kMinChunksEach = 8;

bool HasCodes(const Collection& collection) {
  for (std::size_t column = 0; column < collection.matrices().size(); ++column) {
    if (collection.codes(column) != nullptr) return true;
  }
  return false;
}

std::size_t ChunkRows(const Collection& collection, std::size_t query_count, unsigned threads) {
  std::size_t rows = HasCodes(collection) ? kCodedChunkRows : kPlainChunkRows;
  if (query_count > kManyQueries) rows /= 4;
  while (rows > kMinChunkRows && collection.rows() < rows * threads * kMinChunksEach) {
    rows /= 2;
  }
  return rows;
}

// Below these, scoring the few rows costs less than preparing the queries for their quantized
// codes, or than reading the blocks of 16 rows that they lie in: of one row in twenty, more than
// half.
constexpr std::size_t kMinPairs = 2000;
constexpr double kMinShare = 0.05;

bool CodesPay(const Collection& collection, const SearchArguments& arguments) {
  std::size_t codes = 0;
  for (const std::uint16_t column : arguments.columns) {
    if (collection.codes(column) != nullptr) ++codes;
  }
  std::size_t rows = collection.rows();
  if (!arguments.mask_words.empty()) {
    rows = 0;
    for (const std::uint64_t word : arguments.mask_words) {
      rows += static_cast<std::size_t>(std::popcount(word));
    }
  }
  // The result's k rows are scored anyway; where that is much of the collection, so is the rest.
  return rows * codes >= kMinPairs && arguments.k < rows / 4 &&
         static_cast<double>(rows) >= kMinShare * static_cast<double>(collection.rows());
}

}  // namespace

struct SearchRunner::Shared {
  ThreadPool& pool;
  std::shared_ptr<const Collection> collection;
  std::shared_ptr<SharedScan> shared_scan;
  std::atomic<std::uint64_t> pairs_scored{0};
  std::atomic<std::uint64_t> scanned_bytes{0};
};

struct SearchRunner::Search {
  std::mutex mutex;
  // Guarded by the mutex: where it runs now.
  bool is_cancelled = false;
  std::shared_ptr<GpuTask> task;
  std::shared_ptr<SharedScan> shared_scan;
  std::shared_ptr<SharedScan::Member> member;
};

SearchRunner::SearchRunner(ThreadPool& pool, std::shared_ptr<const Collection> collection,
                           std::shared_ptr<GpuEngine> gpu)
    : collection_(std::move(collection)),
      gpu_(std::move(gpu)),
      shared_(new Shared{pool, collection_,
                         std::make_shared<SharedScan>(
                             pool, collection_, ChunkRows(*collection_, 1, pool.thread_count()))}) {
}

SearchRunner::~SearchRunner() {
  if (gpu_ != nullptr) gpu_->Forget(*collection_);
}

std::uint64_t SearchRunner::pairs_scored() const { return shared_->pairs_scored; }

std::uint64_t SearchRunner::scanned_bytes() const { return shared_->scanned_bytes; }

SearchRunner::Handle SearchRunner::Start(SearchArguments arguments, SharedScan::Done done) {
  collection_->CheckArguments(arguments);
  auto search = std::make_shared<Search>();
  auto counted = [shared = shared_, done = std::move(done)](std::exception_ptr error,
                                                            SearchResult result) {
    shared->pairs_scored += result.rescored;
    shared->scanned_bytes += result.scanned_bytes;
    done(error, std::move(result));
  };
  if (gpu_ != nullptr && gpu_->Wants(*collection_, arguments)) {
    StartOnDevice(shared_, *gpu_, search, std::move(arguments), std::move(counted));
  } else {
    StartOnProcessor(shared_, search, std::move(arguments), std::move(counted));
  }
  return search;
}

void SearchRunner::StartOnProcessor(const std::shared_ptr<Shared>& shared, const Handle& search,
                                    SearchArguments arguments, SharedScan::Done done) {
  const auto& collection = shared->collection;
  const std::size_t queries = arguments.query_count;
  const unsigned workers = shared->pool.thread_count();
  const std::shared_ptr<SharedScan> shared_scan =
      queries <= kMaxSharedQueries
          ? shared->shared_scan
          : std::make_shared<SharedScan>(shared->pool, collection,
                                         ChunkRows(*collection, queries, workers));
  std::unique_ptr<Scan> scan;
  if (CodesPay(*collection, arguments)) {
    scan = std::make_unique<FilterRefineScan>(collection, std::move(arguments), workers);
  } else {
    scan = std::make_unique<ExactScan>(collection, std::move(arguments), workers);
  }
  const auto member = shared_scan->Add(std::move(scan), std::move(done));
  bool is_cancelled;
  {
    const std::lock_guard lock(search->mutex);
    search->task = nullptr;
    search->shared_scan = shared_scan;
    search->member = member;
    is_cancelled = search->is_cancelled;
  }
  if (is_cancelled) shared_scan->Cancel(member);
}

void SearchRunner::StartOnDevice(const std::shared_ptr<Shared>& shared, GpuEngine& gpu,
                                 const Handle& search, SearchArguments arguments,
                                 SharedScan::Done done) {
  const auto task = std::make_shared<GpuTask>();
  task->collection = shared->collection;
  task->arguments = std::move(arguments);
  task->done = done;
  task->fall_back = [shared, search, done](SearchArguments arguments, std::string reason) {
    StartOnProcessor(shared, search, std::move(arguments),
                     [done, reason](std::exception_ptr error, SearchResult result) {
                       result.fallback = reason;
                       done(error, std::move(result));
                     });
  };
  search->task = task;
  gpu.Start(task);
}

void SearchRunner::Cancel(const Handle& search) {
  std::unique_lock lock(search->mutex);
  search->is_cancelled = true;
  if (search->task != nullptr) search->task->cancelled = true;
  const auto shared_scan = search->shared_scan;
  const auto member = search->member;
  lock.unlock();
  if (shared_scan != nullptr) shared_scan->Cancel(member);
}

}  // namespace synoptic
