#include "gpu_uploader.h"

#include <algorithm>
#include <cstring>

#include "error.h"

namespace synoptic {

GpuUploader::Slot::Slot(GpuMemory& memory, std::uint64_t staging_bytes)
    : stream(memory.device()),
      pinned(memory.device(), staging_bytes),
      scratch(memory.Reserve(staging_bytes)) {}

GpuUploader::GpuUploader(GpuMemory& memory, std::uint64_t staging_bytes)
    : staging_bytes_(staging_bytes),
      slots_{Slot(memory, staging_bytes), Slot(memory, staging_bytes)} {}

GpuUploader::Slot& GpuUploader::NextSlot() {
  Slot& slot = slots_[next_];
  next_ = 1 - next_;
  slot.stream.Synchronize();
  return slot;
}

void GpuUploader::Copy(void* device, const void* host, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes;) {
    Slot& slot = NextSlot();
    const std::uint64_t size = std::min(bytes - done, staging_bytes_);
    std::memcpy(slot.pinned.At<void>(0), static_cast<const std::uint8_t*>(host) + done, size);
    slot.stream.CopyIn(static_cast<std::uint8_t*>(device) + done, slot.pinned.At<void>(0), size);
    done += size;
  }
  uploaded_bytes_ += bytes;
}

void GpuUploader::CopyEvery(void* device, const void* host, std::uint64_t bytes, std::uint64_t step,
                            std::uint64_t count) {
  const std::uint64_t most = staging_bytes_ / bytes;
  if (most == 0) throw Error("ECUDA_MEMORY", "a block does not fit the staging memory");
  for (std::uint64_t done = 0; done < count;) {
    Slot& slot = NextSlot();
    const std::uint64_t pieces = std::min(count - done, most);
    for (std::uint64_t i = 0; i < pieces; ++i) {
      std::memcpy(slot.pinned.At<void>(i * bytes),
                  static_cast<const std::uint8_t*>(host) + (done + i) * step * bytes, bytes);
    }
    slot.stream.CopyIn(static_cast<std::uint8_t*>(device) + done * bytes, slot.pinned.At<void>(0),
                       pieces * bytes);
    done += pieces;
  }
  uploaded_bytes_ += count * bytes;
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
  for (std::size_t done = 0; done < range.count;) {
    Slot& slot = NextSlot();
    const std::size_t count = std::min(range.count - done, most);
    auto* norms = slot.pinned.At<double>(0);
    auto* rows = slot.pinned.At<std::uint8_t>(count * sizeof(double));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = range.first + (done + i) * range.step;
      norms[i] = matrix.norm(row);
      std::memcpy(rows + i * row_bytes, matrix.values() + row * matrix.dimension(), row_bytes);
    }
    const std::uint64_t bytes = count * (sizeof(double) + row_bytes);
    slot.stream.CopyIn(slot.scratch->At<void>(0), slot.pinned.At<void>(0), bytes);
    slot.stream.Run(
        slot.stream.device().api().make_half,
        SynopticMakeHalf{slot.scratch->At<float>(count * sizeof(double)),
                         slot.scratch->At<double>(0), half + done * stride, residuals + done, count,
                         static_cast<std::uint32_t>(matrix.dimension()),
                         static_cast<std::uint32_t>(stride)});
    uploaded_bytes_ += bytes;
    done += count;
  }
}

void GpuUploader::Finish() {
  for (Slot& slot : slots_) slot.stream.Synchronize();
}

}  // namespace synoptic
