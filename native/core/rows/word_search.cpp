#include "rows/word_search.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/error.h"
#include "threads/block_job.h"

namespace synoptic {
namespace {

// Rows that a thread sums at a time: their sums fit its first or second cache, and two threads
// share the work on a dataset of 30,000 rows. A divisor of kStripeRows.
constexpr std::size_t kWindowRows = 16384;
static_assert(kStripeRows % kWindowRows == 0);

constexpr float kImpactUnit = 1.0f / 1024;

// Up to this share of all rows, rows are looked up one by one; of more, every row is summed.
constexpr std::size_t kRowsPerLookUp = 64;

std::size_t WindowCount(const RowIndex& index) {
  return (index.rows() + kWindowRows - 1) / kWindowRows;
}

void CheckStems(const RowIndex& index, const std::vector<std::uint32_t>& stems) {
  for (const std::uint32_t stem : stems) {
    if (stem < index.stems().size()) continue;
    throw Error("EARGUMENT", "stems: expected numbers below " +
                                 std::to_string(index.stems().size()) + ", received " +
                                 std::to_string(stem));
  }
}

// The part of the postings that lies in a window of its stripe.
Postings InWindow(const Postings& postings, std::size_t window) {
  const std::size_t begin = window * kWindowRows % kStripeRows;
  const auto first = std::lower_bound(postings.rows.begin(), postings.rows.end(), begin);
  const auto last = std::lower_bound(first, postings.rows.end(), begin + kWindowRows);
  const std::size_t from = static_cast<std::size_t>(first - postings.rows.begin());
  const std::size_t count = static_cast<std::size_t>(last - first);
  return {postings.rows.subspan(from, count), postings.values.subspan(from, count)};
}

// The specification: a plain loop over the postings. Rows that a damaged file has in the wrong
// order stay within the window, for which `sums` has room.
void AddWindow(const RowIndex& index, const std::vector<std::uint32_t>& stems, std::size_t window,
               std::span<std::uint32_t> sums) {
  for (const std::uint32_t stem : stems) {
    const auto [rows, impacts] =
        InWindow(index.stems().Of(stem, window * kWindowRows / kStripeRows), window);
    for (std::size_t i = 0; i < rows.size(); ++i) sums[rows[i] % kWindowRows] += impacts[i];
  }
}

std::vector<std::uint32_t> SumWindow(const RowIndex& index, const std::vector<std::uint32_t>& stems,
                                     std::size_t window) {
  std::vector<std::uint32_t> sums(kWindowRows);
  AddWindow(index, stems, window, sums);
  return sums;
}

// Of the rows from `begin` on.
void PushHits(TopK& best, std::span<const std::uint32_t> sums, std::size_t begin,
              const RowMask& mask) {
  // A row that ties with the last hit comes after it and stays out.
  float least = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const float score = WordScore(sums[i]);
    if (!(score > least) || !Passes(mask, begin + i)) continue;
    best.Push({score, static_cast<std::uint32_t>(begin + i), 0});
    least = std::max(least, best.Threshold());
  }
}

std::uint32_t SumOf(const RowLists& lists, const std::vector<std::uint32_t>& stems,
                    std::uint32_t row) {
  std::uint32_t sum = 0;
  for (const std::uint32_t stem : stems) {
    const auto [rows, impacts] = lists.Of(stem, row / kStripeRows);
    const auto found = std::lower_bound(rows.begin(), rows.end(), row % kStripeRows);
    if (found == rows.end() || *found != row % kStripeRows) continue;
    sum += impacts[static_cast<std::size_t>(found - rows.begin())];
  }
  return sum;
}

struct Search {
  std::shared_ptr<const RowIndex> index;
  WordArguments arguments;
  // Of each window, so that threads share nothing.
  std::vector<std::vector<Hit>> found;
  WordHits hits;

  void Run(std::size_t window) {
    TopK best(arguments.k);
    const std::size_t begin = window * kWindowRows;
    const auto sums = SumWindow(*index, arguments.stems, window);
    const std::size_t count = std::min(kWindowRows, index->rows() - begin);
    PushHits(best, std::span(sums).first(count), begin, arguments.mask);
    found[window] = best.Take();
  }

