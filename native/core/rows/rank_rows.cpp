#include "rows/rank_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/top_k.h"
#include "rows/fact_matches.h"
#include "rows/likeness.h"
#include "rows/top_rows.h"
#include "rows/word_search.h"

namespace synoptic {
namespace {

using Rows = std::vector<std::uint32_t>;
using Values = std::vector<float>;

float Rounded(double value) { return static_cast<float>(value); }

// One value a row.
struct Fit {
  Values titles;
  FactMatches facts;
  Values alike;
};

Values TitleFit(const FactTables& tables, const std::vector<TitleRow>& titles) {
  Values fit(tables.rows);
  for (const TitleRow& title : titles) {
    fit[title.row] = std::max(fit[title.row], Rounded(title.confidence));
  }
  return fit;
}

Fit FitOf(const FactTables& tables, const RankPlan& plan) {
  Fit fit;
  fit.facts = MatchFacts(tables, plan);
  Values& broken = fit.facts.broken;
  if (!plan.unlike.examples.empty()) {
    const Values unlike = LikenessToAll(tables, plan.likeness_rules, plan.unlike);
    for (std::size_t row = 0; row < broken.size(); ++row) {
      broken[row] = std::min(1.0f, std::max(broken[row], unlike[row]));
    }
  }
  for (const std::uint32_t row : plan.unwanted) broken[row] = 1;
  fit.alike = LikenessToAll(tables, plan.likeness_rules, plan.alike);
  fit.titles = TitleFit(tables, plan.titles);
  return fit;
}

// A query that only excludes takes any other work, also where no work has what it excludes.
bool TakesAny(const RankPlan& plan) {
  return plan.requests.empty() && !plan.has_references && !plan.has_text;
}

bool TakesByFacts(const RankPlan& plan) { return !plan.requests.empty() || TakesAny(plan); }

// What fits the requests, with what else the ranker weighs; 0 or less for no candidates.
Values RequestedFit(const FactTables& tables, const RankPlan& plan, const FactMatches& facts) {
  Values scores(tables.rows);
  const ChoiceRules& rules = plan.choice_rules;
  const bool takes_any = TakesAny(plan);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const double fulfilled = facts.fulfilled[row];
    if (!takes_any && fulfilled == 0) continue;
    const double known = tables.popularity[row];
    scores[row] = Rounded(fulfilled + (std::isnan(known) ? 0 : rules.popularity_weight * known) -
                          rules.broken_weight * static_cast<double>(facts.broken[row]));
  }
  return scores;
}

Values AlikeAndRequested(const RankPlan& plan, const Fit& fit) {
  Values both(fit.alike.size());
  for (std::size_t row = 0; row < both.size(); ++row) {
    const double alike = fit.alike[row];
    if (!(alike > 0)) continue;
    both[row] = Rounded(alike + plan.choice_rules.request_share *
                                    static_cast<double>(fit.facts.fulfilled[row]));
  }
  return both;
}

// Rows in the order in which they come, each once.
class DistinctRows {
 public:
  DistinctRows(std::size_t row_count, std::size_t limit) : known_(row_count), limit_(limit) {}

  bool Has(std::uint32_t row) const { return known_[row]; }
  void Add(std::uint32_t row) {
    if (rows_.size() == limit_ || known_[row]) return;
    known_[row] = true;
    rows_.push_back(row);
  }
  void Add(const std::vector<Hit>& hits) {
    for (const Hit& hit : hits) Add(hit.row);
  }
  const Rows& rows() const { return rows_; }

