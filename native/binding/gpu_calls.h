// The CUDA device from JavaScript: cuda, configureGpu, gpuStats and releaseIdleGpu of NativeAddon.

#ifndef SYNOPTIC_BINDING_GPU_CALLS_H_
#define SYNOPTIC_BINDING_GPU_CALLS_H_

#include <napi.h>

namespace synoptic {

void DefineGpuCalls(Napi::Env env, Napi::Object exports);

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_GPU_CALLS_H_
