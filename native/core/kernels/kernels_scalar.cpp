// The specification: plain loops that any reader can check.

#include "kernels/codes_kernels.h"
#include "kernels/kernels.h"

namespace synoptic {
namespace {

double AddLanes(double* lanes) noexcept {
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

void DotRows(const double* query, const float* matrix, std::size_t dimension,
             const std::uint32_t* rows, std::size_t count, double* sums) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = matrix + rows[i] * dimension;
    double lanes[kLanes] = {};
    for (std::size_t d = 0; d < dimension; ++d) {
      lanes[d % kLanes] += query[d] * static_cast<double>(row[d]);
    }
    sums[i] = AddLanes(lanes);
  }
}

void SquareRows(const float* matrix, std::size_t dimension, std::size_t first, std::size_t count,
                double* sums) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = matrix + (first + i) * dimension;
    double lanes[kLanes] = {};
    for (std::size_t d = 0; d < dimension; ++d) {
      const double value = row[d];
      lanes[d % kLanes] += value * value;
    }
    sums[i] = AddLanes(lanes);
  }
}

}  // namespace

const Kernels kScalarKernels = {"scalar", DotRows, SquareRows, &kScalarCodes};

}  // namespace synoptic
