#include "engine/exact_scan.h"

#include <algorithm>
#include <utility>

#include "engine/result.h"
#include "engine/row_list.h"

namespace synoptic {
namespace {

constexpr std::uint16_t kNoColumn = 0xFFFF;

// A batch reads a tile of rows once from memory and then from the second-level cache.
constexpr std::size_t kTileBytes = 128 * 1024;

}  // namespace

ExactScan::ExactScan(std::shared_ptr<const Collection> collection, SearchArguments arguments,
                     unsigned worker_count)
    : collection_(std::move(collection)),
      arguments_(std::move(arguments)),
      queries_(collection_->kernels(), arguments_, collection_->dimension()),
      wanted_columns_(collection_->matrices().size()),
      gathered_(worker_count),
      result_(EmptyResult(arguments_.query_count, arguments_.k)) {
  for (const std::uint16_t column : arguments_.columns) wanted_columns_[column] = true;
}

void ExactScan::Prepare(std::size_t) {
  for (std::size_t query = 0; query < arguments_.query_count; ++query) queries_.Widen(query);
}

ExactScan::Gathered& ExactScan::GatheredBy(unsigned worker) {
  std::unique_ptr<Gathered>& gathered = gathered_[worker];
  if (gathered == nullptr) {
    gathered = std::make_unique<Gathered>();
    gathered->top.assign(arguments_.query_count, TopK(arguments_.k));
    if (arguments_.distinct) {
      gathered->best_scores.resize(arguments_.query_count * kChunkRows);
      gathered->best_columns.assign(arguments_.query_count * kChunkRows, kNoColumn);
    }
  }
  return *gathered;
}

void ExactScan::ScoreColumn(std::size_t column, std::size_t first, std::size_t count,
                            unsigned worker) {
  if (!wanted_columns_[column] || arguments_.k == 0) return;
  Gathered& gathered = GatheredBy(worker);
  const Matrix& matrix = collection_->matrices()[column];
  std::uint32_t rows[kChunkRows];
  const std::size_t listed =
      ListRows(matrix.valid_words(), arguments_.mask_words, first, count, rows);
  const std::size_t row_bytes = collection_->dimension() * sizeof(float);
  const std::size_t tile =
      arguments_.query_count == 1 ? kChunkRows : std::max<std::size_t>(kTileBytes / row_bytes, 4);
  const auto number = static_cast<std::uint16_t>(column);
  gathered.scored += listed * arguments_.query_count;
  gathered.scanned_bytes += listed * row_bytes;
  double sums[kChunkRows];
  float scores[kChunkRows];
  for (std::size_t begin = 0; begin < listed; begin += tile) {
    const std::size_t size = std::min(tile, listed - begin);
    for (std::size_t query = 0; query < arguments_.query_count; ++query) {
      queries_.Score(query, matrix, rows + begin, size, sums, scores);
      if (!arguments_.distinct) {
        TopK& top = gathered.top[query];
        for (std::size_t i = 0; i < size; ++i) {
          if (scores[i] >= top.Threshold()) top.Push({scores[i], rows[begin + i], number});
        }
        continue;
      }
      float* best_scores = gathered.best_scores.data() + query * kChunkRows;
      std::uint16_t* best_columns = gathered.best_columns.data() + query * kChunkRows;
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = rows[begin + i] - first;
        // Columns come ascending: among equal scores the first one stays.
        if (best_columns[at] != kNoColumn && !(scores[i] > best_scores[at])) continue;
        best_scores[at] = scores[i];
        best_columns[at] = number;
      }
    }
  }
}

void ExactScan::EndChunk(std::size_t first, std::size_t count, unsigned worker) {
  if (!arguments_.distinct || arguments_.k == 0) return;
  Gathered& gathered = GatheredBy(worker);
  for (std::size_t query = 0; query < arguments_.query_count; ++query) {
    TopK& top = gathered.top[query];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = query * kChunkRows + i;
      const std::uint16_t column = gathered.best_columns[at];
      if (column == kNoColumn) continue;
      gathered.best_columns[at] = kNoColumn;
      if (gathered.best_scores[at] < top.Threshold()) continue;
      top.Push({gathered.best_scores[at], static_cast<std::uint32_t>(first + i), column});
    }
  }
}

void ExactScan::Finish(std::size_t query) {
  TopK merged(arguments_.k);
  for (const auto& gathered : gathered_) {
    if (gathered == nullptr) continue;
    for (const Hit& hit : gathered->top[query].hits()) merged.Push(hit);
  }
  WriteHits(result_, query, arguments_.k, merged.Take());
}

SearchResult ExactScan::TakeResult() {
  for (const auto& gathered : gathered_) {
    if (gathered == nullptr) continue;
    result_.rescored += gathered->scored;
    result_.scanned_bytes += gathered->scanned_bytes;
  }
  return std::move(result_);
}

}  // namespace synoptic
