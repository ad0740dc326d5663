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
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/mapped_file.h"

namespace synoptic {

using SourceHash = std::array<std::uint8_t, 32>;

// Owns its mapping, or the lists themselves; move only.
class TokenLists {
 public:
  // Validates the file whole. Throws Error ETOKENS_FORMAT, ETOKENS_STALE where it was made from
  // something else than `source`, EFILE_OPEN.
  static TokenLists Open(const std::string& path, const SourceHash& source);

  // Lists that are in no file: list i ends before ends[i], and begins where the one before it ends.
  // Throws Error EARGUMENT.
  static TokenLists Of(std::vector<std::uint16_t> tokens, const std::vector<std::uint32_t>& ends,
                       std::size_t vocabulary);

  // Throws Error ETOKENS_FORMAT where the lists are not as they were written; reads them all.
  void CheckSum() const;
  // Throws Error EFILE_CHANGED.
  void CheckUnchanged() const {
    if (file_) file_->CheckUnchanged();
  }

  std::size_t rows() const { return rows_; }
  std::size_t vocabulary() const { return vocabulary_; }
  // Where they are mapped from; empty of lists that are in no file.
  const std::optional<MappedFile>& file() const { return file_; }

  // Never reads outside the file, even if somebody writes to it meanwhile.
  std::span<const std::uint16_t> ListOf(std::size_t row) const {
    const std::size_t end = std::min<std::size_t>(positions_[row + 1], total_);
    const std::size_t begin = std::min<std::size_t>(positions_[row], end);
    return {tokens_ + begin, end - begin};
  }

 private:
  TokenLists() = default;
  explicit TokenLists(MappedFile file) : file_(std::move(file)) {}
  void ReadHeader(const SourceHash& source);
  void CheckLists() const;

  std::optional<MappedFile> file_;
  // Where there is no file; a move leaves their memory where it is.
  std::vector<std::uint32_t> own_positions_;
  std::vector<std::uint16_t> own_tokens_;
  std::size_t rows_ = 0;
  std::size_t vocabulary_ = 0;
  std::size_t total_ = 0;
  const std::uint32_t* positions_ = nullptr;
  const std::uint16_t* tokens_ = nullptr;
};

}  // namespace synoptic

#endif  // SYNOPTIC_MAXSIM_TOKEN_LISTS_H_
