// The emulated device as a library, which a whole server can load in place of the real one:
//   SYNOPTIC_CUDA_LIBRARY=build-native/native/test/libsynoptic_emulated_cuda.so
// SYNOPTIC_TEST_DEVICE_LOST is the number of the call, from 0, at which the device is lost.

#include <cstdlib>

#include "emulated_device.h"

extern "C" const SynopticCudaApi* synoptic_cuda_api(uint32_t version) {
  static synoptic::test::EmulatedDevice device;
  device.SetMemory(std::uint64_t{4} << 30);
  if (const char* call = std::getenv("SYNOPTIC_TEST_DEVICE_LOST")) {
    device.FailCall(std::strtoull(call, nullptr, 10), SYNOPTIC_CUDA_DEVICE_LOST);
  }
  return version == SYNOPTIC_CUDA_VERSION ? &device.api() : nullptr;
}
