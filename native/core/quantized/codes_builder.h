// Makes the shadow of a matrix on the pool's threads and puts it beside the matrix in one step.

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

struct ShadowRequest {
  std::string matrix_path;
  // 4, 8, or 0: whatever the planner expects to be fastest, which may be none.
  std::size_t bits = 0;
};

struct BuiltShadow {
  // 0: the planner expects no shadow to pay.
  std::size_t bits = 0;
  std::size_t bytes = 0;
  float predicted_survivors = 0;
};

// Written aside, synced and renamed; a shadow of other bits is removed after that. `progress(done,
// total)` and `built` are called on the pool's threads. Cancelling the job removes what was
// written.
std::shared_ptr<BlockJob> BuildShadow(ThreadPool& pool, const Kernels& kernels,
                                      ShadowRequest request,
                                      std::function<void(std::size_t, std::size_t)> progress,
                                      std::function<void(std::exception_ptr, BuiltShadow)> built);

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_BUILDER_H_
