// The first rows of an array with one score a row.

#ifndef SYNOPTIC_ROWS_TOP_ROWS_H_
#define SYNOPTIC_ROWS_TOP_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/top_k.h"

namespace synoptic {

// The first k by score, ties by row, of the rows above the bound that pass.
// `mask`: one bit a row, least significant bit first; empty: every row passes.
std::vector<Hit> TopRows(std::span<const float> scores, std::size_t k, double above,
                         std::span<const std::uint8_t> mask);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_TOP_ROWS_H_
