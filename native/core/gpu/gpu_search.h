// One search on a device. The device finds what may be in the result: bounds from quantized codes
// (few queries) or from float16 products (batches), thresholds, exact scores where the float32 are
// resident. The order of what is left is made here, by the code that orders the processor's.

#ifndef SYNOPTIC_GPU_GPU_SEARCH_H_
#define SYNOPTIC_GPU_GPU_SEARCH_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/candidates.h"
#include "engine/collection.h"
#include "engine/query_set.h"
#include "engine/search.h"
#include "gpu/gpu_group.h"
#include "gpu/gpu_worker.h"

namespace synoptic {

// From this many queries on a product of matrices beats one pass of the codes for four of them.
constexpr std::size_t kMinMultipliedQueries = 9;

class GpuSearch {
 public:
  // `has_blas`: whether products can be had. All that is given outlives the search.
  GpuSearch(const Collection& collection, const SearchArguments& arguments, GpuWorker& worker,
            bool has_blas);

  // Throws Error EQUERY and EFILE_CHANGED, which are the request's; and, where the processor has to
  // result, ECUDA_*: no room, no cuBLAS, too many candidates, a device that is lost.
  SearchResult Run();

 private:
  struct Column {
    std::uint16_t number;
    GpuLayout layout;
    // Null: it does not fit and is streamed; only of layout kHalf.
    GpuMemory::Ref buffer;
    // Null: its candidates are scored by the processor.
    GpuMemory::Ref rows;
  };
  // Rows of one column in float16 that stand on the device.
  struct HalfPiece {
    const std::uint16_t* half;
    const float* residuals;
    const std::uint64_t* valid;
    // Rows of the matrix that are looked at, and from one to the next on the device.
    RowRange rows;
    std::size_t device_step;
  };

  // Which layout each column is searched in.
  GpuSelection ChooseLayouts(bool has_blas);
  // The memory of the search, the layouts it cannot do without, then those that make it faster.
  void LoadLayouts(const GpuGroup& largest);
  void HoldChunk();
  bool CanStream() const;
  SearchResult RunGroups();
  GpuMemory::Ref Load(std::size_t column, GpuLayout layout, GpuMemory::Need need);

  void RunGroup(std::size_t first_query, const GpuGroup& group);
  void WriteInput(std::size_t first_query, const PinnedBuffer& input);
  void Issue();
  void PrepareQueries();
  void Sample();
  void Visit(std::uint32_t step);
  void BoundAllCodes(std::size_t bits, std::uint32_t step);
  void StreamHalf(const Column& column, std::uint32_t step);
  void MultiplyHalf(const Column& column, const HalfPiece& piece);
  void Select(const SynopticCandidates& from, const SynopticCandidates& to);
  void Finish();

  // A part of the output.
  template <class T>
  const T* Output(std::uint64_t offset) const {
    return output_->At<const T>(offset - group_->found_counts);
  }
  bool Overflowed() const;
  void WriteResults(std::size_t first_query);

  std::vector<std::uint64_t> RecordingKey() const;
  bool CanBeRecorded() const;
  std::size_t CountCodes(std::size_t bits) const;
  SynopticCandidates Found() const;
  SynopticCandidates Kept() const;
  SynopticCandidates Out() const;
  const std::uint64_t* Mask() const;

  const Collection& collection_;
  const SearchArguments& arguments_;
  GpuWorker& worker_;
  QuerySet queries_;
  std::vector<Column> columns_;
  GpuShape shape_{};
  GpuSelection selection_;
  // Of the group that runs.
  const GpuGroup* group_ = nullptr;
  const GpuBuffer* workspace_ = nullptr;
  const PinnedBuffer* input_ = nullptr;
  const PinnedBuffer* output_ = nullptr;
  SearchResult result_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_SEARCH_H_
