#include "check.h"

#include <utility>

namespace synoptic_cuda {
namespace {

thread_local std::string last_error;

// After these nothing works in this process any more.
bool IsLost(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorExternalDevice:
    case cudaErrorDeviceUninitialized:
    case cudaErrorContextIsDestroyed:
    case cudaErrorMpsClientTerminated:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoDevice:
    case cudaErrorInitializationError:
    case cudaErrorCudartUnloading:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

}  // namespace

const char* LastError() { return last_error.c_str(); }

int Fail(int status, std::string text) {
  last_error = std::move(text);
  return status;
}

int Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return SYNOPTIC_CUDA_OK;
  cudaGetLastError();
  std::string text = what;
  text.append(": ").append(cudaGetErrorName(error)).append(": ").append(cudaGetErrorString(error));
  const int status = error == cudaErrorMemoryAllocation ? SYNOPTIC_CUDA_OUT_OF_MEMORY
                     : IsLost(error)                    ? SYNOPTIC_CUDA_DEVICE_LOST
                                                        : SYNOPTIC_CUDA_FAILED;
  return Fail(status, std::move(text));
}

int Use(int device) { return Check(cudaSetDevice(device), "cudaSetDevice"); }

}  // namespace synoptic_cuda
