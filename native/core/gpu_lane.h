// What one thread needs to run searches on a device: a stream, memory for one search at a time, and
// recorded graphs. Several lanes are several requests in flight.

#ifndef SYNOPTIC_CORE_GPU_LANE_H_
#define SYNOPTIC_CORE_GPU_LANE_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "gpu_device.h"
#include "gpu_memory.h"
#include "gpu_uploader.h"

namespace synoptic {

// Sizes; tests make them small.
struct GpuOptions {
  std::uint64_t staging_bytes = std::uint64_t{8} << 20;
  // Of a column that is streamed because it does not fit.
  std::uint64_t chunk_bytes = std::uint64_t{32} << 20;
  // Of one group of queries; a larger batch is cut into groups.
  std::uint64_t workspace_bytes = std::uint64_t{64} << 20;
  // Of a tile of scores: a third of an H200's second-level cache.
  std::uint64_t tile_bytes = std::uint64_t{16} << 20;
  // Places for candidates of a query.
  std::uint32_t fewest_candidates = 4096;
  std::uint32_t fewest_samples = 2048;
  // Streaming a column for fewer queries takes longer than the processor's own scan.
  std::size_t fewest_streamed_queries = 16;
  // rows x columns x dimension below which the processor answers sooner than a device can be asked.
  std::uint64_t fewest_values = std::uint64_t{1} << 22;
  // Pairs that pass the mask, likewise.
  std::uint64_t fewest_pairs = 2000;
  bool graphs = true;
};

// Used by one thread at a time.
class GpuLane {
 public:
  GpuLane(GpuMemory& memory, const GpuOptions& options) : memory_(memory), options_(options) {}
  ~GpuLane();

  GpuMemory& memory() { return memory_; }
  const GpuOptions& options() const { return options_; }
  GpuStream& stream();
  GpuUploader& uploader();

  // At least as large; what they held is lost when they grow. Throw Error ECUDA_MEMORY.
  const GpuBuffer& Workspace(std::uint64_t bytes);
  const GpuBuffer& Chunk();
  const PinnedBuffer& Input(std::uint64_t bytes);
  const PinnedBuffer& Output(std::uint64_t bytes);

  // Runs what `issue` asks of the stream, from its recording where the same `key` was run before
  // and no memory has moved since.
  void RunRecorded(const std::vector<std::uint64_t>& key, const std::function<void()>& issue);

  // Gives all memory back until it is needed again; keeps the stream.
  void Release();

 private:
  struct Recording {
    std::vector<std::uint64_t> key;
    SynopticGraph* graph;
  };

  void DropRecordings();

  GpuMemory& memory_;
  const GpuOptions options_;
  std::unique_ptr<GpuStream> stream_;
  std::unique_ptr<GpuUploader> uploader_;
  GpuMemory::Held workspace_;
  GpuMemory::Held chunk_;
  std::optional<PinnedBuffer> input_;
  std::optional<PinnedBuffer> output_;
  // The one used last stands first.
  std::list<Recording> recordings_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_GPU_LANE_H_
