#include "store/matrix.h"

#include <bit>
#include <cmath>
#include <utility>

#include "base/compiler.h"

namespace synoptic {

Matrix Matrix::Open(const std::string& path) {
  MappedFile file = MappedFile::Open(path);
  const NpyHeader header = ParseNpy(file.data(), file.size(), path);
  return Matrix(std::move(file), header);
}

Matrix::Matrix(MappedFile file, const NpyHeader& header)
    : file_(std::move(file)),
      header_(header),
      values_(reinterpret_cast<const float*>(file_.data() + header.data_offset)),
      norms_(header.rows),
      valid_words_((header.rows + 63) / 64) {}

void Matrix::MeasureRows(const Kernels& kernels, std::size_t first, std::size_t count) {
  kernels.square_rows(values_, dimension(), first, count, norms_.data() + first);
  for (std::size_t row = first; row < first + count; ++row) {
    // Squares of finite float32 neither overflow nor vanish in float64: checking the sum is enough.
    const bool valid = norms_[row] > 0 && std::isfinite(norms_[row]);
    norms_[row] = valid ? std::sqrt(norms_[row]) : 0;
    if (valid) valid_words_[row / 64] |= std::uint64_t{1} << row % 64;
  }
}

void Matrix::PrefetchRow(std::size_t row) const noexcept {
  const float* values = values_ + row * dimension();
  for (std::size_t d = 0; d < dimension(); d += 16) Prefetch(values + d);
  Prefetch(&norms_[row]);
}

std::size_t Matrix::CountValid() const {
  std::size_t count = 0;
  for (const std::uint64_t word : valid_words_) {
    count += static_cast<std::size_t>(std::popcount(word));
  }
  return count;
}

}  // namespace synoptic
