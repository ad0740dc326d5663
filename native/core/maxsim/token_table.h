// The rows of a static encoder, one a token, as maxsim compares them: int8, mapped from the model's
// own file, and the inverse norm of each.

#ifndef SYNOPTIC_MAXSIM_TOKEN_TABLE_H_
#define SYNOPTIC_MAXSIM_TOKEN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/mapped_file.h"

namespace synoptic {

// Tokens are numbered in 16 bits.
constexpr std::size_t kMaxTokens = 65536;

// Owns its mapping; immutable once every row has been measured.
class TokenTable {
 public:
  // The file: tokens x dimension int8, row-major, then one float32 a token, the row's scale.
  // Throws Error ETABLE_SHAPE, EFILE_OPEN.
  static TokenTable Open(const std::string& path, std::size_t tokens, std::size_t dimension);

  std::size_t tokens() const { return inverse_norms_.size(); }
  std::size_t dimension() const { return dimension_; }
  const std::int8_t* values() const { return reinterpret_cast<const std::int8_t*>(file_.data()); }
  const MappedFile& file() const { return file_; }

  // Ranges may be measured at the same time. Throws Error ETABLE_SCALE for a scale that is negative
  // or no number.
  void MeasureRows(std::size_t first, std::size_t count);

  // 1 / norm of the int8 row, rounded to float32; 0 for a row of zeros.
  const float* inverse_norms() const { return inverse_norms_.data(); }
  // Norms of the scaled rows: how much a token counts in a text's vector.
  const std::vector<float>& norms() const { return norms_; }

 private:
  TokenTable(MappedFile file, std::size_t tokens, std::size_t dimension)
      : file_(std::move(file)), dimension_(dimension), inverse_norms_(tokens), norms_(tokens) {}

  MappedFile file_;
  std::size_t dimension_;
  std::vector<float> inverse_norms_;
  std::vector<float> norms_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_MAXSIM_TOKEN_TABLE_H_
