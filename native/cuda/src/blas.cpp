#include "blas.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <climits>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "blas_types.h"

namespace synoptic_cuda {
namespace {

struct Blas {
  cublas::Create create = nullptr;
  cublas::Destroy destroy = nullptr;
  cublas::SetStream set_stream = nullptr;
  cublas::SetMathMode set_math_mode = nullptr;
  cublas::SetWorkspace set_workspace = nullptr;
  cublas::GemmEx gemm = nullptr;
};

std::mutex mutex;
// Set once, under the mutex; never unloaded.
const Blas* loaded = nullptr;

bool IsFolder(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::vector<std::string> Places(const char* path) {
  if (path == nullptr) path = std::getenv("SYNOPTIC_CUBLAS");
  const std::vector<std::string> names = {"libcublas.so.13", "libcublas.so.12"};
  if (path == nullptr || *path == '\0') return names;
  if (!IsFolder(path)) return {path};
  std::vector<std::string> places;
  for (const std::string& name : names) places.push_back(std::string(path) + "/" + name);
  return places;
}

template <class Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

int CheckBlas(int status, const char* what) {
  if (status == cublas::kSuccess) return SYNOPTIC_CUDA_OK;
  const std::string text = std::string(what) + ": cuBLAS status " + std::to_string(status);
  if (status == cublas::kAllocationFailed) return Fail(SYNOPTIC_CUDA_OUT_OF_MEMORY, text);
  // An execution that failed may have lost the device; CUDA knows.
  if (const int lost = Check(cudaPeekAtLastError(), what); lost == SYNOPTIC_CUDA_DEVICE_LOST) {
    return lost;
  }
  return Fail(SYNOPTIC_CUDA_FAILED, text);
}

// What NVIDIA requires: a recording must find its memory where it was.
std::size_t WorkspaceBytes(int device) {
  int major = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess) {
    major = 9;
  }
  return std::size_t{major >= 9 ? 32u : 4u} << 20;
}

// A handle that is not set up whole is none: the bounds rest on its mode.
int OpenBlas(const Blas& blas, SynopticStream* stream) {
  void* handle = nullptr;
  if (const int status = CheckBlas(blas.create(&handle), "cublasCreate")) return status;
  // Sums in float32 throughout, also where the product is split.
  int status = CheckBlas(blas.set_math_mode(handle, cublas::kNoReducedPrecisionReduction),
                         "cublasSetMathMode");
  if (status == SYNOPTIC_CUDA_OK) {
    status = CheckBlas(blas.set_stream(handle, stream->stream), "cublasSetStream");
  }
  void* workspace = nullptr;
  if (status == SYNOPTIC_CUDA_OK) {
    const std::size_t bytes = WorkspaceBytes(stream->device);
    status = Check(cudaMalloc(&workspace, bytes), "cudaMalloc for cuBLAS");
    if (status == SYNOPTIC_CUDA_OK) {
      status = CheckBlas(blas.set_workspace(handle, workspace, bytes), "cublasSetWorkspace");
    }
  }
  if (status == SYNOPTIC_CUDA_OK) {
    stream->blas = handle;
    stream->blas_workspace = workspace;
  } else {
    blas.destroy(handle);
    cudaFree(workspace);
  }
  return status;
}

const Blas* Loaded() {
  const std::lock_guard lock(mutex);
  return loaded;
}

}  // namespace

int LoadBlas(const char* path) {
  const std::lock_guard lock(mutex);
  if (loaded != nullptr) return SYNOPTIC_CUDA_OK;
  std::string problems;
  for (const std::string& place : Places(path)) {
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* reason = dlerror();
      problems.append(problems.empty() ? "" : "; ").append(reason == nullptr ? place : reason);
      continue;
    }
    Blas blas;
    if (Find(library, "cublasCreate_v2", blas.create) &&
        Find(library, "cublasDestroy_v2", blas.destroy) &&
        Find(library, "cublasSetStream_v2", blas.set_stream) &&
        Find(library, "cublasSetMathMode", blas.set_math_mode) &&
        Find(library, "cublasSetWorkspace_v2", blas.set_workspace) &&
        Find(library, "cublasGemmEx", blas.gemm)) {
      loaded = new Blas(blas);
      return SYNOPTIC_CUDA_OK;
    }
    problems.append(problems.empty() ? "" : "; ").append(place + ": not cuBLAS");
    dlclose(library);
  }
  return Fail(SYNOPTIC_CUDA_NO_BLAS, "expected cuBLAS 12 or 13 on the library path or at " +
                                         ("SYNOPTIC_CUBLAS, found: " + problems));
}

int MultiplyHalf(SynopticStream* stream, const SynopticMultiply* a) {
  const Blas* blas = Loaded();
  if (blas == nullptr) return Fail(SYNOPTIC_CUDA_NO_BLAS, "cuBLAS is not loaded");
  if (const int status = Use(stream->device)) return status;
  const std::uint64_t leading = std::uint64_t{a->stride} * a->row_step;
  if (leading > INT_MAX || a->row_count > INT_MAX || a->score_stride < a->row_count) {
    return Fail(SYNOPTIC_CUDA_FAILED, "cuBLAS: a matrix beyond 2^31");
  }
  if (stream->blas == nullptr) {
    if (const int status = OpenBlas(*blas, stream)) return status;
  }
  // Row-major scores[query][row] are a column-major rows x queries = rows^T' * queries.
  const float one = 1, zero = 0;
  return CheckBlas(
      blas->gemm(stream->blas, cublas::kTransposed, cublas::kPlain, static_cast<int>(a->row_count),
                 static_cast<int>(a->query_count), static_cast<int>(a->stride), &one, a->rows,
                 cublas::kHalf, static_cast<int>(leading), a->queries, cublas::kHalf,
                 static_cast<int>(a->stride), &zero, a->scores, cublas::kFloat,
                 static_cast<int>(a->score_stride), cublas::kComputeFloat,
                 cublas::kDefaultAlgorithm),
      "cublasGemmEx");
}

void CloseBlas(SynopticStream* stream) {
  if (stream->blas == nullptr) return;
  Loaded()->destroy(stream->blas);
  cudaFree(stream->blas_workspace);
  stream->blas = stream->blas_workspace = nullptr;
}

}  // namespace synoptic_cuda
