#include "gpu/gpu_group.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/gpu_layouts.h"

namespace synoptic {
namespace {

// Slots for each hit that is requested.
constexpr std::uint64_t kPlacesPerHit = 64;
constexpr std::uint64_t kMinBuckets = 1024;
constexpr std::uint64_t kBucketsPerHit = 16;
// Queries of one product; more gain nothing and make the tiles of scores small.
constexpr std::size_t kMaxQueries = 1024;

std::size_t DivideUp(std::size_t value, std::size_t by) { return (value + by - 1) / by; }

}  // namespace

GpuSelection::GpuSelection(const GpuShape& shape, const GpuOptions& options) {
  const std::uint64_t columns = shape.codes_columns + shape.half_columns;
  const std::uint64_t pairs = std::max<std::uint64_t>(shape.rows * columns, 1);
  // A sample must fit as well: k * pairs / samples <= room / 4 with samples <= room.
  const auto balanced = static_cast<std::uint64_t>(
      2 * std::sqrt(static_cast<double>(shape.k) * static_cast<double>(pairs)));
  const std::uint64_t room =
      std::max<std::uint64_t>({options.min_candidates, kPlacesPerHit * shape.k, balanced});
  capacity = static_cast<std::uint32_t>(std::min(room, pairs));
  bucket_count =
      static_cast<std::uint32_t>(std::bit_ceil(std::max(kMinBuckets, kBucketsPerHit * shape.k)));
  out_capacity = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(capacity, std::max<std::uint64_t>(64, 4 * shape.k)));
  const std::uint64_t samples =
      std::max<std::uint64_t>(options.min_samples, 4 * shape.k * pairs / capacity);
  sample_step = capacity >= pairs ? 1
                                  : static_cast<std::uint32_t>(std::max<std::uint64_t>(
                                        pairs / std::max<std::uint64_t>(samples, 1), 1));
}

GpuGroup::GpuGroup(const GpuShape& shape, const GpuSelection& selection, const GpuOptions& options,
                   std::size_t count)
    : query_count(count),
      plane_bytes(static_cast<std::uint32_t>(2 * shape.max_padded)),
      half_stride((shape.dimension + 7) / 8 * 8) {
  std::uint64_t end = 0;
  const auto place = [&end](std::uint64_t size) {
    const std::uint64_t begin = end;
    end += AlignUp(size);
    return begin;
  };
  queries = place(count * shape.dimension * sizeof(float));
  norms = place(count * sizeof(double));
  thresholds = place(count * sizeof(float));
  spaces = place(shape.codes_columns * sizeof(SynopticCodesSpace));
  views = place(shape.codes_columns * sizeof(SynopticCodesView));
  rows = place(shape.all_columns * sizeof(SynopticRows));
  mask = place(shape.mask_words * sizeof(std::uint64_t));
  const std::uint64_t count_bytes = count * sizeof(std::uint32_t);
  found_counts = place(count_bytes);
  input_bytes = end;

  kept_counts = place(count_bytes);
  out_counts = place(count_bytes);
  out_list = place(count * selection.out_capacity * sizeof(SynopticCandidate));
  output_bytes = end - found_counts;

  const std::uint64_t list_bytes = count * selection.capacity * sizeof(SynopticCandidate);
  found_list = place(list_bytes);
  kept_list = place(list_bytes);
  const bool share_buckets = selection.bucket_count <= SYNOPTIC_CUDA_SHARED_BUCKETS;
  buckets = place(share_buckets ? 0 : count * selection.bucket_count * sizeof(std::uint32_t));
  planes = place(shape.codes_columns * count * plane_bytes);
  coded_queries = place(shape.codes_columns * count * sizeof(SynopticCodesQuery));
  const std::size_t half_queries = shape.half_columns > 0 ? count : 0;
  half = place(half_queries * half_stride * sizeof(std::uint16_t));
  half_residuals = place(half_queries * sizeof(float));
  // Tiles of equal size, a multiple of 256 rows, so that whole blocks of threads have work.
  const std::size_t fitting = options.tile_bytes / (count * sizeof(float)) / 256;
  const std::size_t blocks = DivideUp(shape.rows, 256);
  const std::size_t tiles = DivideUp(blocks, std::max<std::size_t>(fitting, 1));
  tile_rows = DivideUp(blocks, std::max<std::size_t>(tiles, 1)) * 256;
  scores = place(half_queries * tile_rows * sizeof(float));
  bytes = end;
}

std::size_t MaxQueriesOfGroup(const GpuShape& shape, const GpuSelection& selection,
                              const GpuOptions& options) {
  std::size_t count = kMaxQueries;
  while (count > 1 && GpuGroup(shape, selection, options, count).bytes > options.workspace_bytes) {
    count /= 2;
  }
  return count;
}

}  // namespace synoptic
