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

// Every rounding that the bounds do not measure: at most directions + 3 products and sums of
// float32 on each side, 2^-24 each of values of at most about 1, the operands' own roundings, and
// the final rounding of the exact score.
inline float BoundSlack(std::size_t directions) {
  return static_cast<float>(directions + 24) * 0x1p-23f;
}

// R q / |q|: padded elements, the same for all columns of the same padding.
using RotatedQuery = std::vector<double>;

struct CodesSpace {
  CodesSpace(const CodesLayout& layout, std::vector<double> basis);

  // Writes row `row` of a block; `x` is a valid row of norm `norm`. `scratch` has 2 x padded
  // elements.
  void WriteRow(const float* x, double norm, std::size_t row, double* scratch,
                std::uint8_t* block) const;

  RotatedQuery Rotate(const double* query, double norm) const;

  // w = R(q - B h) to `values` (padded) and h to `along`, for a query rotated with the same
  // padding.
  void Project(const RotatedQuery& query, double* values, double* along) const;

  CodesLayout layout;
  std::vector<double> basis;          // directions x dimension
  std::vector<double> rotated_basis;  // R B: directions x padded
  std::shared_ptr<const Rotation> rotation;
};

// A query for the kernels that take one, with the memory it points to.
class SingleQuery {
 public:
  SingleQuery(const CodesSpace& space, const RotatedQuery& rotated);
  const CodesQuery& kernel_query() const { return query_; }

 private:
  AlignedVector<std::int16_t> wide_;
  AlignedVector<std::int8_t> high_;
  AlignedVector<std::int8_t> low_;
  CodesQuery query_;
};

// Up to 16 queries for the kernels that take tiles, with the memory they point to.
class TileOfQueries {
 public:
  TileOfQueries(const CodesSpace& space, const CodesKernels& kernels,
                const std::vector<RotatedQuery>& rotated);
  const CodesTile& kernel_tile() const { return tile_; }

 private:
  AlignedVector<std::int16_t> wide_;
  AlignedVector<std::int8_t> narrow_;
  CodesTile tile_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_SPACE_H_
