#include "engine/filter_refine_scan.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "engine/query_scorer.h"
#include "engine/result.h"
#include "engine/row_list.h"

namespace synoptic {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kBlocksPerChunk = kChunkRows / kBlockRows;

// One block in 512 seeds the threshold: one worker reads them while the others wait. Where many
// hits are wanted, a block for each of them, but not more than one in 32.
constexpr std::size_t kSeedStride = 512;
constexpr std::size_t kSmallestSeedStride = 32;
constexpr std::size_t kMinSeedBlocks = 16;

// Bit r: whether row r of the block is valid and passes the mask.
std::uint16_t AllowedRows(const Matrix& matrix, const std::vector<std::uint64_t>& mask_words,
                          std::size_t block) {
  const std::size_t row = block * kBlockRows;
  std::uint64_t word = matrix.valid_words()[row / 64];
  if (!mask_words.empty()) word &= mask_words[row / 64];
  return static_cast<std::uint16_t>(word >> row % 64);
}

}  // namespace

FilterRefineScan::FilterRefineScan(std::shared_ptr<const Collection> collection,
                                   SearchArguments arguments, unsigned worker_count,
                                   const FilterRefineOptions& options)
    : collection_(std::move(collection)),
      arguments_(std::move(arguments)),
      options_(options),
      queries_(collection_->kernels(), arguments_, collection_->dimension()),
      group_count_((arguments_.query_count + kTileQueries - 1) / kTileQueries),
      wanted_columns_(collection_->matrices().size()),
      column_queries_(collection_->matrices().size()),
      thresholds_(arguments_.query_count),
      workers_(worker_count),
      result_(EmptyResult(arguments_.query_count, arguments_.k)) {
  for (const std::uint16_t column : arguments_.columns) wanted_columns_[column] = true;
  for (ColumnQueries& queries : column_queries_) {
    queries.singles.resize(arguments_.query_count);
    queries.tiles.resize(group_count_);
  }
}

FilterRefineScan::QueryRange FilterRefineScan::GroupQueries(std::size_t group) const {
  const std::size_t begin = group * kTileQueries;
  return {begin, std::min(begin + kTileQueries, arguments_.query_count)};
}

void FilterRefineScan::Prepare(std::size_t group) {
  const auto [begin, end] = GroupQueries(group);
  for (std::size_t query = begin; query < end; ++query) queries_.Widen(query);
  // By the padding of the columns' quantized codes: one, where all have as many bits.
  std::map<std::size_t, std::vector<RotatedQuery>> rotated;
  for (const std::uint16_t column : arguments_.columns) {
    const QuantizedCodes* codes = collection_->codes(column);
    if (codes == nullptr) continue;
    auto& rotations = rotated[codes->layout().padded()];
    for (std::size_t query = begin + rotations.size(); query < end; ++query) {
      rotations.push_back(codes->space().Rotate(queries_.widened(query), queries_.norm(query)));
    }
    ColumnQueries& queries = column_queries_[column];
    if (tiled()) {
      queries.tiles[group] =
          std::make_unique<TileOfQueries>(codes->space(), *collection_->kernels().codes, rotations);
    } else {
      for (std::size_t query = begin; query < end; ++query) {
        queries.singles[query] =
            std::make_unique<SingleQuery>(codes->space(), rotations[query - begin]);
      }
    }
  }
  Seed(group);
}

void FilterRefineScan::Seed(std::size_t group) {
  const std::size_t block_count = (collection_->rows() + kBlockRows - 1) / kBlockRows;
  const std::size_t columns = arguments_.columns.size();
  const std::size_t wanted = std::min(arguments_.k, block_count * columns / kSmallestSeedStride);
  const std::size_t samples = std::min(
      block_count, std::max({block_count * columns / kSeedStride, wanted, kMinSeedBlocks}));
  if (arguments_.k == 0 || samples * kBlockRows < 4 * arguments_.k) return;
  const QueryRange queries = GroupQueries(group);
  std::vector<TopK> best(queries.end - queries.begin, TopK(arguments_.k));
  Scratch scratch = MakeScratch();
  for (std::size_t sample = 0; sample < samples; ++sample) {
    // Each block is looked at in one column only, so that no row counts twice.
    const std::uint16_t column = arguments_.columns[sample % columns];
    if (collection_->codes(column) == nullptr) continue;
    const std::size_t block = sample * block_count / samples;
    const std::uint16_t allowed =
        AllowedRows(collection_->matrices()[column], arguments_.mask_words, block);
    if (allowed == 0) continue;
    Bound({column, block, 1, &allowed}, queries, scratch,
          [&](std::size_t query, const Candidate& found) {
            TopK& top = best[query - queries.begin];
            if (!(found.lower > top.Threshold())) return;
            top.Push({found.lower, found.row, found.column});
            scratch.thresholds[query] = top.Threshold();
          });
  }
  for (std::size_t query = queries.begin; query < queries.end; ++query) {
    thresholds_[query].Raise(best[query - queries.begin].Threshold());
  }
}

