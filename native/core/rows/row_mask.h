// Which rows pass.

#ifndef SYNOPTIC_ROWS_ROW_MASK_H_
#define SYNOPTIC_ROWS_ROW_MASK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"

namespace synoptic {

// One bit a row, least significant bit first; empty: every row passes.
using RowMask = std::vector<std::uint8_t>;

inline bool Passes(const RowMask& mask, std::size_t row) {
  return mask.empty() || ((mask[row / 8] >> (row % 8)) & 1) != 0;
}

// Throws Error EARGUMENT where the mask is one of another number of rows.
inline void CheckMask(const RowMask& mask, std::size_t row_count) {
  const std::size_t bytes = (row_count + 7) / 8;
  if (mask.empty() || mask.size() == bytes) return;
  throw Error("EARGUMENT", "mask: expected " + std::to_string(bytes) + " bytes, received " +
                               std::to_string(mask.size()));
}

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_MASK_H_
