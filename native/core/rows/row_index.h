// A `.rows` file: what /search reads of the rows of one dataset, mapped and never copied. All
// numbers are little-endian; src/native/row-index-file.ts writes the file.
//
//   0    8 bytes    "SYNOROWS"
//   8    uint32     version
//   12   uint32     rows
//   16   uint32     sections
//   20   uint32     CRC-32 (as zlib's) of the first 4096 bytes without these four
//   24   uint64     bytes of the file, without the hashes of its blocks that end it
//   32   32 bytes   version of the dataset that the file was built from
//   64   sections x {16 bytes name, uint64 offset, uint64 bytes}
//   4096 sections, each from a multiple of 64 on
//
// Lists of rows, such as the postings of all stems, are four sections: `names`, the lists' names
// one after the other, in the order of their bytes; `name-ends`, a uint32 a list; `ends`, a uint32
// a list and stripe of 65,536 rows; `postings`, for each list and stripe the low 16 bits of its
// rows, ascending, and then a uint16 value a row.

#ifndef SYNOPTIC_ROWS_ROW_INDEX_H_
#define SYNOPTIC_ROWS_ROW_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/mapped_file.h"

namespace synoptic {

constexpr std::size_t kStripeRows = 65536;

// The rows of one list in one stripe; both arrays are as long.
struct Postings {
  std::span<const std::uint16_t> rows;
  std::span<const std::uint16_t> values;
};

// Refers to the index that it is part of. No call reads outside of it, whatever the bytes are.
class RowLists {
 public:
  std::size_t size() const { return name_ends_.size(); }
  std::size_t stripes() const { return stripes_; }
  std::optional<std::uint32_t> Find(std::string_view name) const;
  Postings Of(std::size_t list, std::size_t stripe) const;

 private:
  friend class RowIndex;
  std::string_view NameOf(std::size_t list) const;

  std::size_t stripes_ = 0;
  std::string_view names_;
  std::span<const std::uint32_t> name_ends_;
  std::span<const std::uint32_t> ends_;
  std::span<const std::uint16_t> postings_;
};

// Owns its mapping, or the bytes themselves; immutable.
class RowIndex {
 public:
  using DatasetVersion = std::array<std::uint8_t, 32>;

  // Throw Error EROWS_FORMAT; EROWS_STALE where the file was built from another version of the
  // dataset; Open throws EFILE_OPEN, too. They read the header only: who opens a file compares its
  // blocks with their hashes.
  static std::shared_ptr<const RowIndex> Open(const std::string& path,
                                              const DatasetVersion& version);
  static std::shared_ptr<const RowIndex> Of(std::vector<std::uint8_t> bytes,
                                            const DatasetVersion& version);

  std::size_t rows() const { return rows_; }
  // The postings of every stem of titles and texts; values are impacts, see word_search.h.
  const RowLists& stems() const { return stems_; }
  // Bytes that processes share; 0 where there is no file.
  std::size_t mapped_bytes() const { return file_ ? file_->size() : 0; }
  // Throws Error EFILE_CHANGED.
  void CheckUnchanged() const {
    if (file_) file_->CheckUnchanged();
  }

 private:
  RowIndex() = default;
  void ReadHeader(const DatasetVersion& version);
  template <class T>
  std::span<const T> Section(std::string_view name) const;
  RowLists Lists(const std::string& prefix) const;
  [[noreturn]] void Refuse(const std::string& expected, const std::string& found) const;
  std::string path() const { return file_ ? file_->path() : "row index"; }

  std::optional<MappedFile> file_;
  std::vector<std::uint8_t> own_bytes_;
  std::span<const std::uint8_t> bytes_;
  std::size_t rows_ = 0;
  std::size_t sections_ = 0;
  RowLists stems_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_INDEX_H_
