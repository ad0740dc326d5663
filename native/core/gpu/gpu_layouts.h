// The layouts of a column in a device's memory, and the way there. A layout is one
// allocation; these are the offsets of its parts.

#ifndef SYNOPTIC_GPU_GPU_LAYOUTS_H_
#define SYNOPTIC_GPU_GPU_LAYOUTS_H_

#include <cstddef>
#include <cstdint>

#include "engine/collection.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_memory.h"
#include "gpu/gpu_uploader.h"

namespace synoptic {

// The largest padded dimension whose queries fit a block's 48 KiB of shared memory, twice in
// float64, with 192 bytes for sums.
constexpr std::size_t kMaxCodesPadded = 3008;

// Parts begin at multiples of this, more than any access needs.
constexpr std::uint64_t kGpuAlignment = 256;
constexpr std::uint64_t AlignUp(std::uint64_t bytes) {
  return (bytes + kGpuAlignment - 1) / kGpuAlignment * kGpuAlignment;
}

// The codes as they are in the file, with the tables that take queries into their space.
struct GpuCodesLayout {
  GpuCodesLayout(const CodesLayout& codes, std::size_t rows);
  std::uint64_t codes = 0;
  std::uint64_t valid;
  std::uint64_t basis;
  std::uint64_t rotated_basis;
  std::uint64_t sign;
  std::uint64_t source;
  std::uint64_t bytes;
  std::size_t block_count;
};

// Unit rows in float16 and how far they are from the true ones.
struct GpuHalfLayout {
  GpuHalfLayout(std::size_t dimension, std::size_t rows);
  // Elements of a row, a multiple of 8 as tensor cores like it.
  std::size_t stride;
  std::uint64_t half = 0;
  std::uint64_t residuals;
  std::uint64_t valid;
  std::uint64_t bytes;
};

// The float32 as they are in the file, with the exact norms.
struct GpuRowsLayout {
  GpuRowsLayout(std::size_t dimension, std::size_t rows);
  std::uint64_t rows = 0;
  std::uint64_t norms;
  std::uint64_t bytes;
};

// Bytes of a column's layout.
std::uint64_t LayoutBytes(const Collection& collection, std::size_t column, GpuLayout layout);

// The whole of a column's layout into `buffer`; waits until it is there. Throws Error ECUDA_* and
// EFILE_CHANGED.
void FillLayout(const Collection& collection, std::size_t column, GpuLayout layout,
                const GpuBuffer& buffer, GpuUploader& uploader);

// The space of quantized codes whose layout begins at `layout`.
SynopticCodesSpace SpaceOf(const QuantizedCodes& codes, const GpuBuffer& layout, std::size_t rows);

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_LAYOUTS_H_
