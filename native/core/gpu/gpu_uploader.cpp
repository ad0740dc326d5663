#include "gpu/gpu_uploader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/error.h"

namespace synoptic {

GpuUploader::Slot::Slot(GpuMemory& memory, std::uint64_t staging_bytes)
    : stream(memory.device()),
      pinned(memory.device(), staging_bytes),
      scratch(memory.Reserve(staging_bytes)) {}

GpuUploader::GpuUploader(GpuMemory& memory, std::uint64_t staging_bytes, unsigned slots)
    : staging_bytes_(staging_bytes) {
  for (unsigned i = 0; i < slots; ++i) {
    slots_.push_back(std::make_unique<Slot>(memory, staging_bytes));
  }
}

void GpuUploader::Copy(void* device, const void* host, std::uint64_t bytes) {
  ForEachPiece((bytes + staging_bytes_ - 1) / staging_bytes_, [&](Slot& slot, std::uint64_t piece) {
    const std::uint64_t begin = piece * staging_bytes_;
    const std::uint64_t size = std::min(bytes - begin, staging_bytes_);
    std::memcpy(slot.pinned.At<void>(0), static_cast<const std::uint8_t*>(host) + begin, size);
    slot.stream.CopyIn(static_cast<std::uint8_t*>(device) + begin, slot.pinned.At<void>(0), size);
  });
  uploaded_bytes_ += bytes;
}

void GpuUploader::MakeHalf(const Matrix& matrix, const RowRange& range, std::size_t stride,
                           std::uint16_t* half, float* residuals) {
  // A slot holds the norms of some rows and then the rows.
  const std::size_t row_bytes = matrix.dimension() * sizeof(float);
  const std::size_t most = staging_bytes_ / (row_bytes + sizeof(double));
  if (most == 0) {
    throw Error("ECUDA_MEMORY",
                "a row of " + std::to_string(row_bytes) + " bytes does not fit the staging memory");
  }
  ForEachPiece((range.count + most - 1) / most, [&](Slot& slot, std::uint64_t piece) {
    const std::size_t begin = piece * most;
    const std::size_t count = std::min(range.count - begin, most);
    auto* norms = slot.pinned.At<double>(0);
    auto* rows = slot.pinned.At<std::uint8_t>(count * sizeof(double));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = range.first + (begin + i) * range.step;
      norms[i] = matrix.norm(row);
      std::memcpy(rows + i * row_bytes, matrix.values() + row * matrix.dimension(), row_bytes);
    }
    slot.stream.CopyIn(slot.scratch->At<void>(0), slot.pinned.At<void>(0),
                       count * (sizeof(double) + row_bytes));
    slot.stream.Run(
        slot.stream.device().api().make_half,
        SynopticMakeHalf{slot.scratch->At<float>(count * sizeof(double)),
                         slot.scratch->At<double>(0), half + begin * stride, residuals + begin,
                         count, static_cast<std::uint32_t>(matrix.dimension()),
                         static_cast<std::uint32_t>(stride)});
  });
  uploaded_bytes_ += range.count * (sizeof(double) + row_bytes);
}

void GpuUploader::Finish() {
  for (const auto& slot : slots_) slot->stream.Synchronize();
}

void GpuUploader::Drain() noexcept {
  for (const auto& slot : slots_) slot->stream.Drain();
}

void GpuUploader::ForEachPiece(std::uint64_t pieces,
                               const std::function<void(Slot&, std::uint64_t)>& work) {
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::exception_ptr first_error;
  const auto run = [&](Slot& slot) {
    try {
      for (std::uint64_t piece; (piece = next++) < pieces;) {
        slot.stream.Synchronize();
        work(slot, piece);
      }
    } catch (...) {
      next = pieces;
      const std::lock_guard lock(mutex);
      if (first_error == nullptr) first_error = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  try {
    for (std::uint64_t i = 1; i < std::min<std::uint64_t>(slots_.size(), pieces); ++i) {
      threads.emplace_back(run, std::ref(*slots_[i]));
    }
  } catch (const std::system_error&) {
    // Fewer threads do as well.
  }
  run(*slots_.front());
  for (std::thread& thread : threads) thread.join();
  if (first_error != nullptr) std::rethrow_exception(first_error);
}

}  // namespace synoptic
