// maxsim: how well a text covers a query, word by word. Each of the query's tokens looks for its
// nearest token in the text; the cosines, raised to a power so that near ones count, are averaged
// with the query's weights:
//   sum over q of weight[q] * min(1, max over t of level(q, t) / full)^exponent, over the sum of
//   weights.
// Levels are integers (max_sim_kernels.h); the powers are float32 products and the sums float64 in
// the order of the tokens, so every instruction set and every number of threads gives the same
// bits.

#ifndef SYNOPTIC_MAXSIM_MAX_SIM_H_
#define SYNOPTIC_MAXSIM_MAX_SIM_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/max_sim_kernels.h"
#include "maxsim/token_lists.h"
#include "maxsim/token_table.h"
#include "threads/paced_checks.h"
#include "threads/thread_pool.h"

namespace synoptic {

struct MaxSimArguments {
  // Of the query, each once.
  std::vector<std::uint16_t> tokens;
  // A measure is an exponent (1 to kMaxExponent), the level (1 to kMaxLevel) from which on a token
  // counts as found, and a weight for every token.
  std::vector<std::uint8_t> exponents;
  std::vector<std::uint16_t> full_levels;
  // Measures x tokens, row-major; finite and not negative.
  std::vector<float> weights;
  // Rows to score, in any order; nothing: all.
  std::optional<std::vector<std::uint32_t>> rows;
};

struct MaxSimResult {
  // Rows x measures: the best over the row's texts, for each measure by itself.
  std::vector<float> scores;
  // Rows x measures: of all texts of the row as one, in which a query's tokens are found here and
  // there; not below `scores`.
  std::vector<float> together;
  // The text that is best by the first measure, the lowest column of equals; kNoColumn for a row
  // whose texts have no token.
  std::vector<std::uint16_t> columns;
};

struct MaxSimFiles {
  std::string table;
  std::size_t tokens = 0;
  std::size_t dimension = 0;
  std::vector<std::string> lists;
  std::vector<SourceHash> sources;
};

// A row of levels is a cache line.
struct alignas(64) LevelRow {
  std::int16_t levels[kMaxSimLanes];
};
using LevelTable = std::unique_ptr<LevelRow[]>;

// The table and the lists of one dataset's columns; immutable while it is searched, but for its
// spare scratch memory. Runs hold a shared reference.
class MaxSim {
 public:
  static constexpr std::uint16_t kNoColumn = 0xFFFF;
  static constexpr std::uint8_t kMaxExponent = 16;
  static constexpr std::size_t kMaxMeasures = 16;

  using Opened = std::function<void(std::exception_ptr, std::shared_ptr<MaxSim>)>;

  // Validates all files on the pool's threads; `opened` is called on one of them. Without lists
  // there are no rows, and the index serves WithTexts alone.
  static void Open(ThreadPool& pool, const Kernels& kernels, MaxSimFiles files, Opened opened);

  // The same table with other texts, a row each, in one column.
  static std::shared_ptr<const MaxSim> WithTexts(const std::shared_ptr<const MaxSim>& index,
                                                 TokenLists texts);

  std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().rows(); }
  const TokenTable& table() const { return *table_; }
  const std::vector<TokenLists>& columns() const { return columns_; }
  const MaxSimKernels& kernels() const { return kernels_; }

  // Tokens that occur in any text, ascending.
  const std::vector<std::uint16_t>& used_tokens() const { return used_tokens_; }

  std::size_t mapped_bytes() const;

  // What can be checked of the lists while they are searched; they throw Error ETOKENS_FORMAT.
  static std::vector<PacedCheck> Checks(const std::shared_ptr<const MaxSim>& index);

  // Throws Error EARGUMENT.
  void CheckArguments(const MaxSimArguments& arguments) const;
  // Throws Error EFILE_CHANGED.
  void CheckUnchanged() const;

  // Memory for the levels of every token that a list can name, not cleared.
  LevelTable TakeLevels() const;
  void GiveLevels(LevelTable levels) const;

 private:
  explicit MaxSim(const MaxSimKernels& kernels) : kernels_(kernels) {}
  void OpenFiles(const MaxSimFiles& files);
  void FindUsedTokens();

  const MaxSimKernels& kernels_;
  // Shared by the indices of other texts.
  std::shared_ptr<TokenTable> table_;
  // Whose spare levels an index of other texts uses.
  std::shared_ptr<const MaxSim> origin_;
  std::vector<TokenLists> columns_;
  std::vector<std::uint16_t> used_tokens_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  mutable std::vector<LevelTable> spare_levels_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_MAXSIM_MAX_SIM_H_
