#include "emulated_device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "emulated_cuda.h"

// A unit of work of a stream.
struct Work {
  std::function<void()> run;
  // Its arguments: any of them may be memory that has to be there until it has run.
  std::vector<std::uint64_t> words;
  // Of the host: what is read must stay as it is until then, what is written is not there before.
  const void* read = nullptr;
  void* written = nullptr;
  std::uint64_t bytes = 0;
  std::size_t hash = 0;
};

struct SynopticStream {
  std::vector<Work> waiting;
  bool is_recording = false;
  std::thread::id issued_by;
};

struct SynopticGraph {
  std::vector<Work> work;
};

namespace synoptic::test {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

struct World {
  const EmulatedKernels* kernels = nullptr;
  std::uint64_t memory_bytes = kNever;
  std::uint64_t used_bytes = 0;
  std::map<void*, std::uint64_t> device_memory;
  std::map<void*, std::uint64_t> pinned_memory;
  std::set<SynopticStream*> streams;
  std::uint64_t graphs = 0;
  std::uint64_t graphs_run = 0;
  // Shapes of products that ran without a recording: rows, queries, dimension, step.
  std::set<std::array<std::uint64_t, 4>> multiplied;
  std::uint64_t calls = 0;
  std::uint64_t allocations = 0;
  std::uint64_t failing_call = kNever;
  int failing_status = SYNOPTIC_CUDA_OK;
  std::uint64_t first_failing_allocation = kNever;
  std::uint64_t last_failing_allocation = 0;
  bool has_blas = true;
  bool has_graphs = true;
  bool is_lost = false;
};

// The emulation runs one kernel at a time, and so does all else here.
std::recursive_mutex mutex;
World world;
thread_local std::string last_error;
constexpr char kOnPurpose[] = "failed on purpose";

int Fail(int status, const char* text) {
  last_error = text;
  return status;
}

// The status of a call that may fail for no fault of its own. A caller of a lost device, on
// any thread, gets the reason, as CUDA does.
int Begin() {
  if (world.is_lost) return Fail(SYNOPTIC_CUDA_DEVICE_LOST, kOnPurpose);
  if (world.calls++ != world.failing_call) return SYNOPTIC_CUDA_OK;
  if (world.failing_status == SYNOPTIC_CUDA_DEVICE_LOST) world.is_lost = true;
  return Fail(world.failing_status, kOnPurpose);
}

int BeginAllocation() {
  const std::uint64_t number = world.allocations++;
  if (const int status = Begin()) return status;
  if (number < world.first_failing_allocation || number > world.last_failing_allocation) {
    return SYNOPTIC_CUDA_OK;
  }
  return Fail(SYNOPTIC_CUDA_OUT_OF_MEMORY, "no memory, on purpose");
}

// Not a call of its own: memory is full of what was there before.
void* Garbage(std::uint64_t bytes) {
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0xA5, bytes);
  return memory;
}

// A fault that a device would not report, or only now and then.
[[noreturn]] void Abort(const char* text) {
  std::fprintf(stderr, "emulated device: %s\n", text);
  std::abort();
}

std::size_t HashOf(const void* memory, std::uint64_t bytes) {
  return std::hash<std::string_view>()({static_cast<const char*>(memory), bytes});
}

// From here on the work is under way.
Work Armed(Work work) {
  if (work.read != nullptr) work.hash = HashOf(work.read, work.bytes);
  if (work.written != nullptr) std::memset(work.written, 0xA5, work.bytes);
  return work;
}

void RunWork(const Work& work) {
  if (work.read != nullptr && work.hash != HashOf(work.read, work.bytes)) {
    Abort("host memory was written while it was on its way to the device");
  }
  work.run();
}

// Memory may go when no work is under way that uses it, or that this thread has not waited for: its
// arguments may lie in device memory.
void CheckUnused(const void* memory, std::uint64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  for (const SynopticStream* stream : world.streams) {
    if (world.is_lost || stream->is_recording || stream->waiting.empty()) continue;
    if (stream->issued_by == std::this_thread::get_id()) Abort("memory goes before work has ended");
    for (const Work& work : stream->waiting) {
      for (const std::uint64_t word : work.words) {
        if (word >= begin && word < begin + bytes) Abort("memory goes that work under way uses");
      }
    }
  }
}

template <class Function>
int Guarded(const Function& function) {
  const std::lock_guard lock(mutex);
  return function();
}

int Ask(SynopticStream* stream, Work work) {
  return Guarded([&] {
    if (const int status = Begin()) return status;
    stream->issued_by = std::this_thread::get_id();
    stream->waiting.push_back(stream->is_recording ? std::move(work) : Armed(std::move(work)));
    return int{SYNOPTIC_CUDA_OK};
  });
}

const char* LastError() { return last_error.c_str(); }

int Probe(int* count, int* driver, int* built_with) {
  *count = 1;
  *driver = *built_with = 13000;
  return SYNOPTIC_CUDA_OK;
}

