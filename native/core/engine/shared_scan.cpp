#include "engine/shared_scan.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace synoptic {

struct SharedScan::Member {
  std::unique_ptr<Scan> scan;
  Done done;
  // Read between columns without the lock.
  std::atomic<bool> dropped{false};

  // Guarded by the shared scan's mutex.
  enum class Stage { kPrepare, kChunks, kFinish, kSettled } stage = Stage::kPrepare;
  std::size_t unit_count = 0;
  std::size_t handed_out = 0;
  std::size_t running = 0;
  std::exception_ptr error;
};

std::shared_ptr<SharedScan::Member> SharedScan::Add(std::unique_ptr<Scan> scan, Done done) {
  auto member = std::make_shared<Member>();
  member->scan = std::move(scan);
  member->done = std::move(done);
  member->unit_count = member->scan->prepare_units();
  const std::size_t units = member->unit_count;
  arrivals_.Put(member);
  pool_.Wake(shared_from_this(), units);
  return member;
}

void SharedScan::Cancel(const std::shared_ptr<Member>& member) {
  {
    const std::lock_guard lock(mutex_);
    TakeIn();
    if (member->stage == Member::Stage::kSettled || member->error != nullptr) return;
    member->dropped = true;
    member->error = std::make_exception_ptr(Error("ECANCELLED", "The search was cancelled."));
    std::erase(queue_, member);
    std::erase(members_, member);
    if (member->running > 0) return;
    member->stage = Member::Stage::kSettled;
  }
  Settle(member);
}

bool SharedScan::HasWork() {
  const std::lock_guard lock(mutex_);
  return !arrivals_.IsEmpty() || !queue_.empty() || !members_.empty();
}

bool SharedScan::RunOne(unsigned worker) {
  std::unique_lock lock(mutex_);
  TakeIn();
  if (!queue_.empty()) {
    const std::shared_ptr<Member> member = queue_.front();
    const std::size_t unit = member->handed_out++;
    ++member->running;
    if (member->handed_out == member->unit_count) queue_.pop_front();
    lock.unlock();
    RunUnit(member, unit);
    EndUnit({member});
    return true;
  }
  if (members_.empty()) return false;
  const std::size_t chunk = next_chunk_;
  next_chunk_ = (next_chunk_ + 1) % chunk_count();
  const MemberList members = members_;
  for (const auto& member : members) {
    ++member->handed_out;
    ++member->running;
  }
  std::erase_if(members_,
                [](const auto& member) { return member->handed_out == member->unit_count; });
  lock.unlock();
  RunChunk(chunk, members, worker);
  EndUnit(members);
  return true;
}

// Under the lock.
void SharedScan::TakeIn() {
  for (std::shared_ptr<Member>& member : arrivals_.TakeAll()) queue_.push_back(std::move(member));
}

void SharedScan::RunUnit(const std::shared_ptr<Member>& member, std::size_t unit) {
  try {
    // The stage changes only while no unit runs.
    if (member->stage == Member::Stage::kPrepare) {
      member->scan->Prepare(unit);
    } else {
      member->scan->Finish(unit);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (member->error == nullptr) member->error = std::current_exception();
  }
}

void SharedScan::RunChunk(std::size_t chunk, const MemberList& members, unsigned worker) {
  const std::size_t first = chunk * chunk_rows_;
  const std::size_t count = std::min(chunk_rows_, collection_->rows() - first);
  const auto each = [&](const auto& work) {
    for (const auto& member : members) {
      if (member->dropped) continue;
      try {
        work(*member->scan);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        member->dropped = true;
        if (member->error == nullptr) member->error = std::current_exception();
      }
    }
  };
  for (std::size_t column = 0; column < collection_->matrices().size(); ++column) {
    each([&](Scan& scan) { scan.ScoreColumn(column, first, count, worker); });
  }
  each([&](Scan& scan) { scan.EndChunk(first, count, worker); });
}

void SharedScan::EndUnit(const MemberList& members) {
  MemberList settled;
  std::size_t units = 0;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& member : members) {
      --member->running;
      if (member->error != nullptr) {
        std::erase(queue_, member);
        std::erase(members_, member);
      }
      if (member->running > 0) continue;
      if (member->error == nullptr && member->handed_out < member->unit_count) continue;
      if (Advance(*member)) {
        units += member->unit_count;
        if (member->stage == Member::Stage::kChunks) {
          members_.push_back(member);
        } else {
          queue_.push_back(member);
        }
      } else {
        settled.push_back(member);
      }
    }
  }
  // The worker that ended the unit goes on itself: it needs no waking, but must find us in the
  // pool.
  if (units > 0) pool_.Wake(shared_from_this(), units - 1);
  for (const auto& member : settled) Settle(member);
}

// Enters the next stage that has units; false when the search is over. Under the lock.
bool SharedScan::Advance(Member& member) {
  member.handed_out = 0;
  member.unit_count = 0;
  while (member.error == nullptr && member.unit_count == 0 &&
         member.stage != Member::Stage::kFinish) {
    if (member.stage == Member::Stage::kPrepare) {
      member.stage = Member::Stage::kChunks;
      member.unit_count = chunk_count();
    } else {
      member.stage = Member::Stage::kFinish;
      member.unit_count = member.scan->finish_units();
    }
  }
  if (member.unit_count > 0) return true;
  member.stage = Member::Stage::kSettled;
  return false;
}

void SharedScan::Settle(const std::shared_ptr<Member>& member) {
  SearchResult result;
  std::exception_ptr error = member->error;
  if (error == nullptr) {
    try {
      collection_->CheckUnchanged();
      result = member->scan->TakeResult();
    } catch (...) {
      error = std::current_exception();
    }
  }
  member->scan.reset();
  const Done done = std::exchange(member->done, nullptr);
  done(error, std::move(result));
}

}  // namespace synoptic
