#include "gpu_search.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "answer.h"
#include "error.h"
#include "gpu_forms.h"

namespace synoptic {
namespace {

// A scan whose thresholds were too low leaves better ones behind; more rounds than this are a sign
// of ties without end.
constexpr int kMostRounds = 4;

// Up to here ordering what is exact beats the general way.
constexpr std::size_t kFewHits = 256;

// The first k of the total order among exact candidates.
std::vector<Hit> FirstExact(const std::vector<Candidate>& candidates, std::size_t k,
                            bool distinct) {
  std::vector<Hit> hits;
  hits.reserve(candidates.size());
  for (const Candidate& found : candidates) hits.push_back({found.lower, found.row, found.column});
  std::sort(hits.begin(), hits.end(), StandsBefore);
  std::size_t kept = 0;
  for (const Hit& hit : hits) {
    if (kept == k) break;
    const auto taken = hits.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto same_row = [&](const Hit& other) { return other.row == hit.row; };
    if (distinct && std::find_if(hits.begin(), taken, same_row) != taken) continue;
    hits[kept++] = hit;
  }
  hits.resize(kept);
  return hits;
}

// What the device could not score, from the mapped file.
class HostScorer : public CandidateScorer {
 public:
  HostScorer(const Collection& collection, const QuerySet& queries, std::size_t query)
      : collection_(collection), queries_(queries), query_(query) {}

  void Score(Candidate* candidates, std::size_t count) override {
    for (Candidate* found = candidates; found < candidates + count; ++found) {
      double sum;
      queries_.Score(query_, collection_.matrices()[found->column], &found->row, 1, &sum,
                     &found->upper);
      found->lower = found->upper;
      found->exact = true;
    }
    scored_ += count;
  }

  // A handful of rows at most.
  void Expect(const Candidate&) override {}

  std::uint64_t scored() const { return scored_; }

 private:
  const Collection& collection_;
  const QuerySet& queries_;
  const std::size_t query_;
  std::uint64_t scored_ = 0;
};

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
  HoldForms();
  const std::size_t most = MostQueriesOfGroup(shape_, selection_, lane_.options());
  for (std::size_t first = 0; first < arguments_.query_count; first += most) {
    const std::size_t count = std::min(most, arguments_.query_count - first);
    RunGroup(first, GpuGroup(shape_, selection_, lane_.options(), count));
  }
  collection_.CheckUnchanged();
  answer_.device = lane_.memory().device().index();
  return std::move(answer_);
}

void GpuSearch::HoldForms() {
  for (Column& column : columns_) {
    try {
      column.buffer = Hold(column.number, column.form, GpuMemory::Need::kRequired);
    } catch (const Error& error) {
      const bool can_stream = column.form == GpuForm::kHalf &&
                              arguments_.query_count >= lane_.options().fewest_streamed_queries;
      if (error.code != "ECUDA_MEMORY" || !can_stream) throw;
    }
  }
  for (Column& column : columns_) {
    try {
      column.rows = Hold(column.number, GpuForm::kRows, GpuMemory::Need::kOptional);
    } catch (const Error& error) {
      // The processor scores what is left, from the mapped file.
      if (error.code != "ECUDA_MEMORY") throw;
    }
  }
}

GpuMemory::Held GpuSearch::Hold(std::size_t column, GpuForm form, GpuMemory::Need need) {
  return lane_.memory().Keep({&collection_, static_cast<std::uint16_t>(column), form},
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
  for (int round = 1; Overflowed(*output_); ++round) {
    if (round == kMostRounds) {
      throw Error("ECUDA_TIES", "more rows than a device keeps could stand in the answer");
    }
    ResetCounts();
    Scan();
    Finish();
    lane_.stream().Synchronize();
  }
  WriteAnswers(first_query, *output_);
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
}

bool GpuSearch::Overflowed(const PinnedBuffer& output) const {
  const std::uint32_t* found = output.At<std::uint32_t>(0) + group_->query_count;
  return std::any_of(found, found + group_->query_count,
                     [&](std::uint32_t count) { return count > selection_.capacity; });
}

void GpuSearch::WriteAnswers(std::size_t first_query, const PinnedBuffer& output) {
  const std::uint32_t* counts = output.At<std::uint32_t>(0) + 2 * group_->query_count;
  const auto* list = output.At<SynopticCandidate>(group_->out_list - group_->output);
  std::vector<SynopticCandidate> fetched;
  for (std::size_t i = 0; i < group_->query_count; ++i) {
    const std::size_t query = first_query + i;
    const SynopticCandidate* begin = list + i * selection_.out_capacity;
    std::size_t count = counts[i];
    if (count > selection_.out_capacity) {
      // More than were copied out: all that were kept, a few of which are below the threshold.
      count = output.At<std::uint32_t>(0)[i];
      fetched.resize(count);
      lane_.stream().CopyOut(fetched.data(), Kept().list + i * selection_.capacity,
                             count * sizeof(SynopticCandidate));
      lane_.stream().Synchronize();
      begin = fetched.data();
    }
    std::vector<Candidate> candidates;
    candidates.reserve(count);
    bool all_exact = true;
    for (const SynopticCandidate* found = begin; found < begin + count; ++found) {
      const bool exact = found->exact != 0;
      candidates.push_back({found->upper, found->lower, found->row, found->column, exact});
      all_exact = all_exact && exact;
      answer_.rescored += exact;
    }
    if (all_exact && count <= kFewHits) {
      WriteHits(answer_, query, arguments_.k,
                FirstExact(candidates, arguments_.k, arguments_.distinct));
      continue;
    }
    const float least = KthLowerBound(candidates, arguments_.k, arguments_.distinct);
    std::erase_if(candidates, [&](const Candidate& found) { return found.upper < least; });
    HostScorer scorer(collection_, queries_, query);
    WriteHits(answer_, query, arguments_.k,
              FirstHits(candidates, arguments_.k, arguments_.distinct, scorer));
    answer_.rescored += scorer.scored();
  }
}

}  // namespace synoptic
