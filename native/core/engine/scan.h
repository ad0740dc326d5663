// One running search, cut into units that any worker can do: first `prepare_units`, then every
// chunk of rows once, then `finish_units`, then the result.

#ifndef SYNOPTIC_ENGINE_SCAN_H_
#define SYNOPTIC_ENGINE_SCAN_H_

#include <cstddef>

#include "engine/search.h"

namespace synoptic {

// The most rows of a chunk, which is a multiple of 64 (words of masks) and 16 (blocks of quantized
// codes).
constexpr std::size_t kChunkRows = 1024;

class Scan {
 public:
  virtual ~Scan() = default;

  // At least one, also of a search without queries.
  virtual std::size_t prepare_units() const = 0;
  virtual void Prepare(std::size_t unit) = 0;

  // Scores rows first to first + count - 1 of one column. The columns of a chunk come ascending,
  // from one worker, and then EndChunk; `worker` is below the pool's thread count.
  virtual void ScoreColumn(std::size_t column, std::size_t first, std::size_t count,
                           unsigned worker) = 0;
  virtual void EndChunk(std::size_t first, std::size_t count, unsigned worker) = 0;

  virtual std::size_t finish_units() const = 0;
  virtual void Finish(std::size_t unit) = 0;

  virtual SearchResult TakeResult() = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_SCAN_H_
