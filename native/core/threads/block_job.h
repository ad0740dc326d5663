// A job of equal blocks that the workers share: opening a collection, building quantized codes.

#ifndef SYNOPTIC_THREADS_BLOCK_JOB_H_
#define SYNOPTIC_THREADS_BLOCK_JOB_H_

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "threads/thread_pool.h"

namespace synoptic {

class BlockJob : public WorkSource, public std::enable_shared_from_this<BlockJob> {
 public:
  struct Steps {
    // Runs first, on one worker; returns the number of blocks.
    std::function<std::size_t()> prepare;
    // Runs once for each block, on any worker.
    std::function<void(std::size_t block)> run;
    // Runs last, on one worker, after every block went well.
    std::function<void()> complete;
    // Runs at the very end with the first error, or null.
    std::function<void(std::exception_ptr)> settle;
  };

  static std::shared_ptr<BlockJob> Start(ThreadPool& pool, Steps steps);

  // Blocks that have not started are dropped; settles with Error ECANCELLED.
  void Cancel() { cancelled_ = true; }

  bool RunOne(unsigned worker) override;
  bool HasWork() override;

 private:
  BlockJob(ThreadPool& pool, Steps steps) : pool_(pool), steps_(std::move(steps)) {}

  void Prepare();
  void Settle();

  ThreadPool& pool_;
  Steps steps_;
  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  // Guarded by mutex_.
  enum class Stage { kWaiting, kPreparing, kRunning, kSettled } stage_ = Stage::kWaiting;
  std::size_t block_count_ = 0;
  std::size_t next_block_ = 0;
  std::size_t running_ = 0;
  std::exception_ptr error_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_THREADS_BLOCK_JOB_H_
