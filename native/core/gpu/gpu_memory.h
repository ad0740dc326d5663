// A device's memory within a limit. Layouts of matrices stay in it while there is room; those that
// nobody uses and that were used longest ago go first.

#ifndef SYNOPTIC_GPU_GPU_MEMORY_H_
#define SYNOPTIC_GPU_GPU_MEMORY_H_

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "gpu/gpu_device.h"

namespace synoptic {

enum class GpuLayout : std::uint8_t { kCodes, kHalf, kRows };

struct GpuLayoutKey {
  // Collection::id: a search may keep layouts of a collection that was forgotten meanwhile.
  std::uint64_t collection;
  std::uint16_t column;
  GpuLayout layout;
  auto operator<=>(const GpuLayoutKey&) const = default;
};

struct GpuMemoryStats {
  std::uint64_t limit_bytes = 0;
  std::uint64_t used_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t resident_layouts = 0;
  std::uint64_t evictions = 0;
  // Times that the driver had less than the limit allows.
  std::uint64_t driver_refusals = 0;
};

// Used from several threads. Outlives all that it lends.
class GpuMemory {
 public:
  using Clock = std::chrono::steady_clock;
  // Shared by those who use it, and then pinned; freed with the last of them once it is evicted.
  using Ref = std::shared_ptr<const GpuBuffer>;
  using Fill = std::function<void(const GpuBuffer&)>;

  // What a layout may push out: an optional one only others that are optional.
  enum class Need { kOptional, kRequired };

  GpuMemory(const GpuDevice& device, std::uint64_t limit_bytes)
      : device_(device), limit_bytes_(limit_bytes) {}

  // The layout, filled by one caller when it was not there. Throws Error ECUDA_MEMORY when there is
  // no room after evicting whatever may go, and whatever `fill` throws.
  Ref Keep(const GpuLayoutKey& key, std::uint64_t bytes, Need need, const Fill& fill);

  // Memory that is not evicted while there is a reference to it, such as a stream's scratch.
  Ref Reserve(std::uint64_t bytes);

  // The collection's layouts go now, or with their last user.
  void Forget(std::uint64_t collection);

  // Evicts what nobody has used within that time; the number of layouts.
  std::uint64_t ReleaseIdle(Clock::duration idle);

  GpuMemoryStats stats() const;
  const GpuDevice& device() const { return device_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }

 private:
  struct Resident {
    Ref buffer;
    Need need;
    Clock::time_point used_at;
    // Orders uses within one tick of the clock.
    std::uint64_t use;
  };
  using Residents = std::map<GpuLayoutKey, Resident>;

  Ref Allocate(std::uint64_t bytes, Need need);
  bool EvictOne(Need need);
  Ref Track(GpuBuffer buffer);
  Ref FindResident(const GpuLayoutKey& key);

  const GpuDevice device_;
  const std::uint64_t limit_bytes_;
  // One layout is filled at a time: what two upload at once takes either as long, and both room.
  std::mutex filling_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  Residents residents_;
  std::uint64_t uses_ = 0;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t evictions_ = 0;
  std::uint64_t driver_refusals_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_MEMORY_H_
