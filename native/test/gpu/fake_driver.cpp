// A libcuda.so.1 without a device, of the version that SYNOPTIC_TEST_DRIVER says.

#include <cstdlib>

#define EXPORT extern "C" __attribute__((visibility("default"))) int

EXPORT cuInit(unsigned) { return 100; }  // CUDA_ERROR_NO_DEVICE
EXPORT cuDriverGetVersion(int* version) {
  const char* version_text = std::getenv("SYNOPTIC_TEST_DRIVER");
  *version = version_text == nullptr ? 13000 : std::atoi(version_text);
  return 0;
}
EXPORT cuDeviceGetCount(int* count) {
  *count = 0;
  return 0;
}
