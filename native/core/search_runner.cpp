#include "search_runner.h"

#include <bit>
#include <utility>

#include "canonical_scan.h"
#include "certified_scan.h"

namespace synoptic {
namespace {

// A larger batch would slow down everyone on the shared sweep; it gets a sweep of its own, and the
// pool divides the time between the two.
constexpr std::size_t kMaxSharedQueries = 8;

// Rows of a chunk. Long pieces keep the prefetchers busy: through shadows searches take up to a
// tenth less time with 1024 rows than with 256. But a chunk of ten columns should take a few
// milliseconds at most, because others wait for it: 256 queries take 25 ms for 256 rows of float32.
constexpr std::size_t kShadowedChunkRows = kChunkRows, kPlainChunkRows = 256;
constexpr std::size_t kFewestChunkRows = 64;
// Batches of more have shorter chunks.
constexpr std::size_t kManyQueries = 64;
// So that no thread has to wait long for another one's last chunk.
constexpr std::size_t kFewestChunksEach = 8;

bool HasShadow(const Collection& collection) {
  for (std::size_t column = 0; column < collection.matrices().size(); ++column) {
    if (collection.shadow(column) != nullptr) return true;
  }
  return false;
}

std::size_t ChunkRows(const Collection& collection, std::size_t query_count, unsigned threads) {
  std::size_t rows = HasShadow(collection) ? kShadowedChunkRows : kPlainChunkRows;
  if (query_count > kManyQueries) rows /= 4;
  while (rows > kFewestChunkRows && collection.rows() < rows * threads * kFewestChunksEach) {
    rows /= 2;
  }
  return rows;
}

// Below these, scoring the few rows costs less than preparing the queries for their shadows, or
// than reading the blocks of 16 rows that they lie in: of one row in twenty, more than half.
constexpr std::size_t kFewestPairs = 2000;
constexpr double kSmallestShare = 0.05;

bool ShadowsPay(const Collection& collection, const SearchArguments& arguments) {
  std::size_t shadows = 0;
  for (const std::uint16_t column : arguments.columns) {
    if (collection.shadow(column) != nullptr) ++shadows;
  }
  std::size_t rows = collection.rows();
  if (!arguments.mask_words.empty()) {
    rows = 0;
    for (const std::uint64_t word : arguments.mask_words) {
      rows += static_cast<std::size_t>(std::popcount(word));
    }
  }
  // The answer's k rows are scored anyway; where that is much of the collection, so is the rest.
  return rows * shadows >= kFewestPairs && arguments.k < rows / 4 &&
         static_cast<double>(rows) >= kSmallestShare * static_cast<double>(collection.rows());
}

}  // namespace

SearchRunner::SearchRunner(ThreadPool& pool, std::shared_ptr<const Collection> collection)
    : pool_(pool),
      collection_(std::move(collection)),
      shared_sweep_(std::make_shared<Sweep>(pool_, collection_,
                                            ChunkRows(*collection_, 1, pool_.thread_count()))),
      pairs_scored_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

SearchRunner::Handle SearchRunner::Start(SearchArguments arguments, Sweep::Done done) {
  collection_->CheckArguments(arguments);
  const std::size_t queries = arguments.query_count;
  const unsigned workers = pool_.thread_count();
  Handle handle;
  handle.sweep =
      queries <= kMaxSharedQueries
          ? shared_sweep_
          : std::make_shared<Sweep>(pool_, collection_, ChunkRows(*collection_, queries, workers));
  std::unique_ptr<Scan> scan;
  if (ShadowsPay(*collection_, arguments)) {
    scan = std::make_unique<CertifiedScan>(collection_, std::move(arguments), workers);
  } else {
    scan = std::make_unique<CanonicalScan>(collection_, std::move(arguments), workers);
  }
  handle.rider =
      handle.sweep->Add(std::move(scan), [scored = pairs_scored_, done = std::move(done)](
                                             std::exception_ptr error, SearchAnswer answer) {
        *scored += answer.rescored;
        done(error, std::move(answer));
      });
  return handle;
}

}  // namespace synoptic
