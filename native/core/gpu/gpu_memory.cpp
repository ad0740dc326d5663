#include "gpu/gpu_memory.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace synoptic {

GpuMemory::Ref GpuMemory::Keep(const GpuLayoutKey& key, std::uint64_t bytes, Need need,
                               const Fill& fill) {
  if (Ref ref = FindResident(key)) return ref;
  const std::lock_guard filling(filling_);
  if (Ref ref = FindResident(key)) return ref;
  Ref buffer = Allocate(bytes, need);
  fill(*buffer);
  const std::lock_guard lock(mutex_);
  residents_.insert_or_assign(key, Resident{buffer, need, Clock::now(), ++uses_});
  return buffer;
}

GpuMemory::Ref GpuMemory::Reserve(std::uint64_t bytes) { return Allocate(bytes, Need::kRequired); }

void GpuMemory::Forget(std::uint64_t collection) {
  Residents gone;
  {
    const std::lock_guard lock(mutex_);
    for (auto next = residents_.begin(); next != residents_.end();) {
      const auto resident = next++;
      if (resident->first.collection == collection) gone.insert(residents_.extract(resident));
    }
  }
}

std::uint64_t GpuMemory::ReleaseIdle(Clock::duration idle) {
  Residents gone;
  const std::lock_guard lock(mutex_);
  const Clock::time_point oldest = Clock::now() - idle;
  for (auto next = residents_.begin(); next != residents_.end();) {
    const auto resident = next++;
    const bool is_idle = resident->second.buffer.use_count() == 1;
    if (is_idle && resident->second.used_at <= oldest) gone.insert(residents_.extract(resident));
  }
  return gone.size();
}

GpuMemoryStats GpuMemory::stats() const {
  const std::lock_guard lock(mutex_);
  return {limit_bytes_, used_bytes_, peak_bytes_, residents_.size(), evictions_, driver_refusals_};
}

GpuMemory::Ref GpuMemory::FindResident(const GpuLayoutKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = residents_.find(key);
  if (found == residents_.end()) return nullptr;
  found->second.used_at = Clock::now();
  found->second.use = ++uses_;
  return found->second.buffer;
}

GpuMemory::Ref GpuMemory::Allocate(std::uint64_t bytes, Need need) {
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (bytes <= limit_bytes_ && used_bytes_ <= limit_bytes_ - bytes) {
        // Counted before it is allocated, so that two threads do not take the same room.
        used_bytes_ += bytes;
        peak_bytes_ = std::max(peak_bytes_, used_bytes_);
        break;
      }
    }
    if (bytes <= limit_bytes_ && EvictOne(need)) continue;
    throw Error("ECUDA_MEMORY", "--gpu-memory-limit: expected room for " + std::to_string(bytes) +
                                    " bytes within " + std::to_string(limit_bytes_) + ", found " +
                                    std::to_string(stats().used_bytes) + " in use");
  }
  for (;;) {
    try {
      return Track(GpuBuffer(device_, bytes));
    } catch (const Error& error) {
      {
        const std::lock_guard lock(mutex_);
        if (error.code == "ECUDA_MEMORY") ++driver_refusals_;
      }
      // Others use the device too, or its memory is in pieces.
      if (error.code == "ECUDA_MEMORY" && EvictOne(need)) continue;
      const std::lock_guard lock(mutex_);
      used_bytes_ -= bytes;
      throw;
    }
  }
}

// The one used longest ago among those that nobody holds; false when there is none.
bool GpuMemory::EvictOne(Need need) {
  Residents gone;
  const std::lock_guard lock(mutex_);
  auto oldest = residents_.end();
  for (auto resident = residents_.begin(); resident != residents_.end(); ++resident) {
    const Resident& candidate = resident->second;
    if (candidate.buffer.use_count() > 1) continue;
    if (need == Need::kOptional && candidate.need == Need::kRequired) continue;
    if (oldest == residents_.end() || candidate.use < oldest->second.use) oldest = resident;
  }
  if (oldest == residents_.end()) return false;
  ++evictions_;
  gone.insert(residents_.extract(oldest));
  return true;
}

GpuMemory::Ref GpuMemory::Track(GpuBuffer buffer) {
  auto owned = std::make_unique<GpuBuffer>(std::move(buffer));
  return Ref(owned.release(), [this](const GpuBuffer* freed) {
    const std::uint64_t bytes = freed->bytes();
    delete freed;
    const std::lock_guard lock(mutex_);
    used_bytes_ -= bytes;
  });
}

}  // namespace synoptic
