// Rows and queries as integers, with what the integers leave out measured and rounded up.

#ifndef SYNOPTIC_QUANTIZED_QUANTIZE_H_
#define SYNOPTIC_QUANTIZED_QUANTIZE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/codes_layout.h"

namespace synoptic {

// A row r of `padded` values as s * c.
struct QuantizedRow {
  float scale;     // s
  float residual;  // rho >= |r - s c|
  float length;    // >= |s c|
};

// Writes the codes of row `row` of a block at `block`, as CodesLayout says.
QuantizedRow QuantizeRow(const CodesLayout& layout, const double* values, std::size_t row,
                         std::uint8_t* block);

// Integers whose product with `scale` is about the query.
struct QuantizedQuery {
  float scale;
  float norm;  // >= |w|
  float phi;   // >= |w - scale * integers|
};

// 15 bits at most, such that 127 * sum(|integers|) < 2^31.
QuantizedQuery QuantizeWide(const double* values, std::size_t padded, std::int16_t* integers);

// 7 bits: from -127 to 127.
QuantizedQuery QuantizeNarrow(const double* values, std::size_t padded, std::int8_t* integers);

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_QUANTIZE_H_
