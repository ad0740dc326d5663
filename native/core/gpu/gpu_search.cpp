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
constexpr int kMostRounds = 4;

}  // namespace

GpuSearch::GpuSearch(const Collection& collection, const SearchArguments& arguments, GpuLane& lane,
                     bool has_blas)
    : collection_(collection),
      arguments_(arguments),
      lane_(lane),
      queries_(collection.kernels(), arguments, collection.dimension()),
      selection_(ChooseForms(has_blas)),
      answer_(EmptyAnswer(arguments.query_count, arguments.k)) {}

GpuSelection GpuSearch::ChooseForms(bool has_blas) {
  const bool is_batch = arguments_.query_count >= kFewestMultipliedQueries;
  shape_ = {collection_.rows(),
            collection_.dimension(),
            arguments_.k,
            0,
            0,
            collection_.matrices().size(),
            0,
            arguments_.mask_words.size()};
  for (const std::uint16_t number : arguments_.columns) {
    const Shadow* shadow = collection_.shadow(number);
    const bool has_shadow = shadow != nullptr && shadow->layout().padded() <= kMostShadowPadded;
    if (!has_shadow && !has_blas) {
      throw Error("ECUDA_BLAS", "a column without a shadow needs cuBLAS, which was not found");
    }
    const bool multiplied = has_blas && (is_batch || !has_shadow);
    columns_.push_back({number, multiplied ? GpuForm::kHalf : GpuForm::kShadow, nullptr, nullptr});
    ++(multiplied ? shape_.half_columns : shape_.shadow_columns);
    if (!multiplied) shape_.most_padded = std::max(shape_.most_padded, shadow->layout().padded());
  }
  return GpuSelection(shape_, lane_.options());
}

SearchAnswer GpuSearch::Run() {
  for (std::size_t query = 0; query < arguments_.query_count; ++query) queries_.Widen(query);
  try {
    return RunGroups();
  } catch (...) {
    // Forms are let go of, and the lane's memory is the next search's.
    lane_.Drain();
    throw;
  }
}

SearchAnswer GpuSearch::RunGroups() {
  const std::size_t all = arguments_.query_count;
  const std::size_t most = std::min(MostQueriesOfGroup(shape_, selection_, lane_.options()), all);
  HoldForms(GpuGroup(shape_, selection_, lane_.options(), most));
  for (std::size_t first = 0; first < all; first += most) {
    const std::size_t count = std::min(most, all - first);
    RunGroup(first, GpuGroup(shape_, selection_, lane_.options(), count));
  }
  collection_.CheckUnchanged();
  answer_.device = lane_.memory().device().index();
  return std::move(answer_);
}

bool GpuSearch::CanStream() const {
  return arguments_.query_count >= lane_.options().fewest_streamed_queries &&
         shape_.shadow_columns == 0;
}

void GpuSearch::HoldForms(const GpuGroup& largest) {
  std::uint64_t needed = largest.bytes;
  for (const Column& column : columns_) {
    needed += FormBytes(collection_, column.number, column.form);
  }
  if (!CanStream() && needed > lane_.memory().limit_bytes()) {
    // Before anything makes way for what will not fit.
    throw Error("ECUDA_MEMORY", "--gpu-memory-limit: expected at least " + std::to_string(needed) +
                                    " bytes for this search, found " +
                                    std::to_string(lane_.memory().limit_bytes()));
  }
  lane_.Workspace(largest.bytes);
  bool streams = false;
  for (Column& column : columns_) {
    try {
      column.buffer = Hold(column.number, column.form, GpuMemory::Need::kRequired);
    } catch (const Error& error) {
      if (error.code != "ECUDA_MEMORY" || !CanStream()) throw;
      streams = true;
    }
  }
  if (streams) HoldChunk();
  for (Column& column : columns_) {
    try {
      column.rows = Hold(column.number, GpuForm::kRows, GpuMemory::Need::kOptional);
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
      lane_.uploader();
      lane_.Chunk();
      return;
    } catch (const Error& error) {
      if (error.code != "ECUDA_MEMORY" || column == columns_.rend()) throw;
      column->buffer = nullptr;
    }
  }
}

GpuMemory::Held GpuSearch::Hold(std::size_t column, GpuForm form, GpuMemory::Need need) {
  return lane_.memory().Keep({collection_.id(), static_cast<std::uint16_t>(column), form},
                             FormBytes(collection_, column, form), need,
                             [&](const GpuBuffer& buffer) {
                               FillForm(collection_, column, form, buffer, lane_.uploader());
                             });
}

void GpuSearch::RunGroup(std::size_t first_query, const GpuGroup& group) {
  group_ = &group;
  workspace_ = &lane_.Workspace(group.bytes);
  input_ = &lane_.Input(group.input_bytes);
  output_ = &lane_.Output(group.output_bytes);
  WriteInput(first_query, *input_);
  if (lane_.options().graphs && CanBeRecorded()) {
    lane_.RunRecorded(RecordingKey(), [this] { Issue(); });
  } else {
    Issue();
  }
  lane_.stream().Synchronize();
  for (int round = 1; Overflowed(); ++round) {
    if (round == kMostRounds) {
      throw Error("ECUDA_TIES", "more rows than a device keeps could stand in the answer");
    }
    lane_.stream().FillZero(Found().counts, group.query_count * sizeof(std::uint32_t));
    Visit(1);
    Finish();
    lane_.stream().Synchronize();
  }
  WriteAnswers(first_query);
}

void GpuSearch::WriteInput(std::size_t first_query, const PinnedBuffer& input) {
  const std::size_t values = group_->query_count * shape_.dimension;
  std::memcpy(input.At<float>(group_->queries),
              arguments_.queries.data() + first_query * shape_.dimension, values * sizeof(float));
  for (std::size_t query = 0; query < group_->query_count; ++query) {
    input.At<double>(group_->norms)[query] = queries_.norm(first_query + query);
    input.At<float>(group_->thresholds)[query] = -std::numeric_limits<float>::infinity();
  }
  // Shadows of one number of bits stand together, so that one launch reads them.
  std::uint32_t view = 0;
  for (const std::size_t bits : {std::size_t{8}, std::size_t{4}}) {
    for (const Column& column : columns_) {
      if (column.form != GpuForm::kShadow) continue;
      const Shadow& shadow = *collection_.shadow(column.number);
      if (shadow.layout().bits != bits) continue;
      const ShadowFormLayout form(shadow.layout(), shape_.rows);
      input.At<SynopticShadowSpace>(group_->spaces)[view] =
          SpaceOf(shadow, *column.buffer, shape_.rows);
      input.At<SynopticShadowView>(group_->views)[view] = {
          column.buffer->At<std::uint8_t>(form.codes),
          column.buffer->At<std::uint64_t>(form.valid),
          static_cast<std::uint32_t>(form.block_count),
          static_cast<std::uint32_t>(shadow.layout().block_bytes()),
          static_cast<std::uint32_t>(shadow.layout().padded()),
          static_cast<std::uint32_t>(shadow.layout().heads),
          view,
          column.number};
      ++view;
    }
  }
  auto* rows = input.At<SynopticRows>(group_->rows);
  std::fill_n(rows, shape_.all_columns, SynopticRows{nullptr, nullptr});
  for (const Column& column : columns_) {
    if (column.rows == nullptr) continue;
    const RowsFormLayout layout(shape_.dimension, shape_.rows);
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
