// Searches on a CUDA device against the processor's: first the same results, then the times. Built
// and run by tools/device/run.sh, which prints the device's floors and its peers too.
//   gpu_bench [rows of a column] [columns] [dimension] [repeats]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "gpu_examples.h"
#include "gpu/gpu_layouts.h"
#include "gpu/gpu_library.h"

namespace {

using namespace synoptic;
using Clock = std::chrono::steady_clock;

double MicrosecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

struct Times {
  double median;
  double least;
  double ninth_decile;
};

template <class Work>
Times Measure(std::size_t repeats, const Work& work) {
  std::vector<double> times;
  for (std::size_t i = 0; i < repeats; ++i) {
    const Clock::time_point begin = Clock::now();
    work();
    times.push_back(MicrosecondsSince(begin));
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times[times.size() * 9 / 10]};
}

// Vectors as of a sentence encoder: a common direction and a few strong ones.
std::vector<float> ModelLike(std::size_t rows, std::size_t dimension, std::uint32_t seed) {
  std::vector<float> values = test::RandomValues(rows * dimension, seed);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t d = i % dimension;
    if (d % 97 == 0) values[i] += 3;
    if (d % 64 == 1) values[i] *= 4;
  }
  return values;
}

std::size_t Number(int count, char** words, int index, std::size_t otherwise) {
  return count > index ? std::strtoull(words[index], nullptr, 10) : otherwise;
}

// What one pinned buffer takes to the device again and again, in GB/s: the ceiling of uploads.
double PinnedRate(const GpuDevice& device) {
  constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
  GpuStream stream(device);
  const PinnedBuffer pinned(device, kBytes);
  const GpuBuffer buffer(device, kBytes);
  std::memset(pinned.At<void>(0), 1, kBytes);
  const Times times = Measure(20, [&] {
    stream.CopyIn(buffer.At<void>(0), pinned.At<void>(0), kBytes);
    stream.Synchronize();
  });
  return static_cast<double>(kBytes) * 1e-3 / times.median;
}

// Files that are in memory, float32 as they are, to the device.
void MeasureUploads(const Collection& collection, GpuMemory& memory, const GpuOptions& options) {
  GpuUploader uploader(memory, options.staging_bytes, options.staging_slots);
  const std::uint64_t bytes = LayoutBytes(collection, 0, GpuLayout::kRows);
  const GpuMemory::Ref buffer = memory.Reserve(bytes);
  const Times times =
      Measure(20, [&] { FillLayout(collection, 0, GpuLayout::kRows, *buffer, uploader); });
  const double rate = static_cast<double>(bytes) * 1e-3 / times.median;
  const double ceiling = PinnedRate(memory.device());
  std::printf("upload of a column: %.1f GB/s by %u threads, pinned copies %.1f GB/s, ratio %.2f\n",
              rate, options.staging_slots, ceiling, rate / ceiling);
}

}  // namespace

int main(int count, char** words) {
  const std::size_t rows = Number(count, words, 1, 20000);
  const std::size_t columns = Number(count, words, 2, 10);
  const std::size_t dimension = Number(count, words, 3, 768);
  const std::size_t repeats = Number(count, words, 4, 50);
  const GpuLibrary& library = SharedGpuLibrary();
  if (library.api == nullptr) {
    std::printf("skipped: %s\n", library.reason.c_str());
    return 0;
  }
  const bool has_blas = library.api->load_blas(nullptr) == SYNOPTIC_CUDA_OK;
  if (!has_blas) std::printf("no products: %s\n", library.api->last_error());
  const GpuDevice first(*library.api, 0);
  first.Check(library.api->load_kernels(0));
  const SynopticDevice& device = library.devices.front();
  std::printf("%s, %d multiprocessors, compute capability %d.%d, driver for CUDA %d.%d\n",
              device.name, device.multiprocessors, device.major, device.minor,
              library.driver_version / 1000, library.driver_version % 1000 / 10);
  ThreadPool pool(std::max(std::thread::hardware_concurrency(), 1u));
  std::printf("processor: %s, %u threads\n", ActiveKernels().name, pool.thread_count());
  std::printf("%zu columns x %zu rows x %zu dimensions, %.0f MB of float32, k = 10\n", columns,
              rows, dimension, static_cast<double>(columns * rows * dimension) * 4e-6);

  std::vector<test::ExampleColumn> examples;
  for (std::uint32_t column = 0; column < columns; ++column) {
    examples.push_back({ModelLike(rows, dimension, column), 8});
  }
  const auto collection = test::MakeCollection(pool, "bench", dimension, examples);
  std::uint64_t free = 0, total = 0;
  library.api->memory(0, &free, &total);
  GpuMemory memory(first, free - (std::uint64_t{1} << 30));
  MeasureUploads(*collection, memory, {});
  SearchRunner processor(pool, collection);
  std::size_t mismatches = 0;
  for (const bool graphs : {true, false}) {
    GpuOptions options;
    options.graphs = graphs;
    GpuWorker worker(memory, options);
    for (const std::size_t queries : {1, 2, 4, 8, 16, 64, 256}) {
      if (queries >= kMinMultipliedQueries && !graphs) continue;
      const SearchArguments arguments = test::MakeArguments(*collection, queries, 10);
      const std::uint64_t before = worker.uploader().uploaded_bytes();
      const Clock::time_point begin = Clock::now();
      const SearchResult result = GpuSearch(*collection, arguments, worker, has_blas).Run();
      const double first_us = MicrosecondsSince(begin);
      if (const std::uint64_t bytes = worker.uploader().uploaded_bytes() - before; bytes > 1000000) {
        std::printf("first search of %zu: %.0f MB uploaded, %.1f ms, %.1f GB/s\n", queries,
                    static_cast<double>(bytes) * 1e-6, first_us * 1e-3,
                    static_cast<double>(bytes) * 1e-3 / first_us);
      }
      const bool same = test::SameResult(result, test::Search(processor, arguments));
      mismatches += !same;
      const Times times =
          Measure(repeats, [&] { GpuSearch(*collection, arguments, worker, has_blas).Run(); });
      const Times host = Measure(std::max<std::size_t>(repeats / 5, 3),
                                 [&] { test::Search(processor, arguments); });
      std::printf(
          "%3zu queries%s: device %.1f us (least %.1f, p90 %.1f), processor %.1f us, ratio "
          "%.1f, %s\n",
          queries, graphs ? "" : " without graphs", times.median, times.least, times.ninth_decile,
          host.median, host.median / times.median, same ? "same result" : "ANOTHER RESULT");
      std::fflush(stdout);
    }
    if (!worker.recording_problem().empty()) {
      std::printf("no graphs: %s\n", worker.recording_problem().c_str());
    }
  }
  const GpuMemoryStats stats = memory.stats();
  std::printf("device memory: %.0f MB used, %.0f MB at most; %zu results differ\n",
              static_cast<double>(stats.used_bytes) * 1e-6,
              static_cast<double>(stats.peak_bytes) * 1e-6, mismatches);
  return mismatches == 0 ? 0 : 1;
}
