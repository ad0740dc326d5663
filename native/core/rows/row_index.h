// A `.rows` file: what /search reads of the rows of one dataset, mapped and never copied. All
// numbers are little-endian; src/data/rows/row-index-file.ts writes the file.
//
//   0    8 bytes    "SYNOROWS"
//   8    uint32     version
//   12   uint32     rows
//   16   uint32     sections
//   20   uint32     CRC-32 (as zlib's) of the first 4096 bytes without these four
//   24   uint64     bytes of the file, without the hashes of its blocks that end it
//   32   32 bytes   version of the dataset that the file was built from
//   64   sections x {32 bytes name, uint64 offset, uint64 bytes}
//   4096 sections, each from a multiple of 64 on
//
// Lists have names: `names`, one after the other, in the order of their bytes, and `name-ends`, a
// uint32 a list. Lists of rows with values, such as the postings of all stems, add `ends`, a uint32
// a list and stripe of 65,536 rows, and `postings`, for each list and stripe the low 16 bits of its
// rows, ascending, and then a uint16 value a row. Lists of numbers add `ends`, a uint32 a list, and
// `numbers`, uint32s.
//
//   stem           rows and impacts of each stem
//   character      by the name of a character: rows, ascending
//   character-key  by words that name characters: numbers of their lists in `character`
//   initial        by first letters of a title: the row of the best-known work
//   continued      an int32 a row: the row that it continues, or -1
//   titles         an index of titles (src/data/titles/open-titles.ts reads it)
//
// Facts of the rows, which src/data/catalogue/row-facts.ts writes: a number a row (`year`,
// `episodes`, `volumes`, `chapters`, `minutes`, `score`, `popularity`, `franchise`, `main`,
// `norm`); `fact` and `trait`, lists of rows by number with their weights; `row-trait`, the traits
// of each row; and `recommended`, the neighbours of each franchise.

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
#include <utility>
#include <vector>

#include "io/mapped_file.h"

namespace synoptic {

constexpr std::size_t kStripeRows = 65536;

// Names in the order of their bytes. Refers to the index that it is part of.
class ListNames {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view Of(std::size_t list) const;
  std::optional<std::uint32_t> Find(std::string_view name) const;
  // Whether one of the names begins so.
  bool HasBeginning(std::string_view beginning) const;

 private:
  friend class RowIndex;
  std::size_t LowerBound(std::string_view name) const;

  std::string_view bytes_;
  std::span<const std::uint32_t> ends_;
};

// The rows of one list in one stripe; both arrays are as long.
struct Postings {
  std::span<const std::uint16_t> rows;
  std::span<const std::uint16_t> values;
};

// Refers to the index that it is part of. No call reads outside of it, whatever the bytes are.
class RowLists {
 public:
  std::size_t size() const { return names_.size(); }
  std::size_t stripes() const { return stripes_; }
  std::optional<std::uint32_t> Find(std::string_view name) const { return names_.Find(name); }
  Postings Of(std::size_t list, std::size_t stripe) const;

 private:
  friend class RowIndex;

  std::size_t stripes_ = 0;
  ListNames names_;
  std::span<const std::uint32_t> ends_;
  std::span<const std::uint16_t> postings_;
};

// Refers to the index that it is part of. No call reads outside of it, whatever the bytes are.
class NumberLists {
 public:
  const ListNames& names() const { return names_; }
  // Empty of a list that there is not.
  std::span<const std::uint32_t> Of(std::size_t list) const;

 private:
  friend class RowIndex;

  ListNames names_;
  std::span<const std::uint32_t> ends_;
  std::span<const std::uint32_t> numbers_;
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
  // Throw Error EROWS_FORMAT where there is none of that name.
  const NumberLists& Numbers(std::string_view kind) const;
  std::span<const std::uint8_t> Bytes(std::string_view section) const;
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
  ListNames Names(const std::string& kind) const;
  RowLists Lists(const std::string& kind) const;
  NumberLists ReadNumbers(const std::string& kind) const;
  [[noreturn]] void Refuse(const std::string& expected, const std::string& found) const;
  std::string path() const { return file_ ? file_->path() : "row index"; }

  std::optional<MappedFile> file_;
  std::vector<std::uint8_t> own_bytes_;
  std::span<const std::uint8_t> bytes_;
  std::size_t rows_ = 0;
  std::size_t sections_ = 0;
  RowLists stems_;
  std::vector<std::pair<std::string, NumberLists>> numbers_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_INDEX_H_
