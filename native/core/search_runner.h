// Starts and cancels the searches of one collection.

#ifndef SYNOPTIC_CORE_SEARCH_RUNNER_H_
#define SYNOPTIC_CORE_SEARCH_RUNNER_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "collection.h"
#include "search.h"
#include "sweep.h"
#include "thread_pool.h"

namespace synoptic {

// Shares the collection with the searches that run; may be destroyed before they end.
class SearchRunner {
 public:
  struct Handle {
    std::shared_ptr<Sweep> sweep;
    std::shared_ptr<Sweep::Rider> rider;
  };

  SearchRunner(ThreadPool& pool, std::shared_ptr<const Collection> collection);

  // Throws Error EARGUMENT; later errors and the answer come to `done`, once.
  Handle Start(SearchArguments arguments, Sweep::Done done);

  static void Cancel(const Handle& handle) { handle.sweep->Cancel(handle.rider); }

  const Collection& collection() const { return *collection_; }

  // (row, column, query) triples whose float32 were read by searches that have answered.
  std::uint64_t pairs_scored() const { return *pairs_scored_; }

 private:
  ThreadPool& pool_;
  const std::shared_ptr<const Collection> collection_;
  const std::shared_ptr<Sweep> shared_sweep_;
  const std::shared_ptr<std::atomic<std::uint64_t>> pairs_scored_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_SEARCH_RUNNER_H_
