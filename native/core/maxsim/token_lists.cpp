#include "maxsim/token_lists.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/crc32.h"
#include "base/error.h"
#include "maxsim/token_table.h"

namespace synoptic {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

constexpr char kMagic[] = "SYNTOKEN";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kHeaderCrcAt = 28;
constexpr std::size_t kSourceAt = 32;

std::uint32_t ReadWord(const std::uint8_t* data, std::size_t at) {
  std::uint32_t word;
  std::memcpy(&word, data + at, sizeof(word));
  return word;
}

[[noreturn]] void Refuse(const MappedFile& file, std::string expected, std::string found) {
  throw Error("ETOKENS_FORMAT", file.path(), std::move(expected), std::move(found));
}

}  // namespace

TokenLists TokenLists::Open(const std::string& path, const SourceHash& source) {
  TokenLists lists(MappedFile::Open(path));
  lists.ReadHeader(source);
  lists.CheckLists();
  return lists;
}

TokenLists TokenLists::Of(std::vector<std::uint16_t> tokens, const std::vector<std::uint32_t>& ends,
                          std::size_t vocabulary) {
  const bool rises = std::is_sorted(ends.begin(), ends.end());
  const std::size_t last = ends.empty() ? 0 : ends.back();
  if (!rises || last != tokens.size()) {
    throw Error("EARGUMENT", "ends: expected positions up to " + std::to_string(tokens.size()) +
                                 ", none falling, received others up to " + std::to_string(last));
  }
  for (const std::uint16_t token : tokens) {
    if (token < vocabulary) continue;
    throw Error("EARGUMENT", "tokens of texts: expected numbers below " +
                                 std::to_string(vocabulary) + ", received " +
                                 std::to_string(token));
  }
  TokenLists lists;
  lists.rows_ = ends.size();
  lists.vocabulary_ = vocabulary;
  lists.total_ = tokens.size();
  lists.own_positions_.reserve(ends.size() + 1);
  lists.own_positions_.push_back(0);
  lists.own_positions_.insert(lists.own_positions_.end(), ends.begin(), ends.end());
  lists.own_tokens_ = std::move(tokens);
  lists.positions_ = lists.own_positions_.data();
  lists.tokens_ = lists.own_tokens_.data();
  return lists;
}

void TokenLists::ReadHeader(const SourceHash& source) {
  const std::uint8_t* data = file_->data();
  const std::size_t size = file_->size();
  if (size < kHeaderBytes || std::memcmp(data, kMagic, sizeof(kMagic) - 1) != 0) {
    Refuse(*file_, "lists of tokens, which begin with SYNTOKEN", "something else");
  }
  if (ReadWord(data, 8) != kVersion) {
    Refuse(*file_, "version " + std::to_string(kVersion), std::to_string(ReadWord(data, 8)));
  }
  std::uint32_t header = Crc32(0, data, kHeaderCrcAt);
  header = Crc32(header, data + kSourceAt, kHeaderBytes - kSourceAt);
  if (header != ReadWord(data, kHeaderCrcAt)) {
    Refuse(*file_, "a header as it was written", "a damaged one");
  }
  vocabulary_ = ReadWord(data, 12);
  rows_ = ReadWord(data, 16);
  total_ = ReadWord(data, 20);
  const std::size_t expected =
      kHeaderBytes + (rows_ + 1) * sizeof(std::uint32_t) + total_ * sizeof(std::uint16_t);
  if (size != expected) {
    Refuse(*file_, std::to_string(expected) + " bytes", std::to_string(size));
  }
  CheckSum();
  if (std::memcmp(data + kSourceAt, source.data(), source.size()) != 0) {
    throw Error("ETOKENS_STALE", file_->path(), "lists of the texts that are served now",
                "lists of other texts or of another tokenizer");
  }
  positions_ = reinterpret_cast<const std::uint32_t*>(data + kHeaderBytes);
  tokens_ = reinterpret_cast<const std::uint16_t*>(positions_ + rows_ + 1);
}

void TokenLists::CheckSum() const {
  const std::uint8_t* data = file_->data();
  if (Crc32(0, data + kHeaderBytes, file_->size() - kHeaderBytes) != ReadWord(data, 24)) {
    Refuse(*file_, "lists as they were written", "damaged ones");
  }
}

// A file may be whole and still be the work of a faulty writer.
void TokenLists::CheckLists() const {
  if (vocabulary_ == 0 || vocabulary_ > kMaxTokens) {
    Refuse(*file_, "1 to " + std::to_string(kMaxTokens) + " tokens", std::to_string(vocabulary_));
  }
  if (positions_[0] != 0 || positions_[rows_] != total_ ||
      !std::is_sorted(positions_, positions_ + rows_ + 1)) {
    Refuse(*file_, "positions from 0 to " + std::to_string(total_) + ", none falling", "others");
  }
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto list = ListOf(row);
    const bool ascends =
        std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
    if (!ascends || (!list.empty() && list.back() >= vocabulary_)) {
      Refuse(*file_, "ascending tokens below " + std::to_string(vocabulary_),
             "others in row " + std::to_string(row));
    }
  }
}

}  // namespace synoptic
