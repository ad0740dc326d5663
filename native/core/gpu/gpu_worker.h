// What one thread needs to run searches on a device: a stream, memory for one search at a time, and
// recorded graphs. Several workers are several requests in flight.

#ifndef SYNOPTIC_GPU_GPU_WORKER_H_
#define SYNOPTIC_GPU_GPU_WORKER_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gpu/gpu_device.h"
#include "gpu/gpu_memory.h"
#include "gpu/gpu_uploader.h"

namespace synoptic {

// Sizes; tests make them small.
struct GpuOptions {
  // Of one of the uploader's slots, and how many: more than eight fill no way to a device.
  std::uint64_t staging_bytes = std::uint64_t{2} << 20;
  unsigned staging_slots = std::clamp(std::thread::hardware_concurrency(), 2u, 8u);
  // Of a column that is streamed because it does not fit.
  std::uint64_t chunk_bytes = std::uint64_t{32} << 20;
  // Of one group of queries; a larger batch is cut into groups.
  std::uint64_t workspace_bytes = std::uint64_t{64} << 20;
  // Of a tile of scores: less than half of an H200's second-level cache, and of a column of 20,000
  // rows there is one tile for 256 queries.
  std::uint64_t tile_bytes = std::uint64_t{24} << 20;
  // Slots for candidates of a query.
  std::uint32_t min_candidates = 4096;
  std::uint32_t min_samples = 8192;
  // Streaming a column for fewer queries takes longer than the processor's own scan.
  std::size_t min_streamed_queries = 16;
  // rows x columns x dimension below which the processor is done sooner than a device can start.
  std::uint64_t min_values = std::uint64_t{1} << 22;
  // Pairs that pass the mask, likewise.
  std::uint64_t min_pairs = 2000;
  bool graphs = true;
};

// Used by one thread at a time.
class GpuWorker {
 public:
  GpuWorker(GpuMemory& memory, const GpuOptions& options) : memory_(memory), options_(options) {}
  ~GpuWorker();

  GpuMemory& memory() { return memory_; }
  const GpuOptions& options() const { return options_; }
  GpuStream& stream();
  GpuUploader& uploader();

  // At least as large; what they ref is lost when they grow. Throw Error ECUDA_MEMORY.
  const GpuBuffer& Workspace(std::uint64_t bytes);
  const GpuBuffer& Chunk();
  const PinnedBuffer& Input(std::uint64_t bytes);
  const PinnedBuffer& Output(std::uint64_t bytes);

  // Runs what `issue` puts on the stream. The second run of a `key` records it, later ones replay
  // the recording, until memory moves. The first is not recorded: it loads what cuBLAS loads, and
  // a shape that never comes back costs nothing. Where the device does not record, it runs all the
  // same.
  void RunRecorded(const std::vector<std::uint64_t>& key, const std::function<void()>& issue);

  // Why nothing is recorded any more; empty: it is.
  const std::string& recording_problem() const { return recording_problem_; }

  // Waits for what is under way, whatever became of it: after an error, memory that it uses is
  // about to be freed or filled again.
  void Drain() noexcept;

  // Gives all memory back until it is needed again; keeps the stream.
  void Release();

 private:
  struct Recording {
    std::vector<std::uint64_t> key;
    // Null: run once, not recorded yet.
    SynopticGraph* graph;
  };

  // Null: the device could not.
  SynopticGraph* Record(const std::function<void()>& issue);
  void DropRecordings();
  void DropLastRecording();

  GpuMemory& memory_;
  const GpuOptions options_;
  std::unique_ptr<GpuStream> stream_;
  std::unique_ptr<GpuUploader> uploader_;
  GpuMemory::Ref workspace_;
  GpuMemory::Ref chunk_;
  std::optional<PinnedBuffer> input_;
  std::optional<PinnedBuffer> output_;
  // The one used last is first.
  std::list<Recording> recordings_;
  std::string recording_problem_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_WORKER_H_
