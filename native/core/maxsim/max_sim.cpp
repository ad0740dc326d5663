#include "maxsim/max_sim.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "engine/collection.h"
#include "threads/block_job.h"

namespace synoptic {
namespace {

constexpr std::size_t kTokensPerBlock = 4096;

// 4 MB each: enough for as many requests as two cores can be busy with.
constexpr std::size_t kSpareLevelTables = 2;

[[noreturn]] void Refuse(const char* what, const std::string& expected,
                         const std::string& received) {
  throw Error("EARGUMENT", std::string(what) + ": expected " + expected + ", received " + received);
}

}  // namespace

void MaxSim::Open(ThreadPool& pool, const Kernels& kernels, MaxSimFiles files, Opened opened) {
  const std::shared_ptr<MaxSim> index(new MaxSim(MaxSimKernelsOf(kernels)));
  BlockJob::Steps steps;
  steps.prepare = [index, files = std::move(files)] {
    index->OpenFiles(files);
    return (index->table_->tokens() + kTokensPerBlock - 1) / kTokensPerBlock;
  };
  steps.run = [index](std::size_t block) {
    const std::size_t first = block * kTokensPerBlock;
    index->table_->MeasureRows(first, std::min(kTokensPerBlock, index->table_->tokens() - first));
  };
  steps.complete = [index] {
    index->FindUsedTokens();
    index->CheckUnchanged();
  };
  steps.settle = [index, opened = std::move(opened)](std::exception_ptr error) {
    opened(error, error == nullptr ? index : nullptr);
  };
  BlockJob::Start(pool, std::move(steps));
}

void MaxSim::OpenFiles(const MaxSimFiles& files) {
  const std::size_t count = files.lists.size();
  if (count > kMaxColumns || files.sources.size() != count) {
    Refuse("columns", "at most " + std::to_string(kMaxColumns), std::to_string(count));
  }
  table_ =
      std::make_shared<TokenTable>(TokenTable::Open(files.table, files.tokens, files.dimension));
  for (std::size_t column = 0; column < count; ++column) {
    TokenLists lists = TokenLists::Open(files.lists[column], files.sources[column]);
    if (lists.vocabulary() != table_->tokens()) {
      throw Error("ETOKENS_STALE", lists.file()->path(),
                  std::to_string(table_->tokens()) + " tokens as in " + files.table,
                  std::to_string(lists.vocabulary()));
    }
    if (!columns_.empty() && lists.rows() != rows()) {
      throw Error("EROWS_MISMATCH", lists.file()->path(),
                  std::to_string(rows()) + " rows as in " + columns_.front().file()->path(),
                  std::to_string(lists.rows()));
    }
    columns_.push_back(std::move(lists));
  }
}

void MaxSim::FindUsedTokens() {
  std::vector<bool> used(kMaxTokens);
  for (const TokenLists& lists : columns_) {
    for (std::size_t row = 0; row < lists.rows(); ++row) {
      for (const std::uint16_t token : lists.ListOf(row)) used[token] = true;
    }
  }
  for (std::size_t token = 0; token < table_->tokens(); ++token) {
    if (used[token]) used_tokens_.push_back(static_cast<std::uint16_t>(token));
  }
}

std::shared_ptr<const MaxSim> MaxSim::WithTexts(const std::shared_ptr<const MaxSim>& index,
                                                TokenLists texts) {
  const std::shared_ptr<MaxSim> other(new MaxSim(index->kernels_));
  other->table_ = index->table_;
  other->origin_ = index;
  other->columns_.push_back(std::move(texts));
  other->FindUsedTokens();
  return other;
}

std::size_t MaxSim::mapped_bytes() const {
  std::size_t bytes = table_->file().size();
  for (const TokenLists& lists : columns_) bytes += lists.file() ? lists.file()->size() : 0;
  return bytes;
}

std::vector<PacedCheck> MaxSim::Checks(const std::shared_ptr<const MaxSim>& index) {
  std::vector<PacedCheck> checks;
  for (std::size_t column = 0; column < index->columns_.size(); ++column) {
    checks.push_back({index->columns_[column].file()->size(),
                      [index, column] { index->columns_[column].CheckSum(); }});
  }
  return checks;
}

void MaxSim::CheckArguments(const MaxSimArguments& arguments) const {
  const std::size_t measures = arguments.exponents.size();
  if (measures == 0 || measures > kMaxMeasures) {
    Refuse("exponents", "1 to " + std::to_string(kMaxMeasures), std::to_string(measures));
  }
  for (const std::uint8_t exponent : arguments.exponents) {
    if (exponent == 0 || exponent > kMaxExponent) {
      Refuse("exponents", "1 to " + std::to_string(kMaxExponent), std::to_string(exponent));
    }
  }
  if (arguments.full_levels.size() != measures) {
    Refuse("full levels", std::to_string(measures), std::to_string(arguments.full_levels.size()));
  }
  for (const std::uint16_t level : arguments.full_levels) {
    if (level == 0 || level > kMaxLevel) {
      Refuse("full levels", "1 to " + std::to_string(kMaxLevel), std::to_string(level));
    }
  }
  for (const std::uint16_t token : arguments.tokens) {
    if (token >= table_->tokens()) {
      Refuse("tokens", "numbers below " + std::to_string(table_->tokens()), std::to_string(token));
    }
  }
  if (arguments.weights.size() != measures * arguments.tokens.size()) {
    Refuse("weights",
           std::to_string(measures) + " x " + std::to_string(arguments.tokens.size()) + " values",
           std::to_string(arguments.weights.size()));
  }
  for (const float weight : arguments.weights) {
    if (!std::isfinite(weight) || weight < 0) {
      Refuse("weights", "finite values, none negative", std::to_string(weight));
    }
  }
  if (!arguments.rows) return;
  for (const std::uint32_t row : *arguments.rows) {
    if (row >= rows()) {
      Refuse("rows", "positions below " + std::to_string(rows()), std::to_string(row));
    }
  }
}

void MaxSim::CheckUnchanged() const {
  table_->file().CheckUnchanged();
  for (const TokenLists& lists : columns_) lists.CheckUnchanged();
}

LevelTable MaxSim::TakeLevels() const {
  if (origin_ != nullptr) return origin_->TakeLevels();
  {
    const std::lock_guard lock(mutex_);
    if (!spare_levels_.empty()) {
      LevelTable levels = std::move(spare_levels_.back());
      spare_levels_.pop_back();
      return levels;
    }
  }
  // As many rows as 16 bits can name: a list that somebody overwrites cannot lead outside.
  return LevelTable(new LevelRow[kMaxTokens]);
}

void MaxSim::GiveLevels(LevelTable levels) const {
  if (origin_ != nullptr) return origin_->GiveLevels(std::move(levels));
  const std::lock_guard lock(mutex_);
  if (spare_levels_.size() < kSpareLevelTables) spare_levels_.push_back(std::move(levels));
}

}  // namespace synoptic
