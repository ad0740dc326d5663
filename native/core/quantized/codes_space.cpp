#include "quantized/codes_space.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

#include "quantized/quantize.h"

namespace synoptic {
namespace {

// Matrices of a dimension share their rotation.
std::shared_ptr<const Rotation> SharedRotation(std::size_t padded) {
  static std::mutex mutex;
  static std::map<std::size_t, std::weak_ptr<const Rotation>> rotations;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Rotation> rotation = rotations[padded].lock();
  if (rotation == nullptr) {
    rotation = std::make_shared<const Rotation>(padded);
    rotations[padded] = rotation;
  }
  return rotation;
}

}  // namespace

CodesSpace::CodesSpace(const CodesLayout& layout, std::vector<double> basis)
    : layout(layout),
      basis(std::move(basis)),
      rotated_basis(layout.directions * layout.padded()),
      rotation(SharedRotation(layout.padded())) {
  std::vector<double> scratch(layout.padded());
  for (std::size_t direction = 0; direction < layout.directions; ++direction) {
    double* rotated = rotated_basis.data() + direction * layout.padded();
    std::copy_n(this->basis.data() + direction * layout.dimension, layout.dimension, rotated);
    rotation->Apply(rotated, scratch.data());
  }
}

void CodesSpace::WriteRow(const float* x, double norm, std::size_t row, double* scratch,
                          std::uint8_t* block) const {
  const std::size_t padded = layout.padded();
  double* values = scratch;
  const double inverse = 1 / norm;
  for (std::size_t d = 0; d < layout.dimension; ++d) values[d] = x[d] * inverse;
  std::fill(values + layout.dimension, values + padded, 0.0);
  double along[kMaxDirections];
  SplitDirections(basis, layout.dimension, values, along);
  rotation->Apply(values, scratch + padded);
  const QuantizedRow quantized = QuantizeRow(layout, values, row, block);
  auto* meta = reinterpret_cast<float*>(block + kBlockRows * layout.code_bytes());
  meta[row] = quantized.scale;
  meta[kBlockRows + row] = quantized.residual;
  meta[2 * kBlockRows + row] = quantized.length;
  for (std::size_t i = 0; i < layout.directions; ++i) {
    meta[(3 + i) * kBlockRows + row] = static_cast<float>(along[i]);
  }
}

RotatedQuery CodesSpace::Rotate(const double* query, double norm) const {
  RotatedQuery rotated(layout.padded());
  for (std::size_t d = 0; d < layout.dimension; ++d) rotated[d] = query[d] / norm;
  std::vector<double> scratch(layout.padded());
  rotation->Apply(rotated.data(), scratch.data());
  return rotated;
}

void CodesSpace::Project(const RotatedQuery& query, double* values, double* along) const {
  // A rotation keeps products: (R B)' R q = B' q.
  std::copy(query.begin(), query.end(), values);
  SplitDirections(rotated_basis, layout.padded(), values, along);
}

SingleQuery::SingleQuery(const CodesSpace& space, const RotatedQuery& rotated)
    : wide_(space.layout.padded()), high_(wide_.size()), low_(wide_.size()) {
  std::vector<double> values(wide_.size());
  double along[kMaxDirections] = {};
  space.Project(rotated, values.data(), along);
  const QuantizedQuery quantized = QuantizeWide(values.data(), values.size(), wide_.data());
  for (std::size_t d = 0; d < wide_.size(); ++d) {
    // The low plane takes the last byte as a signed one; |wide| <= 32512 keeps the high one in 127.
    low_[d] = static_cast<std::int8_t>(wide_[d] & 255);
    high_[d] = static_cast<std::int8_t>((wide_[d] - low_[d]) / 256);
  }
  query_ = {wide_.size(),
            space.layout.directions,
            space.layout.code_bytes(),
            space.layout.block_bytes(),
            wide_.data(),
            high_.data(),
            low_.data(),
            std::accumulate(wide_.begin(), wide_.end(), 0),
            quantized.scale,
            quantized.norm,
            quantized.phi,
            BoundSlack(space.layout.directions),
            {}};
  for (std::size_t i = 0; i < kMaxDirections; ++i) query_.along[i] = static_cast<float>(along[i]);
}

TileOfQueries::TileOfQueries(const CodesSpace& space, const CodesKernels& kernels,
                             const std::vector<RotatedQuery>& rotated)
    : tile_{} {
  const std::size_t padded = space.layout.padded();
  const bool wide = kernels.tile8_is_wide && space.layout.bits == 8;
  if (wide) {
    wide_.resize(padded * kTileQueries);
  } else {
    narrow_.resize(padded * kTileQueries);
  }
  tile_.padded = padded;
  tile_.directions = space.layout.directions;
  tile_.packed = wide ? static_cast<const void*>(wide_.data()) : narrow_.data();
  tile_.slack = BoundSlack(space.layout.directions);
  std::vector<double> values(padded);
  std::vector<std::int16_t> wide_values(padded);
  std::vector<std::int8_t> narrow_values(padded);
  for (std::size_t query = 0; query < rotated.size(); ++query) {
    double along[kMaxDirections] = {};
    space.Project(rotated[query], values.data(), along);
    const QuantizedQuery quantized =
        wide ? QuantizeWide(values.data(), padded, wide_values.data())
             : QuantizeNarrow(values.data(), padded, narrow_values.data());
    for (std::size_t d = 0; d < padded; ++d) {
      if (wide) {
        wide_[(d / 2 * kTileQueries + query) * 2 + d % 2] = wide_values[d];
      } else {
        narrow_[(d / 4 * kTileQueries + query) * 4 + d % 4] = narrow_values[d];
      }
    }
    const std::int32_t sum = std::accumulate(narrow_values.begin(), narrow_values.end(), 0);
    tile_.offset[query] = wide ? 0 : sum * (space.layout.bits == 4 ? 15 : kernels.tile8_bias);
    tile_.scale[query] = quantized.scale;
    tile_.norm[query] = quantized.norm;
    tile_.phi[query] = quantized.phi;
    for (std::size_t i = 0; i < kMaxDirections; ++i) {
      tile_.along[i][query] = static_cast<float>(along[i]);
    }
  }
}

}  // namespace synoptic
