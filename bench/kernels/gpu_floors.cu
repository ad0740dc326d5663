// What a device can do at best: its copy, the way from the host, cuBLAS's products of the same size.
//   gpu_floors [rows] [dimension]      cuBLAS: $SYNOPTIC_CUBLAS, a file

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "blas_types.h"

namespace {

namespace cublas = synoptic_cuda::cublas;

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("skipped: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(0);
}

// Median milliseconds of 20 runs after 3 that warm up.
float Measure(const std::function<void()>& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int i = 0; i < 23; ++i) {
    cudaEventRecord(begin);
    work();
    cudaEventRecord(end);
    Check(cudaEventSynchronize(end), "a floor");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    if (i >= 3) times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  const std::size_t rows = count > 1 ? std::strtoull(words[1], nullptr, 10) : 200000;
  const std::size_t dimension = count > 2 ? std::strtoull(words[2], nullptr, 10) : 768;
  constexpr std::size_t kQueries = 256;
  const std::size_t bytes = rows * dimension * sizeof(float);
  float *matrix, *copy, *queries, *scores, *host;
  Check(cudaMalloc(&matrix, bytes), "cudaMalloc");
  Check(cudaMalloc(&copy, bytes), "cudaMalloc");
  Check(cudaMalloc(&queries, kQueries * dimension * sizeof(float)), "cudaMalloc");
  Check(cudaMalloc(&scores, rows * kQueries * sizeof(float)), "cudaMalloc");
  Check(cudaMallocHost(&host, bytes), "cudaMallocHost");
  // Ordinary numbers: products of zeros run faster than real ones.
  for (std::size_t i = 0; i < rows * dimension; ++i) {
    host[i] = static_cast<float>(i * 2654435761u % 2001) / 1000 - 1;
  }
  const float up = Measure([&] { cudaMemcpyAsync(matrix, host, bytes, cudaMemcpyHostToDevice); });
  std::printf("floor: pinned host to device: %.1f GB/s\n", bytes / up * 1e-6);
  cudaMemcpy(queries, host, kQueries * dimension * sizeof(float), cudaMemcpyHostToDevice);
  const float moved = Measure([&] { cudaMemcpyAsync(copy, matrix, bytes, cudaMemcpyDeviceToDevice); });
  std::printf("floor: device copy: %.0f GB/s read and written\n", 2 * bytes / moved * 1e-6);
  std::printf("floor: reading %.0f MB of float32 at that rate: %.1f us\n", bytes * 1e-6, moved * 500);

  const char* path = std::getenv("SYNOPTIC_CUBLAS");
  void* library = dlopen(path == nullptr ? "libcublas.so.13" : path, RTLD_NOW);
  if (library == nullptr) {
    std::printf("skipped: products: %s\n", dlerror());
    return 0;
  }
  const auto create = reinterpret_cast<cublas::Create>(dlsym(library, "cublasCreate_v2"));
  const auto gemm = reinterpret_cast<cublas::GemmEx>(dlsym(library, "cublasGemmEx"));
  void* handle = nullptr;
  if (create == nullptr || gemm == nullptr || create(&handle) != cublas::kSuccess) {
    std::printf("skipped: products: not cuBLAS\n");
    return 0;
  }
  const float one = 1, zero = 0;
  constexpr int kTf32 = 77;
  const auto product = [&](int type, int compute, int query_count) {
    return Measure([&] {
      gemm(handle, cublas::kTransposed, cublas::kPlain, static_cast<int>(rows), query_count,
           static_cast<int>(dimension), &one, matrix, type, static_cast<int>(dimension), queries,
           type, static_cast<int>(dimension), &zero, scores, cublas::kFloat,
           static_cast<int>(rows), compute, cublas::kDefaultAlgorithm);
    });
  };
  for (const int query_count : {1, 8, 64, 256}) {
    const float single = product(cublas::kFloat, cublas::kComputeFloat, query_count);
    const float tf32 = product(cublas::kFloat, kTf32, query_count);
    // The same bytes read as float16: half of the matrix, whatever its numbers are.
    const float half = product(cublas::kHalf, cublas::kComputeFloat, query_count);
    std::printf("floor: cuBLAS %zu x %zu by %d, scores written, nothing selected: SGEMM %.1f us, TF32 "
                "%.1f us, float16 %.1f us\n",
                rows, dimension, query_count, single * 1000, tf32 * 1000, half * 1000);
  }
  return 0;
}
