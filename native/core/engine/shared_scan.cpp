#include "engine/shared_scan.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace synoptic {

struct Sweep::Rider {
  std::unique_ptr<Scan> scan;
  Done done;
  // Read between columns without the lock.
  std::atomic<bool> dropped{false};

  // Guarded by the sweep's mutex.
  enum class Stage { kPrepare, kChunks, kFinish, kSettled } stage = Stage::kPrepare;
  std::size_t unit_count = 0;
  std::size_t handed_out = 0;
  std::size_t running = 0;
  std::exception_ptr error;
};

std::shared_ptr<Sweep::Rider> Sweep::Add(std::unique_ptr<Scan> scan, Done done) {
  auto rider = std::make_shared<Rider>();
  rider->scan = std::move(scan);
  rider->done = std::move(done);
  rider->unit_count = rider->scan->prepare_units();
  const std::size_t units = rider->unit_count;
  arrivals_.Put(rider);
  pool_.Wake(shared_from_this(), units);
  return rider;
}

void Sweep::Cancel(const std::shared_ptr<Rider>& rider) {
  {
    const std::lock_guard lock(mutex_);
    TakeIn();
    if (rider->stage == Rider::Stage::kSettled || rider->error != nullptr) return;
    rider->dropped = true;
    rider->error = std::make_exception_ptr(Error("ECANCELLED", "The search was cancelled."));
    std::erase(queue_, rider);
    std::erase(riders_, rider);
    if (rider->running > 0) return;
    rider->stage = Rider::Stage::kSettled;
  }
  Settle(rider);
}

bool Sweep::HasWork() {
  const std::lock_guard lock(mutex_);
  return !arrivals_.IsEmpty() || !queue_.empty() || !riders_.empty();
}

bool Sweep::RunOne(unsigned worker) {
  std::unique_lock lock(mutex_);
  TakeIn();
  if (!queue_.empty()) {
    const std::shared_ptr<Rider> rider = queue_.front();
    const std::size_t unit = rider->handed_out++;
    ++rider->running;
    if (rider->handed_out == rider->unit_count) queue_.pop_front();
    lock.unlock();
    RunUnit(rider, unit);
    EndUnit({rider});
    return true;
  }
  if (riders_.empty()) return false;
  const std::size_t chunk = next_chunk_;
  next_chunk_ = (next_chunk_ + 1) % chunk_count();
  const RiderList riders = riders_;
  for (const auto& rider : riders) {
    ++rider->handed_out;
    ++rider->running;
  }
  std::erase_if(riders_, [](const auto& rider) { return rider->handed_out == rider->unit_count; });
  lock.unlock();
  RunChunk(chunk, riders, worker);
  EndUnit(riders);
  return true;
}

// Under the lock.
void Sweep::TakeIn() {
  for (std::shared_ptr<Rider>& rider : arrivals_.TakeAll()) queue_.push_back(std::move(rider));
}

void Sweep::RunUnit(const std::shared_ptr<Rider>& rider, std::size_t unit) {
  try {
    // The stage changes only while no unit runs.
    if (rider->stage == Rider::Stage::kPrepare) {
      rider->scan->Prepare(unit);
    } else {
      rider->scan->Finish(unit);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (rider->error == nullptr) rider->error = std::current_exception();
  }
}

void Sweep::RunChunk(std::size_t chunk, const RiderList& riders, unsigned worker) {
  const std::size_t first = chunk * chunk_rows_;
  const std::size_t count = std::min(chunk_rows_, collection_->rows() - first);
  const auto each = [&](const auto& work) {
    for (const auto& rider : riders) {
      if (rider->dropped) continue;
      try {
        work(*rider->scan);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        rider->dropped = true;
        if (rider->error == nullptr) rider->error = std::current_exception();
      }
    }
  };
  for (std::size_t column = 0; column < collection_->matrices().size(); ++column) {
    each([&](Scan& scan) { scan.ScoreColumn(column, first, count, worker); });
  }
  each([&](Scan& scan) { scan.EndChunk(first, count, worker); });
}

void Sweep::EndUnit(const RiderList& riders) {
  RiderList settled;
  std::size_t units = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& rider : riders) {
      --rider->running;
      if (rider->error != nullptr) {
        std::erase(queue_, rider);
        std::erase(riders_, rider);
      }
      if (rider->running > 0) continue;
      if (rider->error == nullptr && rider->handed_out < rider->unit_count) continue;
      if (Advance(*rider)) {
        units += rider->unit_count;
        if (rider->stage == Rider::Stage::kChunks) {
          riders_.push_back(rider);
        } else {
          queue_.push_back(rider);
        }
      } else {
        settled.push_back(rider);
      }
    }
  }
  // The worker that ended the unit goes on itself: it needs no waking, but must find us in the
  // pool.
  if (units > 0) pool_.Wake(shared_from_this(), units - 1);
  for (const auto& rider : settled) Settle(rider);
}

// Enters the next stage that has units; false when the search is over. Under the lock.
bool Sweep::Advance(Rider& rider) {
  rider.handed_out = 0;
  rider.unit_count = 0;
  while (rider.error == nullptr && rider.unit_count == 0 && rider.stage != Rider::Stage::kFinish) {
    if (rider.stage == Rider::Stage::kPrepare) {
      rider.stage = Rider::Stage::kChunks;
      rider.unit_count = chunk_count();
    } else {
      rider.stage = Rider::Stage::kFinish;
      rider.unit_count = rider.scan->finish_units();
    }
  }
  if (rider.unit_count > 0) return true;
  rider.stage = Rider::Stage::kSettled;
  return false;
}

void Sweep::Settle(const std::shared_ptr<Rider>& rider) {
  SearchAnswer answer;
  std::exception_ptr error = rider->error;
  if (error == nullptr) {
    try {
      collection_->CheckUnchanged();
      answer = rider->scan->TakeAnswer();
    } catch (...) {
      error = std::current_exception();
    }
  }
  rider->scan.reset();
  const Done done = std::exchange(rider->done, nullptr);
  done(error, std::move(answer));
}

}  // namespace synoptic