 private:
  std::vector<bool> known_;
  std::size_t limit_;
  Rows rows_;
};

// Titles first, then by turns works that fulfil requests and works that are like those named. Of
// `X but Y`, those that are both come before those that are most of one.
Rows FittingRows(const FactTables& tables, const RankPlan& plan, const Fit& fit, std::size_t count,
                 const RowMask& mask) {
  DistinctRows rows(tables.rows, count);
  if (!plan.titles.empty()) rows.Add(TopRows(fit.titles, count, 0, mask));
  if (plan.has_references && !plan.requests.empty()) {
    rows.Add(TopRows(AlikeAndRequested(plan, fit), count, 0, mask));
    return rows.rows();
  }
  std::vector<Hit> requested;
  if (TakesByFacts(plan)) {
    requested = TopRows(RequestedFit(tables, plan, fit.facts), count, 0, mask);
  }
  std::vector<Hit> alike;
  if (!plan.alike.examples.empty() || !plan.alike.named.empty()) {
    alike = TopRows(fit.alike, count, 0, mask);
  }
  for (std::size_t i = 0; i < std::max(requested.size(), alike.size()); ++i) {
    if (i < requested.size()) rows.Add(requested[i].row);
    if (i < alike.size()) rows.Add(alike[i].row);
  }
  return rows.rows();
}

// Rows by similarity and by words, merged by their ranks, whose scores cannot be compared: the sum
// of 1 / (offset + rank) over both lists (reciprocal rank fusion; Cormack, Clarke and Buettcher
// 2009). Ties by row.
Rows ByText(const RankPlan& plan, const std::vector<std::uint32_t>& word_sums,
            const RowMask& mask) {
  std::unordered_map<std::uint32_t, double> scores;
  const auto add = [&](std::uint32_t row, std::size_t position) {
    scores[row] += 1 / (plan.rank_offset + static_cast<double>(position) + 1);
  };
  for (std::size_t i = 0; i < plan.similar.size(); ++i) add(plan.similar[i], i);
  const auto by_words = FirstBySums(word_sums, plan.depth, mask);
  for (std::size_t i = 0; i < by_words.size(); ++i) add(by_words[i].row, i);
  std::vector<std::pair<std::uint32_t, double>> hits(scores.begin(), scores.end());
  const std::size_t count = std::min<std::size_t>(plan.count, hits.size());
  std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(),
                    [](const auto& one, const auto& other) {
                      if (one.second != other.second) return one.second > other.second;
                      return one.first < other.first;
                    });
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(hits[i].first);
  return rows;
}

// At most half of the candidates come from what is read from the query, and at most half are first
// works of the series of the best ones.
Rows MergedRows(const FactTables& tables, const RankPlan& plan, const Fit& fit, const Rows& by_text,
                const RowMask& mask) {
  const std::size_t count = plan.count;
  const std::size_t half = count / 2;
  DistinctRows all(tables.rows, count);
  DistinctRows firsts(tables.rows, plan.has_fit ? half : 0);
  const Rows by_fit = plan.has_fit ? FittingRows(tables, plan, fit, half, mask) : Rows();
  for (const Rows* some : {&by_fit, &by_text}) {
    for (const std::uint32_t row : *some) all.Add(row);
  }
  for (const Rows* some : {&by_fit, &by_text}) {
    for (std::size_t i = 0; i < some->size(); ++i) {
      if (i == plan.choice_rules.deepest_sequel) break;
      const std::int32_t first = tables.continued[(*some)[i]];
      if (first < 0 || static_cast<std::size_t>(first) >= tables.rows) continue;
      const auto row = static_cast<std::uint32_t>(first);
      if (!all.Has(row) && Passes(mask, row)) firsts.Add(row);
    }
  }
  Rows rows = all.rows();
  rows.resize(std::min(rows.size(), count - firsts.rows().size()));
  rows.insert(rows.end(), firsts.rows().begin(), firsts.rows().end());
  return rows;
}

Rows PassingRows(std::size_t row_count, const RowMask& mask) {
  Rows rows;
  for (std::uint32_t row = 0; row < row_count; ++row) {
    if (Passes(mask, row)) rows.push_back(row);
  }
  return rows;
}

// The first by title that the mask leaves out.
Rows NamedRows(const RankPlan& plan, const Fit& fit, const RowMask& mask,
               const RowMask& named_mask) {
  Rows rows;
  if (!plan.has_fit || plan.titles.empty() || mask.empty() || mask == named_mask) return rows;
  for (const Hit& hit :
       TopRows(fit.titles, plan.choice_rules.max_named, plan.choice_rules.is_title, named_mask)) {
    if (!Passes(mask, hit.row)) rows.push_back(hit.row);
  }
  return rows;
}

void AddColumn(std::vector<float>& features, const Values& values, const Rows& rows) {
  for (const std::uint32_t row : rows) features.push_back(values[row]);
}

