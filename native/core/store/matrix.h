// A float32 matrix: a view over a mapped `.npy` file, with the exact norm of every row.

#ifndef SYNOPTIC_STORE_MATRIX_H_
#define SYNOPTIC_STORE_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/mapped_file.h"
#include "kernels/kernels.h"
#include "store/npy.h"

namespace synoptic {

// Owns its mapping; immutable once every row has been measured.
class Matrix {
 public:
  // Validates the file whole; no row is read. Throws Error.
  static Matrix Open(const std::string& path);

  std::size_t rows() const { return header_.rows; }
  std::size_t dimension() const { return header_.dimension; }
  const float* values() const { return values_; }
  const MappedFile& file() const { return file_; }

  // Norms and validity of rows first to first + count - 1. Ranges that start at a multiple of 64
  // may be measured at the same time.
  void MeasureRows(const Kernels& kernels, std::size_t first, std::size_t count);

  // The square root of the exact S(x, x); 0 for an invalid row.
  double norm(std::size_t row) const { return norms_[row]; }

  // Prefetches a row and its norm, for a caller that will soon score it.
  void PrefetchRow(std::size_t row) const noexcept;

  // 64 rows a word, least significant bit first; zero, NaN and infinite rows are 0.
  const std::vector<std::uint64_t>& valid_words() const { return valid_words_; }
  std::size_t CountValid() const;

 private:
  Matrix(MappedFile file, const NpyHeader& header);

  MappedFile file_;
  NpyHeader header_;
  const float* values_;
  std::vector<double> norms_;
  std::vector<std::uint64_t> valid_words_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_STORE_MATRIX_H_
