// The one symbol that the library exports.

#include "blas.h"
#include "device.h"
#include "driver.h"
#include "launch.h"

extern "C" const SynopticCudaApi* synoptic_cuda_api(uint32_t version) {
  using namespace synoptic_cuda;
  static const SynopticCudaApi api = {
      SYNOPTIC_CUDA_VERSION,
      sizeof(SynopticCudaApi),
      LastError,
      Probe,
      Describe,
      LoadKernels,
      Memory,
      Allocate,
      Release,
      AllocatePinned,
      ReleasePinned,
      OpenStream,
      CloseStream,
      Synchronize,
      CopyIn,
      CopyOut,
      FillZero,
      LoadBlas,
      LaunchPrepareCodes,
      LaunchBoundCodes,
      LaunchMakeHalf,
      MultiplyHalf,
      LaunchFilterScores,
      LaunchSelect,
      LaunchRescore,
      BeginGraph,
      EndGraph,
      RunGraph,
      DropGraph,
  };
  return version == SYNOPTIC_CUDA_VERSION ? &api : nullptr;
}
