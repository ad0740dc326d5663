#include "gpu/gpu_library.h"

#include <cstdlib>
#include <utility>

#include "base/shared_library.h"

namespace synoptic {
namespace {

// Takes the folder of the library's path out of what a loader said.
std::string WithoutFolder(std::string text, const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  for (std::size_t at; !folder.empty() && (at = text.find(folder)) != std::string::npos;) {
    text.erase(at, folder.size());
  }
  return text;
}

const SynopticCudaApi* Refuse(GpuLibrary& library, std::string reason) {
  library.reason = WithoutFolder(std::move(reason), library.path);
  return nullptr;
}

// The library's table, or null with the reason.
const SynopticCudaApi* Enter(GpuLibrary& library) {
  const std::string& path = library.path;
  std::string problem;
  void* opened = OpenLibrary(path, problem);
  if (opened == nullptr) {
    return Refuse(library, "the CUDA library is not built or does not load: " + problem);
  }
  const auto entry = reinterpret_cast<SynopticCudaEntry>(FindSymbol(opened, "synoptic_cuda_api"));
  if (entry == nullptr) {
    return Refuse(library, path + ": expected Synoptic's CUDA library, found another one");
  }
  const SynopticCudaApi* api = entry(SYNOPTIC_CUDA_VERSION);
  if (api == nullptr || api->version != SYNOPTIC_CUDA_VERSION ||
      api->bytes != sizeof(SynopticCudaApi)) {
    return Refuse(library, path + ": expected version " + std::to_string(SYNOPTIC_CUDA_VERSION) +
                               " of the CUDA library, found another; build both together");
  }
  return api;
}

}  // namespace

GpuLibrary LoadGpuLibrary(const std::string& path) {
  GpuLibrary library;
  library.path = path;
  const SynopticCudaApi* api = Enter(library);
  if (api == nullptr) return library;
  int count = 0;
  if (api->probe(&count, &library.driver_version, &library.built_with) != SYNOPTIC_CUDA_OK) {
    library.reason = api->last_error();
    return library;
  }
  for (int device = 0; device < count; ++device) {
    SynopticDevice description = {};
    if (api->describe(device, &description) != SYNOPTIC_CUDA_OK) {
      library.reason = api->last_error();
      return library;
    }
    library.devices.push_back(description);
  }
  library.api = api;
  return library;
}

std::string DefaultGpuLibraryPath() {
  if (const char* path = std::getenv("SYNOPTIC_CUDA_LIBRARY"); path != nullptr && *path != '\0') {
    return path;
  }
  return OwnFolder() + LibraryFileName("synoptic_cuda");
}

const GpuLibrary& SharedGpuLibrary() {
  static const GpuLibrary library = LoadGpuLibrary(DefaultGpuLibraryPath());
  return library;
}

}  // namespace synoptic