int Describe(int, SynopticDevice* description) {
  *description = {"emulated", 9, 0, 1, world.memory_bytes};
  return SYNOPTIC_CUDA_OK;
}

int LoadKernels(int) { return Guarded(Begin); }

int Memory(int, std::uint64_t* free, std::uint64_t* total) {
  return Guarded([&] {
    *total = world.memory_bytes;
    *free = world.memory_bytes - world.used_bytes;
    return int{SYNOPTIC_CUDA_OK};
  });
}

int Allocate(int, std::uint64_t bytes, void** memory) {
  return Guarded([&] {
    *memory = nullptr;
    if (const int status = BeginAllocation()) return status;
    if (bytes > world.memory_bytes - world.used_bytes) {
      return Fail(SYNOPTIC_CUDA_OUT_OF_MEMORY, "no memory");
    }
    world.used_bytes += bytes;
    *memory = Garbage(bytes);
    world.device_memory[*memory] = bytes;
    return int{SYNOPTIC_CUDA_OK};
  });
}

int Synchronize(SynopticStream* stream) {
  return Guarded([&] {
    const int status = Begin();
    if (world.is_lost) return status;
    // What else it reports is of work that has ended.
    const std::vector<Work> waiting = std::exchange(stream->waiting, {});
    for (const Work& work : waiting) RunWork(work);
    return status;
  });
}

int Release(int, void* memory) {
  return Guarded([&] {
    CheckUnused(memory, world.device_memory.at(memory));
    world.used_bytes -= world.device_memory.at(memory);
    world.device_memory.erase(memory);
    std::free(memory);
    return int{SYNOPTIC_CUDA_OK};
  });
}

int AllocatePinned(int, std::uint64_t bytes, void** memory) {
  return Guarded([&] {
    *memory = nullptr;
    if (const int status = BeginAllocation()) return status;
    *memory = Garbage(bytes);
    world.pinned_memory[*memory] = bytes;
    return int{SYNOPTIC_CUDA_OK};
  });
}

int ReleasePinned(void* memory) {
  return Guarded([&] {
    CheckUnused(memory, world.pinned_memory.at(memory));
    world.pinned_memory.erase(memory);
    std::free(memory);
    return int{SYNOPTIC_CUDA_OK};
  });
}

int OpenStream(int, SynopticStream** stream) {
  return Guarded([&] {
    *stream = nullptr;
    if (const int status = Begin()) return status;
    *stream = new SynopticStream();
    world.streams.insert(*stream);
    return int{SYNOPTIC_CUDA_OK};
  });
}

int CloseStream(SynopticStream* stream) {
  return Guarded([&] {
    world.streams.erase(stream);
    delete stream;
    return int{SYNOPTIC_CUDA_OK};
  });
}

std::uint64_t Word(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

int CopyIn(SynopticStream* stream, void* to, const void* from, std::uint64_t bytes) {
  return Ask(stream,
             {[=] { std::memcpy(to, from, bytes); }, {Word(to), Word(from)}, from, nullptr, bytes});
}

int CopyOut(SynopticStream* stream, void* to, const void* from, std::uint64_t bytes) {
  return Ask(stream,
             {[=] { std::memcpy(to, from, bytes); }, {Word(to), Word(from)}, nullptr, to, bytes});
}

int FillZero(SynopticStream* stream, void* memory, std::uint64_t bytes) {
  return Ask(stream, {[=] { std::memset(memory, 0, bytes); }, {Word(memory)}});
}

template <class Arguments>
std::vector<std::uint64_t> WordsOf(const Arguments& arguments) {
  std::vector<std::uint64_t> words(sizeof(Arguments) / sizeof(std::uint64_t));
  std::memcpy(words.data(), &arguments, words.size() * sizeof(std::uint64_t));
  return words;
}

int LoadBlas(const char*) {
  return world.has_blas ? int{SYNOPTIC_CUDA_OK} : Fail(SYNOPTIC_CUDA_NO_BLAS, "no cuBLAS");
}

template <auto EmulatedKernels::* kKernel, class Arguments>
int Run(SynopticStream* stream, const Arguments* arguments) {
  return Ask(stream,
             {[copy = *arguments] { (world.kernels->*kKernel)(copy); }, WordsOf(*arguments)});
}

// Toward zero, as tensor cores may: what float32 has no bits for is cut off.
float AddTruncated(float sum, double product) {
  constexpr std::uint64_t kCut = (std::uint64_t{1} << 29) - 1;
  return static_cast<float>(
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum + product) & ~kCut));
}

void Multiply(const SynopticMultiply& a) {
  for (std::uint64_t i = 0; i < a.row_count; ++i) {
    const std::uint16_t* row = a.rows + i * a.row_step * a.stride;
    std::vector<double> values(a.stride);
    std::transform(row, row + a.stride, values.begin(), emulation::HalfValue);
    for (std::uint64_t query = 0; query < a.query_count; ++query) {
      const std::uint16_t* other = a.queries + query * a.stride;
      float sum = 0;
      for (std::uint32_t d = 0; d < a.stride; ++d) {
        sum = AddTruncated(sum, values[d] * emulation::HalfValue(other[d]));
      }
      a.scores[query * a.score_stride + i] = sum;
    }
  }
}

