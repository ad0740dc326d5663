#include "engine/candidates.h"

#include <algorithm>
#include <utility>

namespace synoptic {
namespace {

// Where a small result first looks whether it can drop something.
constexpr std::size_t kFirstLimit = 192;

// Eight-bit quantized codes keep about one candidate for each hit, four-bit ones ten.
constexpr std::size_t kManyPerHit = 8;

Hit ToHit(const Candidate& candidate) { return {candidate.lower, candidate.row, candidate.column}; }

// Leaves the first k of exact candidates, one for each row if distinct.
void KeepFirst(std::vector<Candidate>& exact, std::size_t k, bool distinct) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return RanksBefore(ToHit(a), ToHit(b));
  };
  if (distinct) {
    std::sort(exact.begin(), exact.end(), [&](const Candidate& a, const Candidate& b) {
      return a.row != b.row ? a.row < b.row : before(a, b);
    });
    const auto same_row = [](const Candidate& a, const Candidate& b) { return a.row == b.row; };
    exact.erase(std::unique(exact.begin(), exact.end(), same_row), exact.end());
  }
  if (exact.size() <= k) return;
  std::nth_element(exact.begin(), exact.begin() + static_cast<std::ptrdiff_t>(k), exact.end(),
                   before);
  exact.resize(k);
}

}  // namespace

void SharedThreshold::Raise(float value) noexcept {
  float current = Get();
  while (current < value &&
         !value_.compare_exchange_weak(current, value, std::memory_order_relaxed)) {
  }
}

float KthLowerBound(const std::vector<Candidate>& candidates, std::size_t k, bool distinct,
                    float least) {
  if (k == 0) return least;
  // Others cannot be what raises it.
  std::vector<std::pair<std::uint32_t, float>> above;
  for (const Candidate& candidate : candidates) {
    if (candidate.lower > least) above.emplace_back(candidate.row, candidate.lower);
  }
  if (distinct) {
    std::sort(above.begin(), above.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    const auto same_row = [](const auto& a, const auto& b) { return a.first == b.first; };
    above.erase(std::unique(above.begin(), above.end(), same_row), above.end());
  }
  if (above.size() < k) return least;
  const auto kth = above.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(above.begin(), kth, above.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return kth->second;
}

std::vector<Hit> FirstHits(std::vector<Candidate>& candidates, std::size_t k, bool distinct,
                           CandidateScorer& scorer) {
  // A group is scored as one: the columns of a row if rows are distinct, else a single pair.
  struct Group {
    float upper;
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    return distinct && a.row != b.row ? a.row < b.row : a.upper > b.upper;
  });
  std::vector<Group> groups;
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    if (!distinct || i == 0 || candidates[i].row != candidates[i - 1].row) {
      groups.push_back({candidates[i].upper, i, i});
    }
    groups.back().end = i + 1;
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.upper > b.upper; });
  TopK top(k);
  for (std::size_t at = 0; at < groups.size(); ++at) {
    const Group& group = groups[at];
    if (group.upper < top.Threshold()) break;
    if (at + kExpectedCandidates < groups.size()) {
      scorer.Expect(candidates[groups[at + kExpectedCandidates].begin]);
    }
    Hit best = {-std::numeric_limits<float>::infinity(), 0, 0};
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      Candidate& candidate = candidates[i];
      // Upper bounds descend within a group; below the best of its row there is nothing to win.
      if (candidate.upper < std::max(top.Threshold(), best.score)) break;
      if (!candidate.exact) scorer.Score(&candidate, 1);
      if (RanksBefore(ToHit(candidate), best)) best = ToHit(candidate);
    }
    if (best.score >= top.Threshold()) top.Push(best);
  }
  return top.Take();
}

CandidateArena::CandidateArena(std::size_t k, bool distinct, std::size_t max_kept)
    : k_(k),
      distinct_(distinct),
      max_kept_(std::max(max_kept, 2 * k + 2)),
      limit_(std::min(std::max(kFirstLimit, 4 * k), 2 * max_kept_)) {}

void CandidateArena::Compact(SharedThreshold& threshold, CandidateScorer& scorer) {
  const auto drop = [&] {
    threshold.Raise(KthLowerBound(candidates_, k_, distinct_, threshold.Get()));
    const float least = threshold.Get();
    std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.upper < least; });
  };
  drop();
  // Many left are a sign of wide bounds: the scores of the most promising give a better threshold.
  if (candidates_.size() > std::min(kManyPerHit * k_, max_kept_)) {
    ScorePromising(scorer);
    drop();
  }
  if (candidates_.size() > max_kept_) {
    ScoreAll(scorer);
    drop();
  }
  limit_ = std::max(limit_, std::min(2 * candidates_.size(), 2 * max_kept_));
}

void CandidateArena::ScorePromising(CandidateScorer& scorer) {
  const std::size_t count = std::min(2 * k_, candidates_.size());
  const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(candidates_.begin(), end, candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.lower > b.lower; });
  const auto inexact = std::partition(candidates_.begin(), end,
                                      [](const Candidate& candidate) { return candidate.exact; });
  if (inexact != end) scorer.Score(&*inexact, static_cast<std::size_t>(end - inexact));
}

void CandidateArena::ScoreAll(CandidateScorer& scorer) {
  const auto inexact = std::partition(candidates_.begin(), candidates_.end(),
                                      [](const Candidate& candidate) { return candidate.exact; });
  if (inexact != candidates_.end()) {
    scorer.Score(&*inexact, static_cast<std::size_t>(candidates_.end() - inexact));
  }
  KeepFirst(candidates_, k_, distinct_);
}

}  // namespace synoptic
