// Scores every row that may be in the result exactly, straight from the mapped float32.

#ifndef SYNOPTIC_ENGINE_EXACT_SCAN_H_
#define SYNOPTIC_ENGINE_EXACT_SCAN_H_

#include <memory>
#include <vector>

#include "engine/collection.h"
#include "engine/query_set.h"
#include "engine/scan.h"
#include "engine/top_k.h"

namespace synoptic {

class ExactScan : public Scan {
 public:
  ExactScan(std::shared_ptr<const Collection> collection, SearchArguments arguments,
            unsigned worker_count);

  std::size_t prepare_units() const override { return 1; }
  void Prepare(std::size_t unit) override;
  void ScoreColumn(std::size_t column, std::size_t first, std::size_t count,
                   unsigned worker) override;
  void EndChunk(std::size_t first, std::size_t count, unsigned worker) override;
  std::size_t finish_units() const override { return arguments_.query_count; }
  void Finish(std::size_t query) override;
  SearchResult TakeResult() override;

 private:
  // What one worker has gathered, made by that worker when it first helps.
  struct Gathered {
    std::vector<TopK> top;
    std::uint64_t scored = 0;
    std::uint64_t scanned_bytes = 0;
    // Best column of each row of the current chunk, query-major; `column` kNoColumn: none yet.
    std::vector<float> best_scores;
    std::vector<std::uint16_t> best_columns;
  };
  Gathered& GatheredBy(unsigned worker);

  const std::shared_ptr<const Collection> collection_;
  const SearchArguments arguments_;
  QuerySet queries_;
  std::vector<bool> wanted_columns_;
  std::vector<std::unique_ptr<Gathered>> gathered_;
  SearchResult result_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_EXACT_SCAN_H_