int MultiplyHalf(SynopticStream* stream, const SynopticMultiply* arguments) {
  if (!world.has_blas) return Fail(SYNOPTIC_CUDA_NO_BLAS, "no cuBLAS");
  const std::array<std::uint64_t, 4> shape = {arguments->row_count, arguments->query_count,
                                              arguments->stride, arguments->row_step};
  if (!stream->is_recording) {
    world.multiplied.insert(shape);
  } else if (!world.multiplied.contains(shape)) {
    return Fail(SYNOPTIC_CUDA_FAILED, "a product was recorded whose kernel is not loaded");
  }
  return Ask(stream, {[copy = *arguments] { Multiply(copy); }, WordsOf(*arguments)});
}

int BeginGraph(SynopticStream* stream) {
  return Guarded([&] {
    if (const int status = Begin()) return status;
    if (!world.has_graphs) return Fail(SYNOPTIC_CUDA_FAILED, "no graphs");
    if (const int status = Synchronize(stream)) return status;
    stream->is_recording = true;
    return int{SYNOPTIC_CUDA_OK};
  });
}

int EndGraph(SynopticStream* stream, SynopticGraph** graph) {
  return Guarded([&] {
    *graph = nullptr;
    stream->is_recording = false;
    const std::vector<Work> work = std::exchange(stream->waiting, {});
    if (const int status = Begin()) return status;
    *graph = new SynopticGraph{work};
    ++world.graphs;
    return int{SYNOPTIC_CUDA_OK};
  });
}

int RunGraph(SynopticStream* stream, SynopticGraph* graph) {
  return Guarded([&] {
    if (const int status = Begin()) return status;
    ++world.graphs_run;
    stream->issued_by = std::this_thread::get_id();
    for (const Work& work : graph->work) stream->waiting.push_back(Armed(work));
    return int{SYNOPTIC_CUDA_OK};
  });
}

int DropGraph(SynopticGraph* graph) {
  return Guarded([&] {
    delete graph;
    --world.graphs;
    return int{SYNOPTIC_CUDA_OK};
  });
}

constexpr SynopticCudaApi kApi = {
    SYNOPTIC_CUDA_VERSION,
    sizeof(SynopticCudaApi),
    LastError,
    Probe,
    Describe,
    LoadKernels,
    Memory,
    Allocate,
    Release,
    AllocatePinned,
    ReleasePinned,
    OpenStream,
    CloseStream,
    Synchronize,
    CopyIn,
    CopyOut,
    FillZero,
    LoadBlas,
    Run<&EmulatedKernels::prepare_codes, SynopticPrepareCodes>,
    Run<&EmulatedKernels::bound_codes, SynopticBoundCodes>,
    Run<&EmulatedKernels::make_half, SynopticMakeHalf>,
    MultiplyHalf,
    Run<&EmulatedKernels::filter_scores, SynopticFilterScores>,
    Run<&EmulatedKernels::select, SynopticSelect>,
    Run<&EmulatedKernels::rescore, SynopticRescore>,
    BeginGraph,
    EndGraph,
    RunGraph,
    DropGraph,
};

}  // namespace

EmulatedDevice::EmulatedDevice(const EmulatedKernels& kernels) {
  const std::lock_guard lock(mutex);
  world = World();
  world.kernels = &kernels;
}

EmulatedDevice::~EmulatedDevice() = default;

const SynopticCudaApi& EmulatedDevice::api() const { return kApi; }

void EmulatedDevice::SetMemory(std::uint64_t bytes) { world.memory_bytes = bytes; }

void EmulatedDevice::FailCall(std::uint64_t number, int status) {
  world.failing_call = number;
  world.failing_status = status;
}

void EmulatedDevice::FailAllocation(std::uint64_t number) {
  world.first_failing_allocation = world.last_failing_allocation = number;
}

void EmulatedDevice::FailEveryAllocationFrom(std::uint64_t number) {
  world.first_failing_allocation = number;
  world.last_failing_allocation = kNever;
}

void EmulatedDevice::RemoveBlas() { world.has_blas = false; }
void EmulatedDevice::RemoveGraphs() { world.has_graphs = false; }

std::uint64_t EmulatedDevice::calls() const { return world.calls; }
std::uint64_t EmulatedDevice::allocations() const { return world.allocations; }
std::uint64_t EmulatedDevice::leaks() const {
  return world.device_memory.size() + world.pinned_memory.size() + world.streams.size() +
         world.graphs;
}
std::uint64_t EmulatedDevice::graphs_run() const { return world.graphs_run; }

}  // namespace synoptic::test