FilterRefineScan::Scratch FilterRefineScan::MakeScratch() const {
  Scratch scratch;
  scratch.thresholds.assign(group_count_ * kTileQueries, kInfinity);
  std::fill_n(scratch.thresholds.begin(), arguments_.query_count, -kInfinity);
  if (tiled()) scratch.hits.resize(kBlockRows * kTileQueries);
  return scratch;
}

FilterRefineScan::Worker& FilterRefineScan::WorkerState(unsigned worker) {
  std::unique_ptr<Worker>& state = workers_[worker];
  if (state == nullptr) {
    state = std::make_unique<Worker>();
    state->arenas.assign(arguments_.query_count,
                         CandidateArena(arguments_.k, arguments_.distinct, options_.max_kept));
    state->scratch = MakeScratch();
  }
  return *state;
}

void FilterRefineScan::ScoreColumn(std::size_t column, std::size_t first, std::size_t count,
                                   unsigned worker) {
  if (!wanted_columns_[column] || arguments_.k == 0) return;
  Worker& state = WorkerState(worker);
  if (collection_->codes(column) == nullptr) return ScoreExactly(column, first, count, state);
  std::uint16_t allowed[kBlocksPerChunk];
  const std::size_t first_block = first / kBlockRows;
  const std::size_t blocks = (count + kBlockRows - 1) / kBlockRows;
  for (std::size_t block = 0; block < blocks; ++block) {
    allowed[block] =
        AllowedRows(collection_->matrices()[column], arguments_.mask_words, first_block + block);
  }
  for (std::size_t query = 0; query < arguments_.query_count; ++query) {
    state.scratch.thresholds[query] = thresholds_[query].Get();
  }
  const auto add = [&](std::size_t query, const Candidate& found) { Add(state, query, found); };
  for (std::size_t begin = 0; begin < blocks;) {
    // Blocks without a row to result are not even read.
    if (allowed[begin] == 0) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < blocks && allowed[end] != 0) ++end;
    state.scanned_bytes += (end - begin) * collection_->codes(column)->layout().block_bytes();
    Bound({static_cast<std::uint16_t>(column), first_block + begin, end - begin, allowed + begin},
          {0, arguments_.query_count}, state.scratch, add);
    begin = end;
  }
}

template <class Emit>
void FilterRefineScan::Bound(const BlockRange& range, const QueryRange& queries, Scratch& scratch,
                             const Emit& emit) const {
  if (tiled()) {
    BoundTiles(range, queries, scratch, emit);
  } else {
    BoundSingly(range, queries, scratch, emit);
  }
}

template <class Emit>
void FilterRefineScan::BoundSingly(const BlockRange& range, const QueryRange& queries,
                                   Scratch& scratch, const Emit& emit) const {
  const QuantizedCodes& codes = *collection_->codes(range.column);
  const CodesKernels& kernels = *collection_->kernels().codes;
  const auto bounds = codes.layout().bits == 4 ? kernels.bounds4 : kernels.bounds8;
  float upper[kChunkRows], lower[kChunkRows];
  std::uint16_t passing[kBlocksPerChunk];
  for (std::size_t query = queries.begin; query < queries.end; ++query) {
    bounds(column_queries_[range.column].singles[query]->kernel_query(),
           codes.block(range.first_block), range.count, scratch.thresholds[query], upper, lower,
           passing);
    for (std::size_t block = 0; block < range.count; ++block) {
      unsigned bits = passing[block] & range.allowed[block];
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t at =
            block * kBlockRows + static_cast<std::size_t>(std::countr_zero(bits));
        const std::size_t row = range.first_block * kBlockRows + at;
        emit(query, {upper[at], lower[at], static_cast<std::uint32_t>(row), range.column, false});
      }
    }
  }
}

