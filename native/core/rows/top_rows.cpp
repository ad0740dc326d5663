#include "rows/top_rows.h"

#include <algorithm>

namespace synoptic {

std::vector<Hit> TopRows(std::span<const float> scores, std::size_t k, double above,
                         std::span<const std::uint8_t> mask) {
  TopK best(std::min(k, scores.size()));
  if (k == 0) return {};
  double least = above;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    // A row that ties with the last hit comes after it and stays out.
    if (!(static_cast<double>(scores[row]) > least)) continue;
    if (!mask.empty() && ((mask[row / 8] >> (row % 8)) & 1) == 0) continue;
    best.Push({scores[row], static_cast<std::uint32_t>(row), 0});
    least = std::max(above, static_cast<double>(best.Threshold()));
  }
  return best.Take();
}

}  // namespace synoptic
