// Makes the quantized codes of a matrix on the pool's threads and puts them next to the matrix in
// one step.

#ifndef SYNOPTIC_QUANTIZED_CODES_BUILDER_H_
#define SYNOPTIC_QUANTIZED_CODES_BUILDER_H_

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "kernels/kernels.h"
#include "threads/block_job.h"
#include "threads/thread_pool.h"

namespace synoptic {

struct CodesRequest {
  std::string matrix_path;
  // 4, 8, or 0: whatever the planner expects to be fastest, which may be none.
  std::size_t bits = 0;
};

struct BuiltCodes {
  // 0: the planner expects that no codes pay.
  std::size_t bits = 0;
  std::size_t bytes = 0;
  float predicted_candidates = 0;
};

// Written to a temporary file, synced and renamed; codes of other bits are removed after that.
// `progress(done, total)` and `built` are called on the pool's threads. Cancelling the job removes
// what was written.
std::shared_ptr<BlockJob> BuildCodes(ThreadPool& pool, const Kernels& kernels, CodesRequest request,
                                     std::function<void(std::size_t, std::size_t)> progress,
                                     std::function<void(std::exception_ptr, BuiltCodes)> built);

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_BUILDER_H_