template <class Emit>
void FilterRefineScan::BoundTiles(const BlockRange& range, const QueryRange& queries,
                                  Scratch& scratch, const Emit& emit) const {
  const QuantizedCodes& codes = *collection_->codes(range.column);
  const CodesLayout& layout = codes.layout();
  const CodesKernels& kernels = *collection_->kernels().codes;
  const auto unpack = layout.bits == 4 ? kernels.unpack4 : kernels.unpack8;
  const auto score = layout.bits == 4 ? kernels.tile4 : kernels.tile8;
  scratch.unpacked.resize(kBlockRows * layout.padded() * sizeof(std::int16_t));
  for (std::size_t block = 0; block < range.count; ++block) {
    const std::uint8_t* block_codes = codes.block(range.first_block + block);
    const auto* meta =
        reinterpret_cast<const float*>(block_codes + kBlockRows * layout.code_bytes());
    unpack(block_codes, layout.padded(), scratch.unpacked.data());
    for (std::size_t first = queries.begin; first < queries.end; first += kTileQueries) {
      const TileOfQueries& tile = *column_queries_[range.column].tiles[first / kTileQueries];
      const std::size_t found = score(tile.kernel_tile(), scratch.unpacked.data(), meta,
                                      scratch.thresholds.data() + first, scratch.hits.data());
      for (std::size_t i = 0; i < found; ++i) {
        const TileHit& hit = scratch.hits[i];
        if ((range.allowed[block] >> hit.row & 1) == 0) continue;
        const std::size_t row = (range.first_block + block) * kBlockRows + hit.row;
        emit(first + hit.query,
             {hit.upper, hit.lower, static_cast<std::uint32_t>(row), range.column, false});
      }
    }
  }
}

void FilterRefineScan::ScoreExactly(std::size_t column, std::size_t first, std::size_t count,
                                    Worker& worker) {
  const Matrix& matrix = collection_->matrices()[column];
  std::uint32_t rows[kChunkRows];
  double sums[kChunkRows];
  float scores[kChunkRows];
  const std::size_t listed =
      ListRows(matrix.valid_words(), arguments_.mask_words, first, count, rows);
  worker.scanned_bytes += listed * collection_->dimension() * sizeof(float);
  for (std::size_t query = 0; query < arguments_.query_count; ++query) {
    queries_.Score(query, matrix, rows, listed, sums, scores);
    for (std::size_t i = 0; i < listed; ++i) {
      if (scores[i] < thresholds_[query].Get()) continue;
      Add(worker, query, {scores[i], scores[i], rows[i], static_cast<std::uint16_t>(column), true});
    }
  }
}

void FilterRefineScan::Add(Worker& worker, std::size_t query, const Candidate& candidate) {
  QueryScorer scorer(*collection_, queries_, query, rescored_);
  worker.arenas[query].Add(candidate, thresholds_[query], scorer);
  worker.scratch.thresholds[query] = thresholds_[query].Get();
}

void FilterRefineScan::Finish(std::size_t query) {
  std::vector<Candidate> candidates;
  for (const auto& worker : workers_) {
    if (worker == nullptr) continue;
    const auto& gathered = worker->arenas[query].candidates();
    candidates.insert(candidates.end(), gathered.begin(), gathered.end());
  }
  const float least =
      KthLowerBound(candidates, arguments_.k, arguments_.distinct, thresholds_[query].Get());
  std::erase_if(candidates, [&](const Candidate& found) { return found.upper < least; });
  QueryScorer scorer(*collection_, queries_, query, rescored_);
  WriteHits(result_, query, arguments_.k,
            FirstHits(candidates, arguments_.k, arguments_.distinct, scorer));
}

SearchResult FilterRefineScan::TakeResult() {
  result_.rescored = rescored_;
  for (const auto& worker : workers_) {
    if (worker != nullptr) result_.scanned_bytes += worker->scanned_bytes;
  }
  return std::move(result_);
}

}  // namespace synoptic