  void Complete() {
    index->CheckUnchanged();
    TopK best(arguments.k);
    for (const auto& own : found) {
      for (const Hit& hit : own) best.Push(hit);
    }
    for (const Hit& hit : best.Take()) {
      hits.rows.push_back(hit.row);
      hits.scores.push_back(hit.score);
    }
  }
};

struct Scoring {
  std::shared_ptr<const RowIndex> index;
  std::vector<std::uint32_t> stems;
  std::vector<std::uint32_t> rows;
  // Of every row, where so many are requested.
  std::vector<std::vector<std::uint32_t>> sums;
  std::vector<float> scores;

  bool SumsAll() const { return rows.size() > index->rows() / kRowsPerLookUp; }

  void Complete() {
    scores.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      const std::uint32_t sum = SumsAll() ? sums[row / kWindowRows][row % kWindowRows]
                                          : SumOf(index->stems(), stems, row);
      scores.push_back(WordScore(sum));
    }
    index->CheckUnchanged();
  }
};

}  // namespace

void SearchWords(ThreadPool& pool, std::shared_ptr<const RowIndex> index, WordArguments arguments,
                 std::function<void(std::exception_ptr, WordHits)> done) {
  CheckStems(*index, arguments.stems);
  CheckMask(arguments.mask, index->rows());
  arguments.k = std::min(arguments.k, index->rows());
  const auto search =
      std::make_shared<Search>(Search{std::move(index), std::move(arguments), {}, {}});
  const std::size_t windows =
      search->arguments.stems.empty() || search->arguments.k == 0 ? 0 : WindowCount(*search->index);
  search->found.resize(windows);
  BlockJob::Start(
      pool, {[windows] { return windows; }, [search](std::size_t window) { search->Run(window); },
             [search] { search->Complete(); },
             [search, done = std::move(done)](std::exception_ptr error) {
               done(error, std::move(search->hits));
             }});
}

void ScoreWords(ThreadPool& pool, std::shared_ptr<const RowIndex> index,
                std::vector<std::uint32_t> stems, std::vector<std::uint32_t> rows,
                std::function<void(std::exception_ptr, std::vector<float>)> done) {
  CheckStems(*index, stems);
  for (const std::uint32_t row : rows) {
    if (row < index->rows()) continue;
    throw Error("EARGUMENT", "rows: expected numbers below " + std::to_string(index->rows()) +
                                 ", received " + std::to_string(row));
  }
  const auto scoring = std::make_shared<Scoring>(
      Scoring{std::move(index), std::move(stems), std::move(rows), {}, {}});
  const std::size_t windows = scoring->SumsAll() ? WindowCount(*scoring->index) : 0;
  scoring->sums.resize(windows);
  BlockJob::Start(pool, {[windows] { return windows; },
                         [scoring](std::size_t window) {
                           scoring->sums[window] =
                               SumWindow(*scoring->index, scoring->stems, window);
                         },
                         [scoring] { scoring->Complete(); },
                         [scoring, done = std::move(done)](std::exception_ptr error) {
                           done(error, std::move(scoring->scores));
                         }});
}

std::vector<std::uint32_t> SumWords(const RowIndex& index,
                                    const std::vector<std::uint32_t>& stems) {
  std::vector<std::uint32_t> sums(WindowCount(index) * kWindowRows);
  for (std::size_t window = 0; window < WindowCount(index); ++window) {
    AddWindow(index, stems, window, std::span(sums).subspan(window * kWindowRows, kWindowRows));
  }
  sums.resize(index.rows());
  return sums;
}

std::vector<Hit> FirstBySums(const std::vector<std::uint32_t>& sums, std::size_t k,
                             const RowMask& mask) {
  if (k == 0) return {};
  TopK best(std::min(k, sums.size()));
  PushHits(best, sums, 0, mask);
  return best.Take();
}

float WordScore(std::uint32_t sum) { return static_cast<float>(sum) * kImpactUnit; }

std::vector<std::uint32_t> RowsWithWords(const RowIndex& index,
                                         const std::vector<std::uint32_t>& stems) {
  CheckStems(index, stems);
  std::vector<std::uint32_t> found;
  for (const std::uint32_t stem : stems) {
    for (std::size_t stripe = 0; stripe < index.stems().stripes(); ++stripe) {
      for (const std::uint16_t low : index.stems().Of(stem, stripe).rows) {
        const std::size_t row = stripe * kStripeRows + low;
        if (row < index.rows()) found.push_back(static_cast<std::uint32_t>(row));
      }
    }
  }
  if (stems.size() > 1) {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }
  index.CheckUnchanged();
  return found;
}

}  // namespace synoptic
