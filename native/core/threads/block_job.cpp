#include "threads/block_job.h"

namespace synoptic {

std::shared_ptr<BlockJob> BlockJob::Start(ThreadPool& pool, Steps steps) {
  std::shared_ptr<BlockJob> job(new BlockJob(pool, std::move(steps)));
  pool.Wake(job, 1);
  return job;
}

bool BlockJob::RunOne(unsigned) {
  std::unique_lock lock(mutex_);
  if (stage_ == Stage::kWaiting) {
    stage_ = Stage::kPreparing;
    lock.unlock();
    Prepare();
    return true;
  }
  if (stage_ != Stage::kRunning || next_block_ >= block_count_) return false;
  const std::size_t block = next_block_++;
  ++running_;
  lock.unlock();
  std::exception_ptr error;
  try {
    if (cancelled_) throw Error("ECANCELLED", "The work was cancelled.");
    steps_.run(block);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  --running_;
  if (error != nullptr) {
    if (error_ == nullptr) error_ = error;
    next_block_ = block_count_;
  }
  const bool last = running_ == 0 && next_block_ >= block_count_;
  if (last) stage_ = Stage::kSettled;
  lock.unlock();
  if (last) Settle();
  return true;
}

bool BlockJob::HasWork() {
  const std::lock_guard lock(mutex_);
  return stage_ == Stage::kWaiting || (stage_ == Stage::kRunning && next_block_ < block_count_);
}

void BlockJob::Prepare() {
  std::size_t block_count = 0;
  std::exception_ptr error;
  try {
    if (cancelled_) throw Error("ECANCELLED", "The work was cancelled.");
    block_count = steps_.prepare();
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    error_ = error;
    block_count_ = block_count;
    stage_ = block_count == 0 ? Stage::kSettled : Stage::kRunning;
  }
  if (block_count == 0) {
    Settle();
  } else {
    pool_.Wake(shared_from_this(), block_count);
  }
}

void BlockJob::Settle() {
  std::exception_ptr error = error_;
  if (error == nullptr) {
    try {
      steps_.complete();
    } catch (...) {
      error = std::current_exception();
    }
  }
  steps_.settle(error);
}

}  // namespace synoptic
