#include "driver.h"

#include <dlfcn.h>

#include "check.h"

namespace synoptic_cuda {
namespace {

std::string VersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

int Probe(int* device_count, int* driver_version, int* built_with) {
  *device_count = 0;
  *driver_version = 0;
  *built_with = CUDART_VERSION;
  // Never closed: the runtime uses it as long as the process lives.
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    const char* reason = dlerror();
    return Fail(SYNOPTIC_CUDA_NO_DRIVER, std::string("expected NVIDIA's driver, found none: ") +
                                             (reason == nullptr ? "libcuda.so.1" : reason));
  }
  const auto initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto version = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  if (initialise == nullptr || version == nullptr || count == nullptr) {
    return Fail(SYNOPTIC_CUDA_NO_DRIVER, "expected NVIDIA's driver, found another libcuda.so.1");
  }
  if (version(driver_version) != 0) {
    return Fail(SYNOPTIC_CUDA_NO_DRIVER, "NVIDIA's driver does not report its version");
  }
  // Minor versions of one major work with each other.
  if (*driver_version / 1000 < CUDART_VERSION / 1000) {
    return Fail(SYNOPTIC_CUDA_DRIVER_TOO_OLD,
                "expected a driver for CUDA " + std::to_string(CUDART_VERSION / 1000) +
                    ".0 or newer, found one for CUDA " + VersionText(*driver_version));
  }
  if (const int error = initialise(0); error != 0) {
    return Fail(SYNOPTIC_CUDA_NO_DEVICE,
                "expected a CUDA device, found none (cuInit: " + std::to_string(error) + ")");
  }
  if (const int error = count(device_count); error != 0 || *device_count == 0) {
    *device_count = 0;
    return Fail(SYNOPTIC_CUDA_NO_DEVICE, "expected a CUDA device, found none");
  }
  return SYNOPTIC_CUDA_OK;
}

}  // namespace synoptic_cuda
