// Measures on a sample which quantized codes let a search read the least.

#ifndef SYNOPTIC_QUANTIZED_CODES_PLANNER_H_
#define SYNOPTIC_QUANTIZED_CODES_PLANNER_H_

#include <cstddef>
#include <vector>

#include "kernels/kernels.h"
#include "store/matrix.h"

namespace synoptic {

struct CodesPlan {
  // 0: no codes.
  std::size_t bits;
  // Of the principal directions, how many to split off: the first.
  std::size_t directions;
  // Rows that a search for ten is expected to score exactly.
  float predicted_candidates;
};

// `bits` 4 or 8 fixes that choice; 0 chooses. The matrix has been measured; `basis` are its leading
// directions.
CodesPlan PlanCodes(const Kernels& kernels, const Matrix& matrix, const std::vector<double>& basis,
                    std::size_t bits);

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_PLANNER_H_
