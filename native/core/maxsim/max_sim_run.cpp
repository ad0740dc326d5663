#include "maxsim/max_sim_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "threads/block_job.h"

namespace synoptic {
namespace {

// A quarter of a millisecond for 32 tokens of 256 dimensions on one core.
constexpr std::size_t kTokensPerBlock = 512;
constexpr std::size_t kRowsPerBlock = 128;

// Above this share of the rows their texts have most of the dataset's tokens, and looking for the
// others would cost more than it saves.
constexpr std::size_t kManyRows = 8;

std::size_t Blocks(std::size_t count, std::size_t size) { return (count + size - 1) / size; }

}  // namespace

std::shared_ptr<MaxSimRun> MaxSimRun::Start(ThreadPool& pool, std::shared_ptr<const MaxSim> index,
                                            MaxSimArguments arguments, Done done) {
  index->CheckArguments(arguments);
  std::shared_ptr<MaxSimRun> run(
      new MaxSimRun(pool, std::move(index), std::move(arguments), std::move(done)));
  run->CompareGroup();
  return run;
}

MaxSimRun::MaxSimRun(ThreadPool& pool, std::shared_ptr<const MaxSim> index,
                     MaxSimArguments arguments, Done done)
    : pool_(pool),
      index_(std::move(index)),
      arguments_(std::move(arguments)),
      done_(std::move(done)),
      row_count_(arguments_.rows ? arguments_.rows->size() : index_->rows()) {}

MaxSimRun::~MaxSimRun() {
  if (levels_ != nullptr) index_->GiveLevels(std::move(levels_));
}

void MaxSimRun::CompareGroup() {
  BlockJob::Steps steps;
  steps.prepare = [run = shared_from_this()] {
    run->StopIfCancelled();
    if (run->group_ == 0) run->ChooseTokens();
    run->LoadGroup();
    return run->query_lanes_ == 0 ? 0 : Blocks(run->text_tokens_.size(), kTokensPerBlock);
  };
  steps.run = [run = shared_from_this()](std::size_t block) { run->CompareBlock(block); };
  steps.complete = [] {};
  steps.settle = [run = shared_from_this()](std::exception_ptr error) {
    run->GoOn(error, &MaxSimRun::WeighGroup);
  };
  BlockJob::Start(pool_, std::move(steps));
}

void MaxSimRun::WeighGroup() {
  BlockJob::Steps steps;
  steps.prepare = [run = shared_from_this()] { return Blocks(run->row_count_, kRowsPerBlock); };
  steps.run = [run = shared_from_this()](std::size_t block) { run->WeighBlock(block); };
  steps.complete = [run = shared_from_this()] { run->index_->CheckUnchanged(); };
  steps.settle = [run = shared_from_this()](std::exception_ptr error) {
    run->group_ += kMaxSimLanes;
    const bool last = run->group_ >= run->arguments_.tokens.size();
    run->GoOn(error, last ? &MaxSimRun::Result : &MaxSimRun::CompareGroup);
  };
  BlockJob::Start(pool_, std::move(steps));
}

void MaxSimRun::Result() { done_(nullptr, TakeResult()); }

void MaxSimRun::GoOn(std::exception_ptr error, void (MaxSimRun::*next)()) {
  if (error == nullptr) {
    try {
      (this->*next)();
      return;
    } catch (...) {
      error = std::current_exception();
    }
  }
  done_(error, {});
}

void MaxSimRun::ChooseTokens() {
  levels_ = index_->TakeLevels();
  sums_.resize(SumsAt(row_count_, 0));
  if (row_count_ > index_->rows() / kManyRows) {
    text_tokens_ = index_->used_tokens();
    return;
  }
  std::vector<bool> chosen(kMaxTokens);
  for (std::size_t position = 0; position < row_count_; ++position) {
    for (const TokenLists& lists : index_->columns()) {
      for (const std::uint16_t token : lists.ListOf(RowAt(position))) chosen[token] = true;
    }
  }
  for (const std::uint16_t token : index_->used_tokens()) {
    if (chosen[token]) text_tokens_.push_back(token);
  }
}

void MaxSimRun::LoadGroup() {
  const TokenTable& table = index_->table();
  const std::size_t dimension = table.dimension();
  const std::size_t count = std::min(kMaxSimLanes, arguments_.tokens.size() - group_);
  query_lanes_ = Blocks(count, 8) * 8;
  query_rows_.assign(kMaxSimLanes * dimension, 0);
  query_scales_.assign(kMaxSimLanes, 0);
  for (std::size_t q = 0; q < count; ++q) {
    const std::size_t token = arguments_.tokens[group_ + q];
    const std::int8_t* row = table.values() + token * dimension;
    std::copy(row, row + dimension,
              query_rows_.begin() + static_cast<std::ptrdiff_t>(q * dimension));
    std::int32_t square = 0;
    for (std::size_t d = 0; d < dimension; ++d) square += row[d] * row[d];
    // Half a level above the highest: a token's cosine with itself may round to just below 1.
    if (square > 0)
      query_scales_[q] = static_cast<float>((kMaxLevel + 0.5) / std::sqrt(double(square)));
  }
  wide_query_rows_.assign(query_rows_.begin(), query_rows_.end());
}

void MaxSimRun::CompareBlock(std::size_t block) {
  StopIfCancelled();
  const TokenTable& table = index_->table();
  const MaxSimQuery query = {query_rows_.data(), wide_query_rows_.data(), query_scales_.data(),
                             query_lanes_};
  const std::size_t first = block * kTokensPerBlock;
  const std::size_t count = std::min(kTokensPerBlock, text_tokens_.size() - first);
  index_->kernels().compare_tokens(query, table.values(), table.dimension(), table.inverse_norms(),
                                   text_tokens_.data() + first, count, levels_[0].levels);
}

void MaxSimRun::WeighBlock(std::size_t block) {
  StopIfCancelled();
  if (query_lanes_ == 0) return;
  const std::size_t columns = index_->columns().size();
  const std::size_t end = std::min((block + 1) * kRowsPerBlock, row_count_);
  for (std::size_t position = block * kRowsPerBlock; position < end; ++position) {
    LevelRow together = {};
    for (std::size_t column = 0; column < columns; ++column) {
      const auto list = index_->columns()[column].ListOf(RowAt(position));
      if (list.empty()) continue;
      LevelRow best;
      index_->kernels().best_levels(levels_[0].levels, list.data(), list.size(), best.levels);
      WeighText(best.levels, sums_.data() + SumsAt(position, column));
      for (std::size_t q = 0; q < kMaxSimLanes; ++q) {
        together.levels[q] = std::max(together.levels[q], best.levels[q]);
      }
    }
    WeighText(together.levels, sums_.data() + SumsAt(position, columns));
  }
}

std::size_t MaxSimRun::SumsAt(std::size_t position, std::size_t text) const {
  const std::size_t texts = index_->columns().size() + 1;
  return (position * texts + text) * arguments_.exponents.size();
}

void MaxSimRun::WeighText(const std::int16_t* best, double* sums) const {
  const std::size_t tokens = arguments_.tokens.size();
  const std::size_t count = std::min(kMaxSimLanes, tokens - group_);
  for (std::size_t measure = 0; measure < arguments_.exponents.size(); ++measure) {
    const float* weights = arguments_.weights.data() + measure * tokens + group_;
    const int exponent = arguments_.exponents[measure];
    const std::int16_t full = static_cast<std::int16_t>(arguments_.full_levels[measure]);
    const float unit = 1.0f / static_cast<float>(full);
    double sum = sums[measure];
    for (std::size_t q = 0; q < count; ++q) {
      const float cosine = static_cast<float>(std::min(best[q], full)) * unit;
      float power = cosine;
      for (int factor = 1; factor < exponent; ++factor) power *= cosine;
      sum += static_cast<double>(weights[q]) * static_cast<double>(power);
    }
    sums[measure] = sum;
  }
}

MaxSimResult MaxSimRun::TakeResult() const {
  const std::size_t measures = arguments_.exponents.size();
  const std::size_t columns = index_->columns().size();
  const std::size_t tokens = arguments_.tokens.size();
  std::vector<double> totals(measures);
  for (std::size_t i = 0; i < arguments_.weights.size(); ++i) {
    totals[i / tokens] += arguments_.weights[i];
  }
  MaxSimResult result;
  result.scores.resize(row_count_ * measures);
  result.together.resize(row_count_ * measures);
  const auto score_of = [&](std::size_t position, std::size_t text, std::size_t measure) {
    const double total = totals[measure];
    const double sum = sums_[SumsAt(position, text) + measure];
    return total > 0 ? static_cast<float>(sum / total) : 0.0f;
  };
  result.columns.assign(row_count_, MaxSim::kNoColumn);
  for (std::size_t position = 0; position < row_count_; ++position) {
    float* scores = result.scores.data() + position * measures;
    for (std::size_t measure = 0; measure < measures; ++measure) {
      result.together[position * measures + measure] = score_of(position, columns, measure);
    }
    for (std::size_t column = 0; column < columns; ++column) {
      if (index_->columns()[column].ListOf(RowAt(position)).empty()) continue;
      for (std::size_t measure = 0; measure < measures; ++measure) {
        const float score = score_of(position, column, measure);
        const bool first = result.columns[position] == MaxSim::kNoColumn;
        if (measure == 0 && (first || score > scores[0])) {
          result.columns[position] = static_cast<std::uint16_t>(column);
        }
        scores[measure] = std::max(scores[measure], score);
      }
    }
  }
  return result;
}

void MaxSimRun::StopIfCancelled() const {
  if (cancelled_) throw Error("ECANCELLED", "The scoring was cancelled.");
}

std::uint32_t MaxSimRun::RowAt(std::size_t position) const {
  return arguments_.rows ? (*arguments_.rows)[position] : static_cast<std::uint32_t>(position);
}

}  // namespace synoptic
