#include "gpu/gpu_device.h"

#include "base/error.h"

namespace synoptic {

void GpuDevice::Check(int status) const {
  if (status == SYNOPTIC_CUDA_OK) return;
  const char* code = status == SYNOPTIC_CUDA_OUT_OF_MEMORY ? "ECUDA_MEMORY"
                     : status == SYNOPTIC_CUDA_DEVICE_LOST ? "ECUDA_LOST"
                     : status == SYNOPTIC_CUDA_NO_BLAS     ? "ECUDA_BLAS"
                                                           : "ECUDA_FAILED";
  throw Error(code, "cuda:" + std::to_string(index_) + ": " + api_->last_error());
}

GpuBuffer::GpuBuffer(const GpuDevice& device, std::uint64_t bytes)
    : device_(device), bytes_(bytes) {
  device_.Check(device_.api().allocate(device_.index(), bytes, &memory_));
}

// What a lost device cannot free is gone with it.
GpuBuffer::~GpuBuffer() {
  if (memory_ != nullptr) device_.api().release(device_.index(), memory_);
}

PinnedBuffer::PinnedBuffer(const GpuDevice& device, std::uint64_t bytes)
    : device_(device), bytes_(bytes) {
  device_.Check(device_.api().allocate_pinned(device_.index(), bytes, &memory_));
}

PinnedBuffer::~PinnedBuffer() {
  if (memory_ != nullptr) device_.api().release_pinned(memory_);
}

GpuStream::GpuStream(const GpuDevice& device) : device_(device) {
  device_.Check(device_.api().open_stream(device_.index(), &stream_));
}

GpuStream::~GpuStream() {
  Drain();
  device_.api().close_stream(stream_);
}

void GpuStream::CopyIn(void* device, const void* host, std::uint64_t bytes) {
  device_.Check(device_.api().copy_in(stream_, device, host, bytes));
}

void GpuStream::CopyOut(void* host, const void* device, std::uint64_t bytes) {
  device_.Check(device_.api().copy_out(stream_, host, device, bytes));
}

void GpuStream::FillZero(void* device, std::uint64_t bytes) {
  device_.Check(device_.api().fill_zero(stream_, device, bytes));
}

void GpuStream::Synchronize() { device_.Check(device_.api().synchronize(stream_)); }

void GpuStream::Drain() noexcept { device_.api().synchronize(stream_); }

}  // namespace synoptic
