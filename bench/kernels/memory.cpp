// What the machine can do at best with a collection's float32, for bench/similarity.ts:
//   memory THREADS ROWS DIMENSION FILE...
// For each line of input, `read`, `copy` or `sgemv`, reads the matrices once, copies as many bytes,
// or makes one float32 product with a vector, on all threads and from warm page cache, and prints
// the milliseconds and the processors' milliseconds, as JSON.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Range {
  const float* begin;
  std::size_t rows;
};

// The sum of all values in 64 chains; returned, so that it is not optimised away.
float Read(const Range& range, std::size_t dimension) {
  float chains[64] = {};
  const std::size_t count = range.rows * dimension / 64 * 64;
  for (std::size_t i = 0; i < count; i += 64) {
    for (std::size_t j = 0; j < 64; ++j) chains[j] += range.begin[i + j];
  }
  float sum = 0;
  for (const float chain : chains) sum += chain;
  return sum;
}

float Product(const Range& range, std::size_t dimension, const float* query, float* scores) {
  for (std::size_t row = 0; row < range.rows; ++row) {
    const float* x = range.begin + row * dimension;
    float chains[32] = {};
    std::size_t d = 0;
    for (; d + 32 <= dimension; d += 32) {
      for (std::size_t j = 0; j < 32; ++j) chains[j] += x[d + j] * query[d + j];
    }
    float sum = 0;
    for (; d < dimension; ++d) sum += x[d] * query[d];
    for (const float chain : chains) sum += chain;
    scores[row] = sum;
  }
  return scores[0];
}

double ProcessorMs() {
  timespec spent = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) * 1e3 + static_cast<double>(spent.tv_nsec) / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) return 2;
  const auto threads = static_cast<std::size_t>(std::atol(arguments[1]));
  const auto rows = static_cast<std::size_t>(std::atol(arguments[2]));
  const auto dimension = static_cast<std::size_t>(std::atol(arguments[3]));
  std::vector<std::vector<Range>> shares(threads);
  for (int i = 4; i < count; ++i) {
    const int file = open(arguments[i], O_RDONLY);
    struct stat status = {};
    if (file < 0 || fstat(file, &status) != 0) return 1;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* mapped = mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (mapped == MAP_FAILED) return 1;
    const std::size_t offset = size - rows * dimension * sizeof(float);
    const auto* values = reinterpret_cast<const float*>(static_cast<const char*>(mapped) + offset);
    for (std::size_t thread = 0; thread < threads; ++thread) {
      const std::size_t first = rows * thread / threads, last = rows * (thread + 1) / threads;
      shares[thread].push_back({values + first * dimension, last - first});
    }
  }
  const std::vector<float> query(dimension, 0.5f);
  std::vector<std::vector<float>> scores(threads, std::vector<float>(rows));
  std::vector<std::vector<float>> copies(threads);
  for (auto& copy : copies) copy.resize((rows / threads + 1) * dimension);
  volatile float sink = 0;
  const auto on_all = [&](const std::function<float(std::size_t, const Range&)>& work) {
    std::vector<std::thread> workers;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      workers.emplace_back([&, thread] {
        float sum = 0;
        for (const Range& range : shares[thread]) sum += work(thread, range);
        sink = sum;
      });
    }
    for (std::thread& worker : workers) worker.join();
  };
  std::puts("{}");
  std::fflush(stdout);
  for (std::string what; std::getline(std::cin, what);) {
    const double processor = ProcessorMs();
    const auto start = std::chrono::steady_clock::now();
    on_all([&](std::size_t thread, const Range& range) {
      if (what == "read") return Read(range, dimension);
      if (what == "sgemv") return Product(range, dimension, query.data(), scores[thread].data());
      std::memcpy(copies[thread].data(), range.begin, range.rows * dimension * sizeof(float));
      return copies[thread][0];
    });
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    std::printf("{\"ms\": %.3f, \"cpuMs\": %.3f}\n", spent.count(), ProcessorMs() - processor);
    std::fflush(stdout);
  }
  return 0;
}