// One block, so that the result needs no merging.
template <class Result>
std::shared_ptr<BlockJob> StartOne(ThreadPool& pool, std::shared_ptr<const FactTables> tables,
                                   std::function<Result(const FactTables&)> work,
                                   std::function<void(std::exception_ptr, Result)> done) {
  const auto result = std::make_shared<Result>();
  return BlockJob::Start(
      pool, {[] { return std::size_t{1}; },
             [result, tables, work = std::move(work)](std::size_t) { *result = work(*tables); },
             [tables] { tables->index->CheckUnchanged(); },
             [result, done = std::move(done)](std::exception_ptr error) {
               done(error, std::move(*result));
             }});
}

}  // namespace

RankedRows RankRows(const FactTables& tables, const RankPlan& plan, const RowMask& mask,
                    const RowMask& named_mask) {
  RankedRows ranked;
  const Fit fit = FitOf(tables, plan);
  const auto word_sums = SumWords(*tables.index, plan.stems);
  ranked.known = fit.facts.known;
  switch (plan.choice) {
    case RankPlan::Choice::kAlike:
      ranked.rows = FittingRows(tables, plan, fit, plan.count, mask);
      ranked.are_chosen = ranked.rows.size() >= plan.count;
      break;
    case RankPlan::Choice::kByText:
      ranked.rows = MergedRows(tables, plan, fit, ByText(plan, word_sums, mask), mask);
      break;
    case RankPlan::Choice::kAll:
      ranked.rows = PassingRows(tables.rows, mask);
      break;
  }
  if (!ranked.are_chosen) {
    ranked.rows.clear();
    return ranked;
  }
  ranked.named = NamedRows(plan, fit, mask, named_mask);
  ranked.rows.insert(ranked.rows.end(), plan.more.begin(), plan.more.end());
  ranked.rows.insert(ranked.rows.end(), ranked.named.begin(), ranked.named.end());
  std::sort(ranked.rows.begin(), ranked.rows.end());
  ranked.rows.erase(std::unique(ranked.rows.begin(), ranked.rows.end()), ranked.rows.end());
  ranked.features.reserve(ranked.rows.size() * (5 + fit.facts.requests.size()));
  for (const Values* values : {&fit.titles, &fit.facts.fulfilled, &fit.facts.broken, &fit.alike}) {
    AddColumn(ranked.features, *values, ranked.rows);
  }
  for (const std::uint32_t row : ranked.rows) {
    ranked.features.push_back(WordScore(word_sums[row]));
  }
  for (const Values& degrees : fit.facts.requests) {
    AddColumn(ranked.features, degrees, ranked.rows);
  }
  return ranked;
}

LikestRows FindLikest(const FactTables& tables, const LikestPlan& plan, const RowMask& mask) {
  Values likeness = LikenessTo(tables, plan.rules, plan.example);
  constexpr float kNotCompared = -std::numeric_limits<float>::infinity();
  if (plan.with_compared) {
    std::vector<bool> compared(tables.rows);
    for (const auto& [row, cosine] : plan.example.cosines) compared[row] = true;
    for (std::size_t row = 0; row < tables.rows; ++row) {
      if (likeness[row] == 0 && !compared[row]) likeness[row] = kNotCompared;
    }
  }
  LikestRows likest;
  const double above = plan.with_compared ? static_cast<double>(kNotCompared) : 0;
  for (const Hit& hit : TopRows(likeness, plan.count, above, mask)) {
    likest.rows.push_back(hit.row);
    likest.likeness.push_back(hit.score);
  }
  return likest;
}

std::shared_ptr<BlockJob> StartRank(ThreadPool& pool, std::shared_ptr<const FactTables> tables,
                                    RankPlan plan, RowMask mask, RowMask named_mask,
                                    std::function<void(std::exception_ptr, RankedRows)> done) {
  CheckMask(mask, tables->rows);
  CheckMask(named_mask, tables->rows);
  return StartOne<RankedRows>(
      pool, std::move(tables),
      [plan = std::move(plan), mask = std::move(mask), named_mask = std::move(named_mask)](
          const FactTables& own) { return RankRows(own, plan, mask, named_mask); },
      std::move(done));
}

std::shared_ptr<BlockJob> StartFindLikest(
    ThreadPool& pool, std::shared_ptr<const FactTables> tables, LikestPlan plan, RowMask mask,
    std::function<void(std::exception_ptr, LikestRows)> done) {
  CheckMask(mask, tables->rows);
  return StartOne<LikestRows>(
      pool, std::move(tables),
      [plan = std::move(plan), mask = std::move(mask)](const FactTables& own) {
        return FindLikest(own, plan, mask);
      },
      std::move(done));
}

}  // namespace synoptic
