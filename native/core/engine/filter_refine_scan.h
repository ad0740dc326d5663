// Finds the exact result while reading quantized codes in place of float32: bounds from the codes
// rule rows out, what is left is scored exactly in the order of its upper bounds. Columns without a
// codes are scored exactly right away, which is a bound as well.

#ifndef SYNOPTIC_ENGINE_FILTER_REFINE_SCAN_H_
#define SYNOPTIC_ENGINE_FILTER_REFINE_SCAN_H_

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "base/aligned.h"
#include "engine/candidates.h"
#include "engine/collection.h"
#include "engine/query_set.h"
#include "engine/scan.h"
#include "engine/top_k.h"
#include "quantized/codes_space.h"

namespace synoptic {

// From this many queries on, tiles of 16 beat one query after the other.
constexpr std::size_t kMinTiledQueries = 9;

struct FilterRefineOptions {
  // Candidates that a worker keeps of a query before it scores them on the spot; tests make it
  // small.
  std::size_t max_kept = 4096;
};

class FilterRefineScan : public Scan {
 public:
  FilterRefineScan(std::shared_ptr<const Collection> collection, SearchArguments arguments,
                   unsigned worker_count, const FilterRefineOptions& options = {});

  std::size_t prepare_units() const override { return std::max<std::size_t>(group_count_, 1); }
  void Prepare(std::size_t group) override;
  void ScoreColumn(std::size_t column, std::size_t first, std::size_t count,
                   unsigned worker) override;
  void EndChunk(std::size_t, std::size_t, unsigned) override {}
  std::size_t finish_units() const override { return arguments_.query_count; }
  void Finish(std::size_t query) override;
  SearchResult TakeResult() override;

 private:
  // Memory for the kernels' input and output, one of it for each worker.
  struct Scratch {
    // Of each query, for all groups; infinite where a tile has no query.
    AlignedVector<float> thresholds;
    AlignedVector<std::uint8_t> unpacked;
    std::vector<TileHit> hits;
  };
  // What one worker has gathered, made by that worker when it first helps.
  struct Worker {
    std::vector<CandidateArena> arenas;
    std::uint64_t scanned_bytes = 0;
    Scratch scratch;
  };
  // Blocks of a column, and which of their rows may be in the result.
  struct BlockRange {
    std::uint16_t column;
    std::size_t first_block;
    std::size_t count;
    const std::uint16_t* allowed;
  };
  struct QueryRange {
    std::size_t begin;
    std::size_t end;
  };
  // The queries as one column's codes take them.
  struct ColumnQueries {
    std::vector<std::unique_ptr<SingleQuery>> singles;
    std::vector<std::unique_ptr<TileOfQueries>> tiles;
  };

  bool tiled() const { return arguments_.query_count >= kMinTiledQueries; }
  QueryRange GroupQueries(std::size_t group) const;
  Worker& WorkerState(unsigned worker);
  Scratch MakeScratch() const;

  // A threshold to start with for the queries of a group, from a sample of blocks.
  void Seed(std::size_t group);

  // Calls emit(query, candidate) for the pairs that reach the scratch's thresholds; `queries` start
  // and end with a group.
  template <class Emit>
  void Bound(const BlockRange& range, const QueryRange& queries, Scratch& scratch,
             const Emit& emit) const;
  template <class Emit>
  void BoundSingly(const BlockRange& range, const QueryRange& queries, Scratch& scratch,
                   const Emit& emit) const;
  template <class Emit>
  void BoundTiles(const BlockRange& range, const QueryRange& queries, Scratch& scratch,
                  const Emit& emit) const;

  void ScoreExactly(std::size_t column, std::size_t first, std::size_t count, Worker& worker);
  void Add(Worker& worker, std::size_t query, const Candidate& candidate);

  const std::shared_ptr<const Collection> collection_;
  const SearchArguments arguments_;
  const FilterRefineOptions options_;
  QuerySet queries_;
  std::size_t group_count_;
  std::vector<bool> wanted_columns_;
  std::vector<ColumnQueries> column_queries_;
  std::deque<SharedThreshold> thresholds_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<std::uint64_t> rescored_{0};
  SearchResult result_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_FILTER_REFINE_SCAN_H_
