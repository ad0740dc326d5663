// Finds libsynoptic_cuda at run time, so that one build serves machines with and without a GPU.

#ifndef SYNOPTIC_GPU_GPU_LIBRARY_H_
#define SYNOPTIC_GPU_GPU_LIBRARY_H_

#include <string>
#include <vector>

#include "synoptic_cuda.h"

namespace synoptic {

struct GpuLibrary {
  // Null: there is none that can be used.
  const SynopticCudaApi* api = nullptr;
  // Why not, without folders, since servers show it to everybody; empty: it can.
  std::string reason;
  // The file that was looked for.
  std::string path;
  // As CUDA writes them: 13000 is 13.0; 0: unknown.
  int driver_version = 0;
  int built_with = 0;
  std::vector<SynopticDevice> devices;
};

// Loads the library and looks for devices; never throws, and never unloads what it loaded.
GpuLibrary LoadGpuLibrary(const std::string& path);

// $SYNOPTIC_CUDA_LIBRARY, or the library next to the file that holds this code.
std::string DefaultGpuLibraryPath();

// LoadGpuLibrary of the default path, once a process: a first call may take a second.
const GpuLibrary& SharedGpuLibrary();

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_LIBRARY_H_
