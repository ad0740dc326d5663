// The specification of maxsim's kernels: plain loops that any reader can check.

#include "kernels/max_sim_kernels.h"

namespace synoptic {
namespace {

void CompareTokens(const MaxSimQuery& query, const std::int8_t* table, std::size_t dimension,
                   const float* inverse_norms, const std::uint16_t* tokens, std::size_t count,
                   std::int16_t* levels) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t token = tokens[i];
    const std::int8_t* row = table + token * dimension;
    std::int16_t* level = levels + token * kMaxSimLanes;
    for (std::size_t q = 0; q < kMaxSimLanes; ++q) {
      if (q >= query.lanes) {
        level[q] = 0;
        continue;
      }
      const std::int8_t* query_row = query.rows + q * dimension;
      std::int32_t dot = 0;
      for (std::size_t d = 0; d < dimension; ++d) dot += query_row[d] * row[d];
      const float scaled = static_cast<float>(dot) * inverse_norms[token] * query.scales[q];
      level[q] = scaled > 0 ? static_cast<std::int16_t>(scaled) : std::int16_t{0};
    }
  }
}

void BestLevels(const std::int16_t* levels, const std::uint16_t* tokens, std::size_t count,
                std::int16_t* best) noexcept {
  for (std::size_t q = 0; q < kMaxSimLanes; ++q) best[q] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int16_t* level = levels + tokens[i] * kMaxSimLanes;
    for (std::size_t q = 0; q < kMaxSimLanes; ++q) {
      if (level[q] > best[q]) best[q] = level[q];
    }
  }
}

}  // namespace

const MaxSimKernels kScalarMaxSimKernels = {"scalar", CompareTokens, BestLevels};

}  // namespace synoptic
