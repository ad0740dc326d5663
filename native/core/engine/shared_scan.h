// The searches that run over one collection share one scan: a chunk of rows is read once for all of
// them. A search joins at the chunk that is next and leaves after a full round. A worker does one
// unit at a time: a piece of a search's preparation, a chunk for all members, or a piece of a
// search's end.

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

class SharedScan : public WorkSource, public std::enable_shared_from_this<SharedScan> {
 public:
  // Called once, on a worker or, after Cancel, on the thread that cancels.
  using Done = std::function<void(std::exception_ptr, SearchResult)>;
  struct Member;

  // `chunk_rows`, at most kChunkRows and a multiple of 64, is what a worker does before it looks
  // for others to serve.
  SharedScan(ThreadPool& pool, std::shared_ptr<const Collection> collection, std::size_t chunk_rows)
      : pool_(pool), collection_(std::move(collection)), chunk_rows_(chunk_rows) {}

  std::shared_ptr<Member> Add(std::unique_ptr<Scan> scan, Done done);

  // Drops the search: `done` gets Error ECANCELLED at once or, when a worker is in the middle of a
  // unit of it, after that unit. Too late is not an error.
  void Cancel(const std::shared_ptr<Member>& member);

  bool RunOne(unsigned worker) override;
  bool HasWork() override;

 private:
  using MemberList = std::vector<std::shared_ptr<Member>>;

  std::size_t chunk_count() const { return (collection_->rows() + chunk_rows_ - 1) / chunk_rows_; }
  void TakeIn();
  void RunUnit(const std::shared_ptr<Member>& member, std::size_t unit);
  void RunChunk(std::size_t chunk, const MemberList& members, unsigned worker);
  void EndUnit(const MemberList& members);
  bool Advance(Member& member);
  void Settle(const std::shared_ptr<Member>& member);

  ThreadPool& pool_;
  const std::shared_ptr<const Collection> collection_;
  const std::size_t chunk_rows_;
  // On their way into the queue.
  Inbox<std::shared_ptr<Member>> arrivals_;
  std::mutex mutex_;
  // Guarded by mutex_: searches with units to hand out, searches that want chunks, the next chunk.
  std::deque<std::shared_ptr<Member>> queue_;
  MemberList members_;
  std::size_t next_chunk_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_SHARED_SCAN_H_
