// Owners of what a CUDA device lends: memory, pinned memory, streams. Failures are Errors:
// ECUDA_MEMORY (make room, try again), ECUDA_LOST (for good), ECUDA_BLAS and ECUDA_FAILED.

#ifndef SYNOPTIC_GPU_GPU_DEVICE_H_
#define SYNOPTIC_GPU_GPU_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "synoptic_cuda.h"

namespace synoptic {

// One device through the library's table; copied freely.
class GpuDevice {
 public:
  GpuDevice(const SynopticCudaApi& api, int index) : api_(&api), index_(index) {}

  const SynopticCudaApi& api() const { return *api_; }
  int index() const { return index_; }

  // Throws the Error of a status that is not OK.
  void Check(int status) const;

 private:
  const SynopticCudaApi* api_;
  int index_;
};

// Owns device memory; move only.
class GpuBuffer {
 public:
  GpuBuffer(const GpuDevice& device, std::uint64_t bytes);
  GpuBuffer(GpuBuffer&& other) noexcept
      : device_(other.device_),
        memory_(std::exchange(other.memory_, nullptr)),
        bytes_(other.bytes_) {}
  GpuBuffer& operator=(GpuBuffer&&) = delete;
  ~GpuBuffer();

  std::uint64_t bytes() const { return bytes_; }
  template <class T>
  T* At(std::uint64_t offset) const {
    return reinterpret_cast<T*>(static_cast<std::uint8_t*>(memory_) + offset);
  }

 private:
  GpuDevice device_;
  void* memory_ = nullptr;
  std::uint64_t bytes_;
};

// Owns host memory that a device reads and writes directly; move only.
class PinnedBuffer {
 public:
  PinnedBuffer(const GpuDevice& device, std::uint64_t bytes);
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : device_(other.device_),
        memory_(std::exchange(other.memory_, nullptr)),
        bytes_(other.bytes_) {}
  PinnedBuffer& operator=(PinnedBuffer&&) = delete;
  ~PinnedBuffer();

  std::uint64_t bytes() const { return bytes_; }
  template <class T>
  T* At(std::uint64_t offset) const {
    return reinterpret_cast<T*>(static_cast<std::uint8_t*>(memory_) + offset);
  }

 private:
  GpuDevice device_;
  void* memory_ = nullptr;
  std::uint64_t bytes_;
};

// Owns a stream: work in the order in which it was issued, used by one thread at a time.
class GpuStream {
 public:
  explicit GpuStream(const GpuDevice& device);
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;
  ~GpuStream();

  void CopyIn(void* device, const void* host, std::uint64_t bytes);
  void CopyOut(void* host, const void* device, std::uint64_t bytes);
  void FillZero(void* device, std::uint64_t bytes);
  // Waits for all that was issued.
  void Synchronize();
  // As above, whatever became of it.
  void Drain() noexcept;

  // Issues one of the library's operations.
  template <class Arguments>
  void Run(int (*operation)(SynopticStream*, const Arguments*), const Arguments& arguments) {
    device_.Check(operation(stream_, &arguments));
  }

  const GpuDevice& device() const { return device_; }
  SynopticStream* get() const { return stream_; }

 private:
  GpuDevice device_;
  SynopticStream* stream_ = nullptr;
};

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_DEVICE_H_
