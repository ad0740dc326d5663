#include "gpu/gpu_engine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "gpu/gpu_search.h"

namespace synoptic {
namespace {

// Below this the few rows that pass are scored sooner than a device can start.
constexpr double kMinShare = 0.05;
// Room for candidates of deeper results would be a share of all rows.
constexpr std::size_t kMaxHits = 32768;

std::uint64_t PassingRows(const Collection& collection, const SearchArguments& arguments) {
  if (arguments.mask_words.empty()) return collection.rows();
  std::uint64_t rows = 0;
  for (const std::uint64_t word : arguments.mask_words) {
    rows += static_cast<std::uint64_t>(std::popcount(word));
  }
  return rows;
}

}  // namespace

GpuEngine::GpuEngine(const SynopticCudaApi& api, int device, std::uint64_t limit_bytes,
                     const GpuOptions& options, unsigned workers)
    : options_(options), memory_(GpuDevice(api, device), limit_bytes) {
  has_blas_ = api.load_blas(nullptr) == SYNOPTIC_CUDA_OK;
  if (!has_blas_) blas_reason_ = api.last_error();
  for (unsigned i = 0; i < workers; ++i) {
    threads_.emplace_back([this] {
      GpuWorker worker(memory_, options_);
      RunWorker(worker);
    });
  }
}

GpuEngine::~GpuEngine() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  for (const auto& task : queue_) FallBack(*task, "ECUDA_STOPPED", "the device is being closed");
}

bool GpuEngine::Wants(const Collection& collection, const SearchArguments& arguments) const {
  if (is_lost_ || arguments.query_count == 0 || arguments.k == 0 || arguments.k > kMaxHits) {
    return false;
  }
  const std::uint64_t rows = PassingRows(collection, arguments);
  const std::uint64_t pairs = rows * arguments.columns.size();
  return collection.rows() * arguments.columns.size() * collection.dimension() >=
             options_.min_values &&
         pairs >= options_.min_pairs &&
         static_cast<double>(rows) >= kMinShare * static_cast<double>(collection.rows());
}

void GpuEngine::Start(std::shared_ptr<GpuTask> task) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
  }
  work_.notify_one();
}

std::uint64_t GpuEngine::ReleaseIdle(std::chrono::milliseconds idle) {
  const std::uint64_t released = memory_.ReleaseIdle(idle);
  {
    const std::lock_guard lock(mutex_);
    if (Clock::now() - used_at_ < idle) return released;
    ++release_round_;
  }
  work_.notify_all();
  return released;
}

GpuStats GpuEngine::stats() const {
  const GpuMemoryStats memory = memory_.stats();
  const std::lock_guard lock(mutex_);
  return {memory, searches_, fallbacks_, last_fallback_, lost_, blas_reason_};
}

void GpuEngine::RunWorker(GpuWorker& worker) {
  std::uint64_t released = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return stopping_ || !queue_.empty() || released != release_round_; });
    if (stopping_) return;
    if (released != release_round_) {
      released = release_round_;
      lock.unlock();
      worker.Release();
      lock.lock();
      continue;
    }
    const std::shared_ptr<GpuTask> task = queue_.front();
    queue_.pop_front();
    lock.unlock();
    RunTask(*task, worker);
    lock.lock();
    used_at_ = Clock::now();
  }
}

void GpuEngine::RunTask(GpuTask& task, GpuWorker& worker) {
  // Taken from the task, which may be kept alive by what they keep.
  const auto done = std::exchange(task.done, nullptr);
  const std::shared_ptr<const Collection> collection = std::move(task.collection);
  const auto fail = [&](const char* code, const char* message) {
    task.fall_back = nullptr;
    done(std::make_exception_ptr(Error(code, message)), {});
  };
  if (task.cancelled) return fail("ECANCELLED", "The search was cancelled.");
  if (is_lost_) return FallBack(task, "ECUDA_LOST", "the device was lost earlier");
  SearchResult result;
  try {
    result = GpuSearch(*collection, task.arguments, worker, has_blas_).Run();
  } catch (const Error& error) {
    if (error.code == "ECUDA_LOST") {
      const std::lock_guard lock(mutex_);
      if (!is_lost_.exchange(true)) lost_ = error.what();
    }
    if (error.code.starts_with("ECUDA_")) return FallBack(task, error.code, error.what());
    task.fall_back = nullptr;
    return done(std::current_exception(), {});
  } catch (...) {
    task.fall_back = nullptr;
    return done(std::current_exception(), {});
  }
  if (task.cancelled) return fail("ECANCELLED", "The search was cancelled.");
  {
    const std::lock_guard lock(mutex_);
    ++searches_;
  }
  task.fall_back = nullptr;
  done(nullptr, std::move(result));
}

void GpuEngine::FallBack(GpuTask& task, const std::string& code, const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    ++fallbacks_[code];
    last_fallback_ = reason;
  }
  const auto fall_back = std::exchange(task.fall_back, nullptr);
  fall_back(std::move(task.arguments), reason);
}

namespace {

// What is left to the driver, to cuBLAS and to the other users of the device.
constexpr std::uint64_t kLeftFree = std::uint64_t{512} << 20;

std::shared_ptr<GpuEngine>& MutableEngine() {
  // Never destroyed: its threads may be at work while the process exits.
  static auto* engine = new std::shared_ptr<GpuEngine>();
  return *engine;
}

}  // namespace

const std::shared_ptr<GpuEngine>& SharedGpuEngine() { return MutableEngine(); }

void ConfigureGpu(const GpuLimit& limit) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const GpuLibrary& library = SharedGpuLibrary();
  const bool is_off = limit.kind != GpuLimit::Kind::kAuto && limit.value <= 0;
  if (MutableEngine() != nullptr || is_off || library.api == nullptr) return;
  const int index = limit.device;
  if (index < 0 || static_cast<std::size_t>(index) >= library.devices.size()) {
    throw Error("ECUDA_DEVICE", "cuda:" + std::to_string(index) + ": expected one of " +
                                    std::to_string(library.devices.size()) + " devices");
  }
  const GpuDevice device(*library.api, index);
  device.Check(library.api->load_kernels(index));
  std::uint64_t free = 0, total = 0;
  device.Check(library.api->memory(index, &free, &total));
  const std::uint64_t available = free > kLeftFree ? free - kLeftFree : 0;
  std::uint64_t bytes = available;
  if (limit.kind == GpuLimit::Kind::kBytes) bytes = static_cast<std::uint64_t>(limit.value);
  if (limit.kind == GpuLimit::Kind::kPercent) {
    bytes = static_cast<std::uint64_t>(static_cast<double>(total) * limit.value / 100);
  }
  MutableEngine() = std::make_shared<GpuEngine>(
      *library.api, index, std::min(bytes, available) / std::max(limit.processes, 1u));
}

}  // namespace synoptic
