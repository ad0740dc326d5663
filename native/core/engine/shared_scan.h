// The searches that run over one collection. They ride one sweep: a chunk of rows is read once for
// all of them, a search joins at the chunk that is next and leaves after a full round. A worker
// that comes by does one unit: a piece of a search's preparation, a chunk for all riders, or a
// piece of a search's end.

#ifndef SYNOPTIC_ENGINE_SHARED_SCAN_H_
#define SYNOPTIC_ENGINE_SHARED_SCAN_H_

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/collection.h"
#include "engine/scan.h"
#include "threads/inbox.h"
#include "threads/thread_pool.h"

namespace synoptic {

class Sweep : public WorkSource, public std::enable_shared_from_this<Sweep> {
 public:
  // Called once, on a worker or, after Cancel, on the thread that cancels.
  using Done = std::function<void(std::exception_ptr, SearchAnswer)>;
  struct Rider;

  // `chunk_rows`, at most kChunkRows and a multiple of 64, is what a worker does before it looks
  // for others to serve.
  Sweep(ThreadPool& pool, std::shared_ptr<const Collection> collection, std::size_t chunk_rows)
      : pool_(pool), collection_(std::move(collection)), chunk_rows_(chunk_rows) {}

  std::shared_ptr<Rider> Add(std::unique_ptr<Scan> scan, Done done);

  // Drops the search: `done` gets Error ECANCELLED at once or, when a worker is in the middle of a
  // unit of it, after that unit. Too late is no error.
  void Cancel(const std::shared_ptr<Rider>& rider);

  bool RunOne(unsigned worker) override;
  bool HasWork() override;

 private:
  using RiderList = std::vector<std::shared_ptr<Rider>>;

  std::size_t chunk_count() const { return (collection_->rows() + chunk_rows_ - 1) / chunk_rows_; }
  void TakeIn();
  void RunUnit(const std::shared_ptr<Rider>& rider, std::size_t unit);
  void RunChunk(std::size_t chunk, const RiderList& riders, unsigned worker);
  void EndUnit(const RiderList& riders);
  bool Advance(Rider& rider);
  void Settle(const std::shared_ptr<Rider>& rider);

  ThreadPool& pool_;
  const std::shared_ptr<const Collection> collection_;
  const std::size_t chunk_rows_;
  // On their way into the queue.
  Inbox<std::shared_ptr<Rider>> arrivals_;
  std::mutex mutex_;
  // Guarded by mutex_: searches with units to hand out, searches that want chunks, the next chunk.
  std::deque<std::shared_ptr<Rider>> queue_;
  RiderList riders_;
  std::size_t next_chunk_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_SHARED_SCAN_H_
