// How a group of queries is searched on a device: how many candidates there is room for, how large
// a sample seeds the thresholds, and where everything is in the worker's memory.

#ifndef SYNOPTIC_GPU_GPU_GROUP_H_
#define SYNOPTIC_GPU_GPU_GROUP_H_

#include <cstddef>
#include <cstdint>

#include "gpu/gpu_worker.h"

namespace synoptic {

// What does not depend on the number of queries.
struct GpuShape {
  std::size_t rows;
  std::size_t dimension;
  std::size_t k;
  std::size_t codes_columns;
  std::size_t half_columns;
  // Of the collection, searched or not.
  std::size_t all_columns;
  std::size_t max_padded;
  std::size_t mask_words;
};

// k-th best of a sample of `samples` pairs leaves about k * pairs / samples of them; a quarter of
// the room is for those, the rest for bounds that are wide.
struct GpuSelection {
  GpuSelection(const GpuShape& shape, const GpuOptions& options);
  std::uint32_t capacity;
  std::uint32_t bucket_count;
  // What is copied out at once; more is fetched where there is more.
  std::uint32_t out_capacity;
  // Every step-th block or row; 1: there is room for all pairs, no sample is taken.
  std::uint32_t sample_step;
};

// Offsets in a worker's workspace. The input comes from the host in one copy, the output goes back
// in one.
struct GpuGroup {
  GpuGroup(const GpuShape& shape, const GpuSelection& selection, const GpuOptions& options,
           std::size_t query_count);

  std::size_t query_count;
  std::uint32_t plane_bytes;
  std::size_t half_stride;
  std::size_t tile_rows;

  std::uint64_t input = 0;
  std::uint64_t queries;
  std::uint64_t norms;
  std::uint64_t thresholds;
  std::uint64_t spaces;
  std::uint64_t views;
  std::uint64_t rows;
  std::uint64_t mask;
  // Of candidates: the input's last part, which comes as zeros, and the output's first.
  std::uint64_t found_counts;
  std::uint64_t input_bytes;

  std::uint64_t kept_counts;
  std::uint64_t out_counts;
  std::uint64_t out_list;
  std::uint64_t output_bytes;

  std::uint64_t found_list;
  std::uint64_t kept_list;
  std::uint64_t buckets;
  std::uint64_t planes;
  std::uint64_t coded_queries;
  std::uint64_t half;
  std::uint64_t half_residuals;
  std::uint64_t scores;
  std::uint64_t bytes;
};

// The most queries whose group fits options.workspace_bytes, at least one.
std::size_t MaxQueriesOfGroup(const GpuShape& shape, const GpuSelection& selection,
                              const GpuOptions& options);

}  // namespace synoptic

#endif  // SYNOPTIC_GPU_GPU_GROUP_H_
