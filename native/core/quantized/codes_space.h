// The space that the codes of one matrix live in, and the way of rows and queries into it.

#ifndef SYNOPTIC_QUANTIZED_CODES_SPACE_H_
#define SYNOPTIC_QUANTIZED_CODES_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/aligned.h"
#include "kernels/codes_kernels.h"
#include "kernels/codes_layout.h"
#include "quantized/codes_transform.h"

namespace synoptic {

// Every rounding that the bounds do not measure: at most heads + 3 products and sums of float32 on
// each side, 2^-24 each of values of at most about 1, the operands' own roundings, and the final
// rounding of the canonical score.
inline float BoundSlack(std::size_t heads) { return static_cast<float>(heads + 24) * 0x1p-23f; }

// R q / |q|: padded elements, the same for all columns of the same padding.
using RotatedQuery = std::vector<double>;

struct ShadowSpace {
  ShadowSpace(const ShadowLayout& layout, std::vector<double> basis);

  // Writes row `row` of a block; `x` is a valid row of norm `norm`. `scratch` has 2 x padded
  // elements.
  void WriteRow(const float* x, double norm, std::size_t row, double* scratch,
                std::uint8_t* block) const;

  RotatedQuery Rotate(const double* query, double norm) const;

  // w = R(q - B h) to `values` (padded) and h to `head`, for a query rotated with the same padding.
  void Project(const RotatedQuery& query, double* values, double* head) const;

  ShadowLayout layout;
  std::vector<double> basis;          // heads x dimension
  std::vector<double> rotated_basis;  // R B: heads x padded
  std::shared_ptr<const Rotation> rotation;
};

// A query for the kernels that take one, with the memory it points to.
class SingleQuery {
 public:
  SingleQuery(const ShadowSpace& space, const RotatedQuery& rotated);
  const ShadowQuery& kernel_query() const { return query_; }

 private:
  AlignedVector<std::int16_t> wide_;
  AlignedVector<std::int8_t> high_;
  AlignedVector<std::int8_t> low_;
  ShadowQuery query_;
};

// Up to 16 queries for the kernels that take tiles, with the memory they point to.
class TileOfQueries {
 public:
  TileOfQueries(const ShadowSpace& space, const ShadowKernels& kernels,
                const std::vector<RotatedQuery>& rotated);
  const ShadowTile& kernel_tile() const { return tile_; }

 private:
  AlignedVector<std::int16_t> wide_;
  AlignedVector<std::int8_t> narrow_;
  ShadowTile tile_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_SPACE_H_
