// Host memory to the device through two pinned buffers of fixed size: while one is on its way, the
// other is filled. Mapped files are not pinned; copying them is what pageable copies would do
// inside.

#ifndef SYNOPTIC_CORE_GPU_UPLOADER_H_
#define SYNOPTIC_CORE_GPU_UPLOADER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu_device.h"
#include "gpu_memory.h"
#include "matrix.h"

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
  // Two pinned buffers and two on the device of `staging_bytes`, which count in `memory`.
  GpuUploader(GpuMemory& memory, std::uint64_t staging_bytes);

  void Copy(void* device, const void* host, std::uint64_t bytes);

  // Pieces of `bytes`, every step-th of those that follow `host`, side by side on the device.
  void CopyEvery(void* device, const void* host, std::uint64_t bytes, std::uint64_t step,
                 std::uint64_t count);

  // Unit rows in float16, and their residuals, by row number in the range.
  void MakeHalf(const Matrix& matrix, const RowRange& range, std::size_t stride,
                std::uint16_t* half, float* residuals);

  // Waits until all is there.
  void Finish();

  std::uint64_t uploaded_bytes() const { return uploaded_bytes_; }

 private:
  // Memory on both sides, and the stream between them.
  struct Slot {
    Slot(GpuMemory& memory, std::uint64_t staging_bytes);
    GpuStream stream;
    PinnedBuffer pinned;
    GpuMemory::Held scratch;
  };

  // The slot whose turn it is, with nothing under way in it.
  Slot& NextSlot();

  const std::uint64_t staging_bytes_;
  Slot slots_[2];
  std::size_t next_ = 0;
  std::uint64_t uploaded_bytes_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_GPU_UPLOADER_H_
