#include "rows/row_words.h"

#include <algorithm>

namespace synoptic {
namespace {

constexpr char32_t kCharacters = 0x110000;
constexpr std::size_t kBlockBytes = 1 << 20;
// Units of a batch, and batches that wait: some megabytes.
constexpr std::size_t kBatchUnits = 1 << 18;
constexpr std::size_t kMaxWaiting = 8;
constexpr std::size_t kLongestNumber = 5;

bool IsHighSurrogate(char16_t unit) { return (unit & 0xfc00) == 0xd800; }
bool IsLowSurrogate(char16_t unit) { return (unit & 0xfc00) == 0xdc00; }

}  // namespace

WordCharacters::WordCharacters(std::span<const std::uint32_t> ranges) : bits_(kCharacters / 8) {
  for (std::size_t i = 0; i + 1 < ranges.size(); i += 2) {
    const char32_t end = std::min<char32_t>(ranges[i + 1], kCharacters - 1) + 1;
    for (char32_t character = ranges[i]; character < end; ++character) {
      bits_[character >> 3] |= static_cast<std::uint8_t>(1 << (character & 7));
    }
  }
}

void NumberedRows::Add(std::size_t title_words, std::span<const std::uint32_t> words) {
  const std::size_t most = (words.size() + 2) * kLongestNumber;
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < most) {
    blocks_.emplace_back().reserve(std::max(kBlockBytes, most));
  }
  Write(static_cast<std::uint32_t>(title_words));
  Write(static_cast<std::uint32_t>(words.size()));
  for (const std::uint32_t word : words) Write(word);
}

void NumberedRows::Write(std::uint32_t number) {
  auto& block = blocks_.back();
  for (; number >= 0x80; number >>= 7) block.push_back(static_cast<std::uint8_t>(number | 0x80));
  block.push_back(static_cast<std::uint8_t>(number));
}

RowWords::~RowWords() {
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }
  Join();
}

void RowWords::Add(std::u16string_view titles, std::u16string_view texts) {
  batch_.units.append(titles);
  batch_.ends.push_back(batch_.units.size());
  batch_.units.append(texts);
  batch_.ends.push_back(batch_.units.size());
  if (batch_.units.size() >= kBatchUnits) Send();
}

void RowWords::Finish() {
  Join();
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  Read(std::exchange(batch_, {}));
}

void RowWords::Send() {
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < kMaxWaiting || failure_ != nullptr; });
    if (failure_ == nullptr) waiting_.push_back(std::exchange(batch_, {}));
    batch_ = {};
  }
  changed_.notify_all();
}

void RowWords::Run() {
  for (;;) {
    Batch batch;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !waiting_.empty() || ending_; });
      if (waiting_.empty()) return;
      batch = std::move(waiting_.front());
      waiting_.pop_front();
    }
    changed_.notify_all();
    try {
      Read(batch);
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        waiting_.clear();
      }
      changed_.notify_all();
      return;
    }
  }
}

void RowWords::Join() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RowWords::Read(const Batch& batch) {
  const std::u16string_view units = batch.units;
  std::size_t begin = 0;
  for (std::size_t i = 0; i + 1 < batch.ends.size(); i += 2) {
    row_.clear();
    ReadWords(units.substr(begin, batch.ends[i] - begin));
    const std::size_t title_words = row_.size();
    ReadWords(units.substr(batch.ends[i], batch.ends[i + 1] - batch.ends[i]));
    rows_.Add(title_words, row_);
    lengths_.push_back(static_cast<std::uint32_t>(row_.size()));
    begin = batch.ends[i + 1];
  }
}

void RowWords::ReadWords(std::u16string_view text) {
  const auto row = static_cast<std::uint32_t>(lengths_.size() + 1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = EndOfWord(text, at);
    if (end == at) continue;
    const std::uint32_t word = words_.Add(text.substr(at, end - at));
    if (word == word_rows_.size()) {
      word_rows_.push_back(0);
      last_rows_.push_back(0);
    }
    if (last_rows_[word] != row) ++word_rows_[word];
    last_rows_[word] = row;
    row_.push_back(word);
    // What is at the end belongs to no word.
    at = end;
  }
}

// Where the word ends that begins there, which is the place itself where none does.
std::size_t RowWords::EndOfWord(std::u16string_view text, std::size_t begin) const {
  std::size_t end = begin;
  while (end < text.size()) {
    const char16_t unit = text[end];
    if (IsHighSurrogate(unit) && end + 1 < text.size() && IsLowSurrogate(text[end + 1])) {
      const char32_t character =
          0x10000 + (static_cast<char32_t>(unit & 0x3ff) << 10) + (text[end + 1] & 0x3ff);
      if (!characters_.Has(character)) return end;
      end += 2;
    } else if (characters_.Has(unit)) {
      ++end;
    } else {
      return end;
    }
  }
  return end;
}

}  // namespace synoptic
