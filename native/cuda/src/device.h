// Memory, streams and graphs: the C interface's calls of these names.

#ifndef SYNOPTIC_CUDA_DEVICE_H_
#define SYNOPTIC_CUDA_DEVICE_H_

#include "check.h"

namespace synoptic_cuda {

int Describe(int device, SynopticDevice* description);
int LoadKernels(int device);
int Memory(int device, uint64_t* free_bytes, uint64_t* total_bytes);
int Allocate(int device, uint64_t bytes, void** memory);
int Release(int device, void* memory);
int AllocatePinned(int device, uint64_t bytes, void** memory);
int ReleasePinned(void* memory);
int OpenStream(int device, SynopticStream** stream);
int CloseStream(SynopticStream* stream);
int Synchronize(SynopticStream* stream);
int CopyIn(SynopticStream* stream, void* device, const void* host, uint64_t bytes);
int CopyOut(SynopticStream* stream, void* host, const void* device, uint64_t bytes);
int FillZero(SynopticStream* stream, void* device, uint64_t bytes);
int BeginGraph(SynopticStream* stream);
int EndGraph(SynopticStream* stream, SynopticGraph** graph);
int RunGraph(SynopticStream* stream, SynopticGraph* graph);
int DropGraph(SynopticGraph* graph);

}  // namespace synoptic_cuda

#endif  // SYNOPTIC_CUDA_DEVICE_H_
