#include "device.h"

#include <cstdio>
#include <memory>

#include "blas.h"
#include "launch.h"

struct SynopticGraph {
  cudaGraphExec_t executable;
};

namespace synoptic_cuda {

int Describe(int device, SynopticDevice* description) {
  cudaDeviceProp properties = {};
  if (const int status =
          Check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties")) {
    return status;
  }
  std::snprintf(description->name, sizeof(description->name), "%s", properties.name);
  description->major = properties.major;
  description->minor = properties.minor;
  description->multiprocessors = properties.multiProcessorCount;
  description->total_bytes = properties.totalGlobalMem;
  return SYNOPTIC_CUDA_OK;
}

int LoadKernels(int device) {
  if (const int status = Use(device)) return status;
  for (int (*const load)() :
       {LoadPrepareCodes, LoadBoundCodes, LoadHalfRows, LoadSelect, LoadRescore}) {
    if (const int status = load()) return status;
  }
  return SYNOPTIC_CUDA_OK;
}

int Memory(int device, uint64_t* free_bytes, uint64_t* total_bytes) {
  if (const int status = Use(device)) return status;
  std::size_t free = 0, total = 0;
  const int status = Check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  *free_bytes = free;
  *total_bytes = total;
  return status;
}

int Allocate(int device, uint64_t bytes, void** memory) {
  *memory = nullptr;
  if (const int status = Use(device)) return status;
  return Check(cudaMalloc(memory, bytes), "cudaMalloc");
}

int Release(int device, void* memory) {
  if (const int status = Use(device)) return status;
  return Check(cudaFree(memory), "cudaFree");
}

int AllocatePinned(int device, uint64_t bytes, void** memory) {
  *memory = nullptr;
  if (const int status = Use(device)) return status;
  return Check(cudaMallocHost(memory, bytes), "cudaMallocHost");
}

int ReleasePinned(void* memory) { return Check(cudaFreeHost(memory), "cudaFreeHost"); }

int OpenStream(int device, SynopticStream** stream) {
  *stream = nullptr;
  if (const int status = Use(device)) return status;
  auto opened = std::make_unique<SynopticStream>(SynopticStream{device, nullptr, nullptr, nullptr});
  // Waiting for nothing that others do on the default stream.
  if (const int status = Check(cudaStreamCreateWithFlags(&opened->stream, cudaStreamNonBlocking),
                               "cudaStreamCreateWithFlags")) {
    return status;
  }
  *stream = opened.release();
  return SYNOPTIC_CUDA_OK;
}

int CloseStream(SynopticStream* stream) {
  const std::unique_ptr<SynopticStream> owned(stream);
  if (const int status = Use(stream->device)) return status;
  CloseBlas(stream);
  return Check(cudaStreamDestroy(stream->stream), "cudaStreamDestroy");
}

int Synchronize(SynopticStream* stream) {
  if (const int status = Use(stream->device)) return status;
  return Check(cudaStreamSynchronize(stream->stream), "cudaStreamSynchronize");
}

int CopyIn(SynopticStream* stream, void* device, const void* host, uint64_t bytes) {
  if (const int status = Use(stream->device)) return status;
  return Check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream->stream),
               "cudaMemcpyAsync to the device");
}

int CopyOut(SynopticStream* stream, void* host, const void* device, uint64_t bytes) {
  if (const int status = Use(stream->device)) return status;
  return Check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream->stream),
               "cudaMemcpyAsync from the device");
}

int FillZero(SynopticStream* stream, void* device, uint64_t bytes) {
  if (const int status = Use(stream->device)) return status;
  return Check(cudaMemsetAsync(device, 0, bytes, stream->stream), "cudaMemsetAsync");
}

int BeginGraph(SynopticStream* stream) {
  if (const int status = Use(stream->device)) return status;
  // Other threads may allocate meanwhile.
  return Check(cudaStreamBeginCapture(stream->stream, cudaStreamCaptureModeThreadLocal),
               "cudaStreamBeginCapture");
}

int EndGraph(SynopticStream* stream, SynopticGraph** graph) {
  *graph = nullptr;
  if (const int status = Use(stream->device)) return status;
  cudaGraph_t captured = nullptr;
  if (const int status =
          Check(cudaStreamEndCapture(stream->stream, &captured), "cudaStreamEndCapture")) {
    return status;
  }
  auto made = std::make_unique<SynopticGraph>();
  const int status =
      Check(cudaGraphInstantiate(&made->executable, captured, 0), "cudaGraphInstantiate");
  cudaGraphDestroy(captured);
  if (status == SYNOPTIC_CUDA_OK) *graph = made.release();
  return status;
}

int RunGraph(SynopticStream* stream, SynopticGraph* graph) {
  if (const int status = Use(stream->device)) return status;
  return Check(cudaGraphLaunch(graph->executable, stream->stream), "cudaGraphLaunch");
}

int DropGraph(SynopticGraph* graph) {
  const std::unique_ptr<SynopticGraph> owned(graph);
  return Check(cudaGraphExecDestroy(graph->executable), "cudaGraphExecDestroy");
}

}  // namespace synoptic_cuda
