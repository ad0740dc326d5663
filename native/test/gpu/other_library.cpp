// Shared libraries that are not the one: of another version, or of none.

#include "synoptic_cuda.h"

#define EXPORT __attribute__((visibility("default")))

#ifdef SYNOPTIC_TEST_RETURNS_ANYWAY
// Of a build that did not keep to the contract.
extern "C" EXPORT const SynopticCudaApi* synoptic_cuda_api(uint32_t) {
  static SynopticCudaApi api = {};
  api.version = SYNOPTIC_CUDA_VERSION + 1;
  return &api;
}
#elif defined(SYNOPTIC_TEST_REFUSES)
extern "C" EXPORT const SynopticCudaApi* synoptic_cuda_api(uint32_t) { return nullptr; }
#else
extern "C" EXPORT int something_else() { return 0; }
#endif
