#include "rows/row_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/crc32.h"
#include "base/error.h"

namespace synoptic {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

constexpr std::string_view kMagic = "SYNOROWS";
constexpr std::uint32_t kVersion = 4;
constexpr std::size_t kHeaderBytes = 4096;
constexpr std::size_t kCrcAt = 20;
constexpr std::size_t kSourceAt = 32;
constexpr std::size_t kTableAt = 64;
constexpr std::size_t kNameBytes = 32;
constexpr std::size_t kEntryBytes = kNameBytes + 2 * sizeof(std::uint64_t);
constexpr std::size_t kMaxSections = (kHeaderBytes - kTableAt) / kEntryBytes;
constexpr std::size_t kAlignment = 64;
constexpr std::string_view kNumbers = ".numbers";

template <class T>
T Read(std::span<const std::uint8_t> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

std::string_view EntryName(std::span<const std::uint8_t> bytes, std::size_t entry) {
  const std::string_view name(
      reinterpret_cast<const char*>(bytes.data()) + kTableAt + entry * kEntryBytes, kNameBytes);
  return name.substr(0, name.find('\0'));
}

}  // namespace

std::string_view ListNames::Of(std::size_t list) const {
  const std::size_t end = std::min<std::size_t>(ends_[list], bytes_.size());
  const std::size_t begin = list == 0 ? 0 : std::min<std::size_t>(ends_[list - 1], end);
  return bytes_.substr(begin, end - begin);
}

std::size_t ListNames::LowerBound(std::string_view name) const {
  std::size_t begin = 0;
  for (std::size_t count = size(); count > 0;) {
    const std::size_t half = count / 2;
    if (Of(begin + half) < name) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

std::optional<std::uint32_t> ListNames::Find(std::string_view name) const {
  const std::size_t list = LowerBound(name);
  if (list == size() || Of(list) != name) return std::nullopt;
  return static_cast<std::uint32_t>(list);
}

bool ListNames::HasBeginning(std::string_view beginning) const {
  const std::size_t list = LowerBound(beginning);
  return list < size() && Of(list).starts_with(beginning);
}

std::span<const std::uint32_t> NumberLists::Of(std::size_t list) const {
  if (list >= names_.size()) return {};
  const std::size_t end = std::min<std::size_t>(ends_[list], numbers_.size());
  const std::size_t begin = list == 0 ? 0 : std::min<std::size_t>(ends_[list - 1], end);
  return numbers_.subspan(begin, end - begin);
}

Postings RowLists::Of(std::size_t list, std::size_t stripe) const {
  const std::size_t at = list * stripes_ + stripe;
  const std::size_t end = std::min<std::size_t>(ends_[at], postings_.size() / 2);
  const std::size_t begin = at == 0 ? 0 : std::min<std::size_t>(ends_[at - 1], end);
  const std::size_t count = end - begin;
  return {postings_.subspan(2 * begin, count), postings_.subspan(2 * begin + count, count)};
}

std::shared_ptr<const RowIndex> RowIndex::Open(const std::string& path,
                                               const DatasetVersion& version) {
  std::shared_ptr<RowIndex> index(new RowIndex());
  index->file_ = MappedFile::Open(path);
  index->bytes_ = {index->file_->data(), index->file_->size()};
  index->ReadHeader(version);
  return index;
}

std::shared_ptr<const RowIndex> RowIndex::Of(std::vector<std::uint8_t> bytes,
                                             const DatasetVersion& version) {
  std::shared_ptr<RowIndex> index(new RowIndex());
  index->own_bytes_ = std::move(bytes);
  index->bytes_ = index->own_bytes_;
  index->ReadHeader(version);
  return index;
}

void RowIndex::Refuse(const std::string& expected, const std::string& found) const {
  throw Error("EROWS_FORMAT", path(), expected, found);
}

void RowIndex::ReadHeader(const DatasetVersion& version) {
  if (bytes_.size() < kHeaderBytes ||
      std::memcmp(bytes_.data(), kMagic.data(), kMagic.size()) != 0) {
    Refuse("an index of rows, which begins with SYNOROWS", "something else");
  }
  const auto found = Read<std::uint32_t>(bytes_, 8);
  if (found != kVersion) Refuse("version " + std::to_string(kVersion), std::to_string(found));
  const std::size_t after = kCrcAt + sizeof(std::uint32_t);
  const std::uint32_t head = Crc32(0, bytes_.data(), kCrcAt);
  if (Crc32(head, bytes_.data() + after, kHeaderBytes - after) !=
      Read<std::uint32_t>(bytes_, kCrcAt)) {
    Refuse("a header as it was written", "a damaged one");
  }
  const auto size = Read<std::uint64_t>(bytes_, 24);
  if (size < kHeaderBytes || size > bytes_.size()) {
    Refuse(std::to_string(size) + " bytes or more", std::to_string(bytes_.size()));
  }
  bytes_ = bytes_.first(size);
  if (std::memcmp(bytes_.data() + kSourceAt, version.data(), version.size()) != 0) {
    throw Error("EROWS_STALE", path(), "an index of the rows that are served now",
                "one of another version of the dataset");
  }
  rows_ = Read<std::uint32_t>(bytes_, 12);
  sections_ = Read<std::uint32_t>(bytes_, 16);
  if (sections_ > kMaxSections) {
    Refuse("at most " + std::to_string(kMaxSections) + " sections", std::to_string(sections_));
  }
  stems_ = Lists("stem");
  for (std::size_t entry = 0; entry < sections_; ++entry) {
    const std::string_view name = EntryName(bytes_, entry);
    if (!name.ends_with(kNumbers)) continue;
    const std::string kind(name.substr(0, name.size() - kNumbers.size()));
    numbers_.emplace_back(kind, ReadNumbers(kind));
  }
}

const NumberLists& RowIndex::Numbers(std::string_view kind) const {
  for (const auto& [name, lists] : numbers_) {
    if (name == kind) return lists;
  }
  Refuse("lists of the kind " + std::string(kind), "none");
}

std::span<const std::uint8_t> RowIndex::Bytes(std::string_view section) const {
  return Section<std::uint8_t>(section);
}

template <class T>
std::span<const T> RowIndex::Section(std::string_view name) const {
  for (std::size_t entry = 0; entry < sections_; ++entry) {
    if (EntryName(bytes_, entry) != name) continue;
    const std::size_t at = kTableAt + entry * kEntryBytes + kNameBytes;
    const auto offset = Read<std::uint64_t>(bytes_, at);
    const auto size = Read<std::uint64_t>(bytes_, at + sizeof(std::uint64_t));
    if (offset < kHeaderBytes || offset > bytes_.size() || offset % kAlignment != 0 ||
        size > bytes_.size() - offset || size % sizeof(T) != 0) {
      Refuse("the section " + std::string(name) + " within the file", "it elsewhere");
    }
    return {reinterpret_cast<const T*>(bytes_.data() + offset), size / sizeof(T)};
  }
  Refuse("a section " + std::string(name), "none");
}

ListNames RowIndex::Names(const std::string& kind) const {
  ListNames names;
  const auto bytes = Section<char>(kind + ".names");
  names.bytes_ = {bytes.data(), bytes.size()};
  names.ends_ = Section<std::uint32_t>(kind + ".name-ends");
  return names;
}

RowLists RowIndex::Lists(const std::string& kind) const {
  RowLists lists;
  lists.stripes_ = (rows_ + kStripeRows - 1) / kStripeRows;
  lists.names_ = Names(kind);
  lists.ends_ = Section<std::uint32_t>(kind + ".ends");
  lists.postings_ = Section<std::uint16_t>(kind + ".postings");
  if (lists.ends_.size() != lists.size() * lists.stripes_) {
    Refuse(std::to_string(lists.size() * lists.stripes_) + " ends of " + kind,
           std::to_string(lists.ends_.size()));
  }
  return lists;
}

NumberLists RowIndex::ReadNumbers(const std::string& kind) const {
  NumberLists lists;
  lists.names_ = Names(kind);
  lists.ends_ = Section<std::uint32_t>(kind + ".ends");
  lists.numbers_ = Section<std::uint32_t>(kind + std::string(kNumbers));
  if (lists.ends_.size() != lists.names_.size()) {
    Refuse(std::to_string(lists.names_.size()) + " ends of " + kind,
           std::to_string(lists.ends_.size()));
  }
  return lists;
}

}  // namespace synoptic
