#include "engine/top_k.h"

#include <algorithm>
#include <utility>

namespace synoptic {

void TopK::Push(const Hit& hit) {
  if (hits_.size() < k_) {
    hits_.push_back(hit);
    std::push_heap(hits_.begin(), hits_.end(), RanksBefore);
  } else if (k_ > 0 && RanksBefore(hit, hits_.front())) {
    std::pop_heap(hits_.begin(), hits_.end(), RanksBefore);
    hits_.back() = hit;
    std::push_heap(hits_.begin(), hits_.end(), RanksBefore);
  }
}

std::vector<Hit> TopK::Take() {
  std::sort(hits_.begin(), hits_.end(), RanksBefore);
  return std::exchange(hits_, {});
}

}  // namespace synoptic
