#include <cstdio>
#include <cstdlib>

#include "gpu/gpu_library.h"
#include "tested_device.h"

namespace synoptic::test {

// Without a device the program says so and counts as skipped.
const SynopticCudaApi& TestedApi() {
  const GpuLibrary& library = SharedGpuLibrary();
  if (library.api == nullptr) {
    std::printf("skipped: %s\n", library.reason.c_str());
    std::exit(0);
  }
  // Products are part of what is tested; without cuBLAS the tests fail and say why.
  library.api->load_blas(nullptr);
  if (library.api->load_kernels(0) != SYNOPTIC_CUDA_OK) {
    std::printf("no kernels: %s\n", library.api->last_error());
    std::exit(1);
  }
  return *library.api;
}

// SYNOPTIC_TEST_SMALL: under a checker of memory or races.
bool ExamplesAreSmall() { return std::getenv("SYNOPTIC_TEST_SMALL") != nullptr; }

}  // namespace synoptic::test
