// From vectors to the space of the codes: split off the principal directions B, rotate the rest by
// R, both exact identities up to float64: q.x = h_q.h_x + w.r.

#ifndef SYNOPTIC_QUANTIZED_CODES_TRANSFORM_H_
#define SYNOPTIC_QUANTIZED_CODES_TRANSFORM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/matrix.h"

namespace synoptic {

// Two rounds of permutation, random signs and block-wise Hadamard: orthogonal, O(n log n), the same
// for every column of a dimension.
class Rotation {
 public:
  // `padded` is a multiple of 64.
  explicit Rotation(std::size_t padded);

  // `values` has `padded` elements; so has `scratch`.
  void Apply(double* values, double* scratch) const noexcept;

  // What another implementation of Apply needs: position i of a round takes sign[i] * source[i],
  // and then every `block` positions their Hadamard transform.
  struct Round {
    std::vector<std::uint32_t> source;
    std::vector<double> sign;
  };
  const Round& round(std::size_t index) const { return rounds_[index]; }
  std::size_t block() const { return block_; }

 private:
  void Hadamard(double* values) const noexcept;

  std::size_t padded_;
  std::size_t block_;
  Round rounds_[2];
};

// The principal directions of a measured matrix: orthonormal rows of `dimension` float64. Empty
// when they hold too little of the sample to be worth their bytes.
std::vector<double> PrincipalDirections(const Matrix& matrix);

// h = B'x and x -= B h. `basis` is directions x dimension.
void SplitDirections(const std::vector<double>& basis, std::size_t dimension, double* x,
                     double* along) noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_CODES_TRANSFORM_H_
