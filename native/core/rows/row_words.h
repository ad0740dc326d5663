// The words of the rows of a dataset, as an import reads them.

#ifndef SYNOPTIC_ROWS_ROW_WORDS_H_
#define SYNOPTIC_ROWS_ROW_WORDS_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "rows/text_numbers.h"

namespace synoptic {

// Characters that are part of words, a bit each.
class WordCharacters {
 public:
  // Pairs of the first and the last character of each range; what lies beyond Unicode is ignored.
  explicit WordCharacters(std::span<const std::uint32_t> ranges);

  bool Has(char32_t character) const { return bits_[character >> 3] >> (character & 7) & 1; }

 private:
  std::vector<std::uint8_t> bits_;
};

// Numbers of the words of rows, in one to five bytes each: words that are common occur early, and
// so their numbers are low.
class NumberedRows {
 public:
  // `words` begin with those of the titles.
  void Add(std::size_t title_words, std::span<const std::uint32_t> words);

  // Calls take(row, word, is_of_title) for every word of every row, in order.
  template <class Take>
  void ForEach(const Take& take) const {
    std::uint32_t row = 0;
    for (const auto& block : blocks_) {
      for (std::size_t at = 0; at < block.size(); ++row) {
        const std::uint32_t title_words = Read(block, at);
        const std::uint32_t words = Read(block, at);
        for (std::uint32_t i = 0; i < words; ++i) take(row, Read(block, at), i < title_words);
      }
    }
  }

 private:
  static std::uint32_t Read(const std::vector<std::uint8_t>& block, std::size_t& at) {
    std::uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint8_t byte = block[at++];
      number |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }
  void Write(std::uint32_t number);

  // Of a megabyte; a row is whole in one of them.
  std::vector<std::vector<std::uint8_t>> blocks_;
};

// Splits and numbers words, of many rows on a thread of its own. One thread calls it.
class RowWords {
 public:
  explicit RowWords(WordCharacters characters) : characters_(std::move(characters)) {}
  ~RowWords();
  RowWords(const RowWords&) = delete;
  RowWords& operator=(const RowWords&) = delete;

  // Adds the next row. Waits while much is not split yet.
  void Add(std::u16string_view titles, std::u16string_view texts);
  // All rows are added; what follows may be called from then on. Idempotent. Throws what the
  // thread did.
  void Finish();

  const TextNumbers& words() const { return words_; }
  const NumberedRows& rows() const { return rows_; }
  // How many rows have each word.
  std::span<const std::uint32_t> word_rows() const { return word_rows_; }
  // How many words each row has.
  std::span<const std::uint32_t> lengths() const { return lengths_; }

 private:
  struct Batch {
    std::u16string units;
    // Of each row where its titles end, and where its texts do.
    std::vector<std::size_t> ends;
  };

  void Send();
  void Run();
  void Join();
  void Read(const Batch& batch);
  void ReadWords(std::u16string_view text);
  std::size_t EndOfWord(std::u16string_view text, std::size_t begin) const;

  const WordCharacters characters_;
  Batch batch_;

  // The thread's own while it runs.
  TextNumbers words_;
  NumberedRows rows_;
  std::vector<std::uint32_t> word_rows_;
  std::vector<std::uint32_t> lengths_;
  // Of each word the last row that has it, plus one.
  std::vector<std::uint32_t> last_rows_;
  std::vector<std::uint32_t> row_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  bool ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_WORDS_H_
