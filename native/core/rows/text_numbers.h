// Distinct texts of UTF-16 by number, in the order in which they first occur.

#ifndef SYNOPTIC_ROWS_TEXT_NUMBERS_H_
#define SYNOPTIC_ROWS_TEXT_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synoptic {

class TextNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  TextNumbers() : slots_(kFirstSlots) {}

  // The number of the text, which is added where it is new.
  std::uint32_t Add(std::u16string_view text);
  // kNone of a text that was not added.
  std::uint32_t Find(std::u16string_view text) const;

  std::size_t size() const { return ends_.size(); }
  // Refers to what the next call of Add may move.
  std::u16string_view Of(std::uint32_t number) const;
  // All texts, one after the other, and where each ends.
  std::u16string_view units() const { return units_; }
  std::span<const std::uint32_t> ends() const { return ends_; }

 private:
  static constexpr std::size_t kFirstSlots = 4096;

  std::size_t SlotOf(std::u16string_view text, std::uint32_t hash) const;
  void Grow();

  std::u16string units_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> hashes_;
  // Open addressing: a number plus one, or 0. At most half of the slots are taken.
  std::vector<std::uint32_t> slots_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_TEXT_NUMBERS_H_
