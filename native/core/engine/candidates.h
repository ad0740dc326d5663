// What may still be in a result: (row, column) pairs with an upper and a lower bound of their
// score. The k-th best lower bound, over distinct rows where rows are distinct, is a threshold that
// no pair of the result is below: whatever has a smaller upper bound is dropped.

#ifndef SYNOPTIC_ENGINE_CANDIDATES_H_
#define SYNOPTIC_ENGINE_CANDIDATES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/top_k.h"

namespace synoptic {

struct Candidate {
  float upper;
  float lower;
  std::uint32_t row;
  std::uint16_t column;
  // Both bounds are the exact score.
  bool exact;
};

// The best threshold that any worker has found for a query. It only grows.
class SharedThreshold {
 public:
  float Get() const noexcept { return value_.load(std::memory_order_relaxed); }
  void Raise(float value) noexcept;

 private:
  std::atomic<float> value_{-std::numeric_limits<float>::infinity()};
};

// The k-th best lower bound, of distinct rows if so; `least` where fewer than k are above that.
float KthLowerBound(const std::vector<Candidate>& candidates, std::size_t k, bool distinct,
                    float least);

// Scores the candidates of one query exactly.
class CandidateScorer {
 public:
  virtual ~CandidateScorer() = default;
  // In place.
  virtual void Score(Candidate* candidates, std::size_t count) = 0;
  // Says that this one is likely to be scored soon: its row can be prefetched.
  virtual void Expect(const Candidate& candidate) = 0;
};

// How many candidates ahead their rows are prefetched.
constexpr std::size_t kExpectedCandidates = 6;

// The first k of the total order, each row once if distinct, from candidates among which they all
// are. Scores them in the order of their upper bounds, until those are below the k-th score.
std::vector<Hit> FirstHits(std::vector<Candidate>& candidates, std::size_t k, bool distinct,
                           CandidateScorer& scorer);

// What one worker keeps for one query. Memory is bounded: when more than `max_kept` cannot be
// dropped, they are scored on the spot, which makes them exact, and all but the first k of those
// go.
class CandidateArena {
 public:
  CandidateArena(std::size_t k, bool distinct, std::size_t max_kept);

  void Add(const Candidate& candidate, SharedThreshold& threshold, CandidateScorer& scorer) {
    candidates_.push_back(candidate);
    if (candidates_.size() >= limit_) Compact(threshold, scorer);
  }

  std::vector<Candidate>& candidates() { return candidates_; }

 private:
  void Compact(SharedThreshold& threshold, CandidateScorer& scorer);
  void ScorePromising(CandidateScorer& scorer);
  void ScoreAll(CandidateScorer& scorer);

  std::size_t k_;
  bool distinct_;
  std::size_t max_kept_;
  std::size_t limit_;
  std::vector<Candidate> candidates_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_CANDIDATES_H_
