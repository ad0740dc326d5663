#include "gpu/gpu_search.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/error.h"
#include "engine/result.h"
#include "gpu/gpu_layouts.h"

namespace synoptic {
namespace {

// A scan whose thresholds were too low leaves better ones behind; more rounds than this are a sign
// of ties without end.
constexpr int kMaxRounds = 4;

}  // namespace

GpuSearch::GpuSearch(const Collection& collection, const SearchArguments& arguments,
                     GpuWorker& worker, bool has_blas)
    : collection_(collection),
      arguments_(arguments),
      worker_(worker),
      queries_(collection.kernels(), arguments, collection.dimension()),
      selection_(ChooseLayouts(has_blas)),
      result_(EmptyResult(arguments.query_count, arguments.k)) {}

GpuSelection GpuSearch::ChooseLayouts(bool has_blas) {
  const bool is_batch = arguments_.query_count >= kMinMultipliedQueries;
  shape_ = {collection_.rows(),
            collection_.dimension(),
            arguments_.k,
            0,
            0,
            collection_.matrices().size(),
            0,
            arguments_.mask_words.size()};
  for (const std::uint16_t number : arguments_.columns) {
    const QuantizedCodes* codes = collection_.codes(number);
    const bool has_codes = codes != nullptr && codes->layout().padded() <= kMaxCodesPadded;
    if (!has_codes && !has_blas) {
      throw Error("ECUDA_BLAS",
                  "a column without quantized codes needs cuBLAS, which was not found");
    }
    const bool multiplied = has_blas && (is_batch || !has_codes);
    columns_.push_back(
        {number, multiplied ? GpuLayout::kHalf : GpuLayout::kCodes, nullptr, nullptr});
    ++(multiplied ? shape_.half_columns : shape_.codes_columns);
    if (!multiplied) shape_.max_padded = std::max(shape_.max_padded, codes->layout().padded());
  }
  return GpuSelection(shape_, worker_.options());
}

SearchResult GpuSearch::Run() {
  for (std::size_t query = 0; query < arguments_.query_count; ++query) queries_.Widen(query);
  try {
    return RunGroups();
  } catch (...) {
    // Layouts are let go of, and the worker's memory is the next search's.
    worker_.Drain();
    throw;
  }
}

SearchResult GpuSearch::RunGroups() {
  const std::size_t all = arguments_.query_count;
  const std::size_t max_queries =
      std::min(MaxQueriesOfGroup(shape_, selection_, worker_.options()), all);
  LoadLayouts(GpuGroup(shape_, selection_, worker_.options(), max_queries));
  for (std::size_t first = 0; first < all; first += max_queries) {
    const std::size_t count = std::min(max_queries, all - first);
    RunGroup(first, GpuGroup(shape_, selection_, worker_.options(), count));
  }
  collection_.CheckUnchanged();
  result_.device = worker_.memory().device().index();
  return std::move(result_);
}

bool GpuSearch::CanStream() const {
  return arguments_.query_count >= worker_.options().min_streamed_queries &&
         shape_.codes_columns == 0;
}

void GpuSearch::LoadLayouts(const GpuGroup& largest) {
  std::uint64_t needed = largest.bytes;
  for (const Column& column : columns_) {
    needed += LayoutBytes(collection_, column.number, column.layout);
  }
  if (!CanStream() && needed > worker_.memory().limit_bytes()) {
    // Before anything makes way for what will not fit.
    throw Error("ECUDA_MEMORY", "--gpu-memory-limit: expected at least " + std::to_string(needed) +
                                    " bytes for this search, found " +
                                    std::to_string(worker_.memory().limit_bytes()));
  }
  worker_.Workspace(largest.bytes);
  bool streams = false;
  for (Column& column : columns_) {
    try {
      column.buffer = Load(column.number, column.layout, GpuMemory::Need::kRequired);
    } catch (const Error& error) {
      if (error.code != "ECUDA_MEMORY" || !CanStream()) throw;
      streams = true;
    }
  }
  if (streams) HoldChunk();
  for (Column& column : columns_) {
    try {
      column.rows = Load(column.number, GpuLayout::kRows, GpuMemory::Need::kOptional);
    } catch (const Error& error) {
      // The processor scores what is left, from the mapped file.
      if (error.code != "ECUDA_MEMORY") throw;
    }
  }
}

// What passes through needs memory as well: columns that have taken it pass through, too.
void GpuSearch::HoldChunk() {
  for (auto column = columns_.rbegin();; ++column) {
    try {
      worker_.uploader();
      worker_.Chunk();
      return;
    } catch (const Error& error) {
      if (error.code != "ECUDA_MEMORY" || column == columns_.rend()) throw;
      column->buffer = nullptr;
    }
  }
}

GpuMemory::Ref GpuSearch::Load(std::size_t column, GpuLayout layout, GpuMemory::Need need) {
  return worker_.memory().Keep(
      {collection_.id(), static_cast<std::uint16_t>(column), layout},
      LayoutBytes(collection_, column, layout), need, [&](const GpuBuffer& buffer) {
        FillLayout(collection_, column, layout, buffer, worker_.uploader());
      });
}

void GpuSearch::RunGroup(std::size_t first_query, const GpuGroup& group) {
  group_ = &group;
  workspace_ = &worker_.Workspace(group.bytes);
  input_ = &worker_.Input(group.input_bytes);
  output_ = &worker_.Output(group.output_bytes);
  WriteInput(first_query, *input_);
  if (worker_.options().graphs && CanBeRecorded()) {
    worker_.RunRecorded(RecordingKey(), [this] { Issue(); });
  } else {
    Issue();
  }
  worker_.stream().Synchronize();
  for (int round = 1; Overflowed(); ++round) {
    if (round == kMaxRounds) {
      throw Error("ECUDA_TIES", "more rows than a device keeps could be in the result");
    }
    worker_.stream().FillZero(Found().counts, group.query_count * sizeof(std::uint32_t));
    Visit(1);
    Finish();
    worker_.stream().Synchronize();
  }
  WriteResults(first_query);
}

void GpuSearch::WriteInput(std::size_t first_query, const PinnedBuffer& input) {
  const std::size_t values = group_->query_count * shape_.dimension;
  std::memcpy(input.At<float>(group_->queries),
              arguments_.queries.data() + first_query * shape_.dimension, values * sizeof(float));
  for (std::size_t query = 0; query < group_->query_count; ++query) {
    input.At<double>(group_->norms)[query] = queries_.norm(first_query + query);
    input.At<float>(group_->thresholds)[query] = -std::numeric_limits<float>::infinity();
  }
  // Quantized codes of one number of bits stand together, so that one launch reads them.
  std::uint32_t view = 0;
  for (const std::size_t bits : {std::size_t{8}, std::size_t{4}}) {
    for (const Column& column : columns_) {
      if (column.layout != GpuLayout::kCodes) continue;
      const QuantizedCodes& codes = *collection_.codes(column.number);
      if (codes.layout().bits != bits) continue;
      const GpuCodesLayout parts(codes.layout(), shape_.rows);
      input.At<SynopticCodesSpace>(group_->spaces)[view] =
          SpaceOf(codes, *column.buffer, shape_.rows);
      input.At<SynopticCodesView>(group_->views)[view] = {
          column.buffer->At<std::uint8_t>(parts.codes),
          column.buffer->At<std::uint64_t>(parts.valid),
          static_cast<std::uint32_t>(parts.block_count),
          static_cast<std::uint32_t>(codes.layout().block_bytes()),
          static_cast<std::uint32_t>(codes.layout().padded()),
          static_cast<std::uint32_t>(codes.layout().directions),
          view,
          column.number};
      ++view;
    }
  }
  auto* rows = input.At<SynopticRows>(group_->rows);
  std::fill_n(rows, shape_.all_columns, SynopticRows{nullptr, nullptr});
  for (const Column& column : columns_) {
    if (column.rows == nullptr) continue;
    const GpuRowsLayout layout(shape_.dimension, shape_.rows);
    rows[column.number] = {column.rows->At<float>(layout.rows),
                           column.rows->At<double>(layout.norms)};
  }
  std::copy(arguments_.mask_words.begin(), arguments_.mask_words.end(),
            input.At<std::uint64_t>(group_->mask));
  std::fill_n(input.At<std::uint32_t>(group_->found_counts), group_->query_count, 0u);
}

bool GpuSearch::Overflowed() const {
  const auto* found = Output<std::uint32_t>(group_->found_counts);
  return std::any_of(found, found + group_->query_count,
                     [&](std::uint32_t count) { return count > selection_.capacity; });
}

}  // namespace synoptic
