#include "maxsim/token_table.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "kernels/max_sim_kernels.h"

namespace synoptic {

TokenTable TokenTable::Open(const std::string& path, std::size_t tokens, std::size_t dimension) {
  if (tokens == 0 || tokens > kMaxTokens) {
    throw Error("ETABLE_SHAPE", path, "1 to " + std::to_string(kMaxTokens) + " tokens",
                std::to_string(tokens));
  }
  if (dimension == 0 || dimension > kMaxTableDimension || dimension % kTableDimensionStep != 0) {
    throw Error("ETABLE_SHAPE", path,
                "a multiple of " + std::to_string(kTableDimensionStep) + " dimensions, at most " +
                    std::to_string(kMaxTableDimension),
                std::to_string(dimension));
  }
  MappedFile file = MappedFile::Open(path);
  const std::size_t size = tokens * (dimension + sizeof(float));
  if (file.size() != size) {
    throw Error("ETABLE_SHAPE", path,
                std::to_string(size) + " bytes for " + std::to_string(tokens) + " x " +
                    std::to_string(dimension) + " int8 and their scales",
                std::to_string(file.size()) + " bytes");
  }
  return TokenTable(std::move(file), tokens, dimension);
}

void TokenTable::MeasureRows(std::size_t first, std::size_t count) {
  const std::uint8_t* scales = file_.data() + tokens() * dimension_;
  for (std::size_t token = first; token < first + count; ++token) {
    float scale;
    std::memcpy(&scale, scales + token * sizeof(scale), sizeof(scale));
    if (!std::isfinite(scale) || scale < 0) {
      throw Error("ETABLE_SCALE", file_.path(), "scales that are finite and not negative",
                  std::to_string(scale) + " for token " + std::to_string(token));
    }
    const std::int8_t* row = values() + token * dimension_;
    std::int32_t square = 0;
    for (std::size_t d = 0; d < dimension_; ++d) square += row[d] * row[d];
    const double norm = std::sqrt(static_cast<double>(square));
    inverse_norms_[token] = square == 0 ? 0.0f : static_cast<float>(1 / norm);
    norms_[token] = static_cast<float>(norm * static_cast<double>(scale));
  }
}

}  // namespace synoptic
