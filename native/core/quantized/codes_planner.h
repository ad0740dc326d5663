// Measures on a sample which shadow would let a search read the least.

#ifndef SYNOPTIC_QUANTIZED_CODES_PLANNER_H_
#define SYNOPTIC_QUANTIZED_CODES_PLANNER_H_

#include <cstddef>
#include <vector>

#include "kernels/kernels.h"
#include "store/matrix.h"

namespace synoptic {

struct ShadowPlan {
  // 0: no shadow.
  std::size_t bits;
  // Of the leading directions, how many to split off: the first.
  std::size_t heads;
  // Rows that a search for ten is expected to score canonically.
  float predicted_survivors;
};

// `bits` 4 or 8 fixes that choice; 0 chooses. The matrix has been measured; `basis` are its leading
// directions.
ShadowPlan PlanShadow(const Kernels& kernels, const Matrix& matrix,
                      const std::vector<double>& basis, std::size_t bits);

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_PLANNER_H_
