// The first k of the total order: score descending, then row, then column ascending.

#ifndef SYNOPTIC_ENGINE_TOP_K_H_
#define SYNOPTIC_ENGINE_TOP_K_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace synoptic {

struct Hit {
  float score;
  std::uint32_t row;
  std::uint16_t column;
};

// Whether `a` comes before `b` in a result. Scores are finite; -0 and 0 tie.
inline bool RanksBefore(const Hit& a, const Hit& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.row != b.row) return a.row < b.row;
  return a.column < b.column;
}

// A bounded heap with the worst kept hit in front. Which hits are kept does not depend on the order
// in which they are pushed.
class TopK {
 public:
  explicit TopK(std::size_t k) : k_(k) {}

  void Push(const Hit& hit);

  // Hits below this score cannot enter; those at it may, by row.
  float Threshold() const {
    if (k_ == 0) return std::numeric_limits<float>::infinity();
    return hits_.size() < k_ ? -std::numeric_limits<float>::infinity() : hits_.front().score;
  }

  const std::vector<Hit>& hits() const { return hits_; }

  // Sorts what is kept and hands it over.
  std::vector<Hit> Take();

 private:
  std::size_t k_;
  std::vector<Hit> hits_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_TOP_K_H_
