// Starts and cancels the searches of one collection.

#ifndef SYNOPTIC_SEARCH_SEARCH_RUNNER_H_
#define SYNOPTIC_SEARCH_SEARCH_RUNNER_H_

#include <cstdint>
#include <memory>

#include "engine/collection.h"
#include "engine/search.h"
#include "engine/shared_scan.h"
#include "gpu/gpu_engine.h"
#include "threads/thread_pool.h"

namespace synoptic {

// Shares the collection with the searches that run; may be destroyed before they end.
class SearchRunner {
 public:
  // A search that has been started: on the shared scan, or on the device until it falls back to it.
  struct Search;
  using Handle = std::shared_ptr<Search>;

  // With `gpu`, the device takes the searches that it wants, and the pool the rest.
  SearchRunner(ThreadPool& pool, std::shared_ptr<const Collection> collection,
               std::shared_ptr<GpuEngine> gpu = nullptr);
  ~SearchRunner();

  // Throws Error EARGUMENT; later errors and the result come to `done`, once.
  Handle Start(SearchArguments arguments, SharedScan::Done done);

  static void Cancel(const Handle& handle);

  const Collection& collection() const { return *collection_; }
  std::shared_ptr<const Collection> shared_collection() const { return collection_; }
  const std::shared_ptr<GpuEngine>& gpu() const { return gpu_; }

  // (row, column, query) triples whose float32 were read by searches that have ended.
  std::uint64_t pairs_scored() const;
  // See SearchResult::scanned_bytes; of searches that have ended.
  std::uint64_t scanned_bytes() const;

 private:
  // What searches keep when the runner has gone.
  struct Shared;

  static void StartOnProcessor(const std::shared_ptr<Shared>& shared, const Handle& search,
                               SearchArguments arguments, SharedScan::Done done);
  static void StartOnDevice(const std::shared_ptr<Shared>& shared, GpuEngine& gpu,
                            const Handle& search, SearchArguments arguments, SharedScan::Done done);

  const std::shared_ptr<const Collection> collection_;
  const std::shared_ptr<GpuEngine> gpu_;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_SEARCH_SEARCH_RUNNER_H_
