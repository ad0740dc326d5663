// A `.tokens` file: the distinct tokens of every text of one column, in CSR form. All numbers are
// little-endian.
//
//   0   8 bytes    "SYNTOKEN"
//   8   uint32     version, 1
//   12  uint32     tokens that the tokenizer knows
//   16  uint32     rows
//   20  uint32     tokens in all lists together
//   24  uint32     CRC-32 (as zlib's) of everything after these 64 bytes
//   28  uint32     CRC-32 of the 28 bytes before it and the 32 after it
//   32  32 bytes   what the file was made from, see TokenLists::Open
//   64  uint32     rows + 1 positions: row i's list is from position i to position i + 1, left out
//   ..  uint16     the lists, each ascending

#ifndef SYNOPTIC_MAXSIM_TOKEN_LISTS_H_
#define SYNOPTIC_MAXSIM_TOKEN_LISTS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "io/mapped_file.h"

namespace synoptic {

using SourceHash = std::array<std::uint8_t, 32>;

// Owns its mapping; move only.
class TokenLists {
 public:
  // Validates the file whole. Throws Error ETOKENS_FORMAT, ETOKENS_STALE where it was made from
  // something else than `source`, EFILE_OPEN.
  static TokenLists Open(const std::string& path, const SourceHash& source);

  // Throws Error ETOKENS_FORMAT where the lists are not as they were written; reads them all.
  void CheckSum() const;

  std::size_t rows() const { return rows_; }
  std::size_t vocabulary() const { return vocabulary_; }
  const MappedFile& file() const { return file_; }

  // Never reads outside the file, even if somebody writes to it meanwhile.
  std::span<const std::uint16_t> ListOf(std::size_t row) const {
    const std::size_t end = std::min<std::size_t>(positions_[row + 1], total_);
    const std::size_t begin = std::min<std::size_t>(positions_[row], end);
    return {tokens_ + begin, end - begin};
  }

 private:
  explicit TokenLists(MappedFile file) : file_(std::move(file)) {}
  void ReadHeader(const SourceHash& source);
  void CheckLists() const;

  MappedFile file_;
  std::size_t rows_ = 0;
  std::size_t vocabulary_ = 0;
  std::size_t total_ = 0;
  const std::uint32_t* positions_ = nullptr;
  const std::uint16_t* tokens_ = nullptr;
};

}  // namespace synoptic

#endif  // SYNOPTIC_MAXSIM_TOKEN_LISTS_H_
