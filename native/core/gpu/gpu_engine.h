// Searches on one CUDA device, behind the processor's: whatever goes wrong there, the processor
// answers, and the statistics say why.

#ifndef SYNOPTIC_GPU_GPU_ENGINE_H_
#define SYNOPTIC_GPU_GPU_ENGINE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/collection.h"
#include "engine/search.h"
#include "gpu/gpu_library.h"
#include "gpu/gpu_memory.h"
#include "gpu/gpu_worker.h"

namespace synoptic {

struct GpuStats {
  GpuMemoryStats memory;
  std::uint64_t searches = 0;
  // Searches that the processor did instead, by the code of the Error.
  std::map<std::string, std::uint64_t> fallbacks;
  // The last one's message; empty: none.
  std::string last_fallback;
  // Why no search is sent to the device any more; empty: they are.
  std::string lost;
  // Why batches are not multiplied; empty: they are.
  std::string blas_reason;
};

// A search that waits for a device or runs there.
struct GpuTask {
  std::shared_ptr<const Collection> collection;
  SearchArguments arguments;
  // Gets the result, or an error that is the request's own.
  std::function<void(std::exception_ptr, SearchResult)> done;
  // Takes the task when the processor has to result it, with the reason.
  std::function<void(SearchArguments, std::string reason)> fall_back;
  std::atomic<bool> cancelled{false};
};

// Owns the device's memory and the threads that drive it. Used from any thread.
class GpuEngine {
 public:
  // Each worker is a thread, and one search at a time.
  static constexpr unsigned kWorkers = 2;

  GpuEngine(const SynopticCudaApi& api, int device, std::uint64_t limit_bytes,
            const GpuOptions& options = {}, unsigned workers = kWorkers);
  // Waits for searches that run; those that wait fall back.
  ~GpuEngine();

  // Whether the device is likely to result this sooner than the processor.
  bool Wants(const Collection& collection, const SearchArguments& arguments) const;

  void Start(std::shared_ptr<GpuTask> task);

  // A collection is closed: its layouts go.
  void Forget(const Collection& collection) { memory_.Forget(collection.id()); }

  // Frees what nobody has used for so long, the workers' own memory included; how many layouts
  // went.
  std::uint64_t ReleaseIdle(std::chrono::milliseconds idle);

  GpuStats stats() const;
  int device() const { return memory_.device().index(); }

 private:
  using Clock = std::chrono::steady_clock;

  void RunWorker(GpuWorker& worker);
  void RunTask(GpuTask& task, GpuWorker& worker);
  void FallBack(GpuTask& task, const std::string& code, const std::string& reason);

  const GpuOptions options_;
  GpuMemory memory_;
  bool has_blas_ = false;
  std::string blas_reason_;
  std::atomic<bool> is_lost_{false};
  mutable std::mutex mutex_;
  std::condition_variable work_;
  // Guarded by mutex_.
  std::deque<std::shared_ptr<GpuTask>> queue_;
  bool stopping_ = false;
  // Workers give their memory back when this grows.
  std::uint64_t release_round_ = 0;
  Clock::time_point used_at_ = Clock::now();
  std::uint64_t searches_ = 0;
  std::map<std::string, std::uint64_t> fallbacks_;
  std::string last_fallback_;
  std::string lost_;
  std::vector<std::thread> threads_;
};

// The process's engine, or null where the processor does everything: before ConfigureGpu,
// without a device, or with a limit of zero.
const std::shared_ptr<GpuEngine>& SharedGpuEngine();

struct GpuLimit {
  // Of the memory: kBytes, kPercent of all of it, or kAuto: all that is free but half a gigabyte.
  enum class Kind { kAuto, kBytes, kPercent } kind = Kind::kAuto;
  double value = 0;
  // Processes that share the device; each gets its part.
  unsigned processes = 1;
  int device = 0;
};

// Makes the process's engine, once: later calls change nothing. Throws Error ECUDA_*.
void ConfigureGpu(const GpuLimit& limit);

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_ENGINE_H_
