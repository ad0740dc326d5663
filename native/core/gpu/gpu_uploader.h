// Host memory to the device through pinned buffers of fixed size. A processor's core copies a fifth
// of what a device takes in, so several threads fill a buffer each while others are on their way.
// Mapped files are not pinned; copying them is what pageable copies would do inside.

#ifndef SYNOPTIC_GPU_GPU_UPLOADER_H_
#define SYNOPTIC_GPU_GPU_UPLOADER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gpu/gpu_device.h"
#include "gpu/gpu_memory.h"
#include "store/matrix.h"

namespace synoptic {

// Every step-th row from `first` on, `count` of them.
struct RowRange {
  std::size_t first;
  std::size_t count;
  std::size_t step;
};

// Has streams of its own; used by one thread at a time.
class GpuUploader {
 public:
  // A thread, a pinned buffer and one on the device, which counts in `memory`, for each slot.
  GpuUploader(GpuMemory& memory, std::uint64_t staging_bytes, unsigned slots);

  void Copy(void* device, const void* host, std::uint64_t bytes);

  // Unit rows in float16, and their residuals, by row number in the range.
  void MakeHalf(const Matrix& matrix, const RowRange& range, std::size_t stride,
                std::uint16_t* half, float* residuals);

  // Waits until all is there.
  void Finish();

  // Waits for what is under way, whatever became of it.
  void Drain() noexcept;

  std::uint64_t uploaded_bytes() const { return uploaded_bytes_; }

 private:
  // Memory on both sides, and the stream between them.
  struct Slot {
    Slot(GpuMemory& memory, std::uint64_t staging_bytes);
    GpuStream stream;
    PinnedBuffer pinned;
    GpuMemory::Ref scratch;
  };

  // `work` of all numbers below `pieces`, each with a slot in which nothing is under way.
  void ForEachPiece(std::uint64_t pieces, const std::function<void(Slot&, std::uint64_t)>& work);

  const std::uint64_t staging_bytes_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::uint64_t uploaded_bytes_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_UPLOADER_H_
