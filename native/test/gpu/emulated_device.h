// A CUDA library for tests: its device is the processor, its kernels are the real ones' own text.
// It runs the work of a stream only when a caller waits, counts memory, and fails on request.

#ifndef SYNOPTIC_TEST_EMULATED_DEVICE_H_
#define SYNOPTIC_TEST_EMULATED_DEVICE_H_

#include <cstdint>

#include "emulated_kernels.h"
#include "synoptic_cuda.h"

namespace synoptic::test {

// One at a time in a process, since the interface has no place for more.
class EmulatedDevice {
 public:
  explicit EmulatedDevice(const EmulatedKernels& kernels = kSoundKernels);
  EmulatedDevice(const EmulatedDevice&) = delete;
  ~EmulatedDevice();

  const SynopticCudaApi& api() const;

  // Device memory there is; more is OUT_OF_MEMORY.
  void SetMemory(std::uint64_t bytes);
  // The call of this number, from 0, of all that can fail, gives `status`.
  void FailCall(std::uint64_t number, int status);
  // As above for allocations alone, device memory and pinned.
  void FailAllocation(std::uint64_t number);
  void FailEveryAllocationFrom(std::uint64_t number);
  void RemoveBlas();
  // Nothing can be recorded.
  void RemoveGraphs();

  std::uint64_t calls() const;
  std::uint64_t allocations() const;
  // Device and pinned memory, streams and graphs that nobody gave back.
  std::uint64_t leaks() const;
  std::uint64_t graphs_run() const;
};

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_EMULATED_DEVICE_H_
