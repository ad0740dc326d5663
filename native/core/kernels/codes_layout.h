// How quantized codes lie in memory. They hold, for each row x divided by its norm, the codes c of
// r = R(x - B h), h = B'x: B are `directions` principal directions, R a rotation.
// r = s c + e, |e| <= rho.
//
// Rows come in blocks of 16: the 16 rows' codes, then 16 float32 each of s, rho and |s c|, then 16
// of each direction. A row has `padded` codes, zeros beyond the dimension:
//   8 bits: c, from -127 to 127, one byte each;
//   4 bits: n from 0 to 15 for c = 2 n - 15; byte j of a group of 64 bytes holds position j of the
//           group's 128 in its low half and position j + 64 in its high half.

#ifndef SYNOPTIC_KERNELS_CODES_LAYOUT_H_
#define SYNOPTIC_KERNELS_CODES_LAYOUT_H_

#include <cstddef>

namespace synoptic {

constexpr std::size_t kBlockRows = 16;
// More principal directions than this never paid for their bytes.
constexpr std::size_t kMaxDirections = 8;

struct CodesLayout {
  std::size_t dimension;
  std::size_t bits;  // 4 or 8
  std::size_t directions;

  std::size_t padded() const {
    const std::size_t step = bits == 4 ? 128 : 64;
    return (dimension + step - 1) / step * step;
  }
  std::size_t code_bytes() const { return padded() * bits / 8; }
  // A multiple of 64.
  std::size_t block_bytes() const {
    return kBlockRows * code_bytes() + (3 + directions) * kBlockRows * sizeof(float);
  }
};

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_CODES_LAYOUT_H_
