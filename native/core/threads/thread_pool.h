// The core's own threads. Work comes in sources that give one small unit after another;
// between units a worker turns to the source that has had the least time, so that a large batch
// does not hold up a small search.

#ifndef SYNOPTIC_THREADS_THREAD_POOL_H_
#define SYNOPTIC_THREADS_THREAD_POOL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "threads/inbox.h"
#include "threads/thread_spread.h"

namespace synoptic {

class WorkSource {
 public:
  virtual ~WorkSource() = default;

  // Does one unit of work, of at most a few milliseconds; false when there was nothing to do.
  // Called from several workers at once; must not throw.
  virtual bool RunOne(unsigned worker) = 0;

  // Whether RunOne would find something to do.
  virtual bool HasWork() = 0;

 private:
  friend class ThreadPool;
  // Time that workers spent on this source; guarded by the pool.
  std::int64_t used_ns_ = 0;
};

class ThreadPool {
 public:
  explicit ThreadPool(unsigned thread_count);
  // Drops sources that are waiting and joins the threads.
  ~ThreadPool();

  // The process's pool: SYNOPTIC_SCAN_THREADS threads, or one for each hardware thread. Never
  // destroyed, because threads may be at work while the process exits. Throws Error ETHREADS.
  static ThreadPool& Shared();

  unsigned thread_count() const { return static_cast<unsigned>(threads_.size()); }

  // Announces that `source` has about `units` of work; the pool keeps it until it has none.
  // Waits for none of the pool's threads.
  void Wake(std::shared_ptr<WorkSource> source, std::size_t units);

  // From now on a thread is woken only while fewer than `limit` are awake, or none is. Who is at
  // work goes on.
  void Limit(unsigned limit);

 private:
  void RunWorker(unsigned worker);
  std::shared_ptr<WorkSource> PickSource();

  Inbox<std::shared_ptr<WorkSource>> arrivals_;
  // Changes with every arrival; who finds nothing to do waits for that. A condition variable would
  // make the one that wakes others wait until they have left it.
  std::atomic<std::uint32_t> arrival_count_ = 0;
  std::atomic<unsigned> sleeping_ = 0;
  std::atomic<unsigned> limit_;

  // Of the pool's threads among themselves.
  std::mutex mutex_;
  std::vector<std::shared_ptr<WorkSource>> sources_;
  // The time used by the source that was picked last. It only grows; who comes starts there, so
  // that nobody has credit for idle time, and no debt to those who were not there.
  std::int64_t level_ns_ = 0;
  bool stopping_ = false;
  ThreadSpread spread_;
  std::vector<std::thread> threads_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_THREADS_THREAD_POOL_H_
