#include "rows/text_numbers.h"

namespace synoptic {
namespace {

// FNV-1a over units, whose high bits are mixed into the low ones that choose a slot.
std::uint32_t HashOf(std::u16string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char16_t unit : text) hash = (hash ^ unit) * 0x01000193;
  return hash ^ (hash >> 15);
}

}  // namespace

std::uint32_t TextNumbers::Add(std::u16string_view text) {
  const std::uint32_t hash = HashOf(text);
  const std::size_t slot = SlotOf(text, hash);
  if (slots_[slot] > 0) return slots_[slot] - 1;
  units_.append(text);
  ends_.push_back(static_cast<std::uint32_t>(units_.size()));
  hashes_.push_back(hash);
  slots_[slot] = static_cast<std::uint32_t>(ends_.size());
  if (ends_.size() * 2 == slots_.size()) Grow();
  return static_cast<std::uint32_t>(ends_.size() - 1);
}

std::uint32_t TextNumbers::Find(std::u16string_view text) const {
  // Of a free slot 0 less one, which is kNone.
  return slots_[SlotOf(text, HashOf(text))] - 1;
}

std::u16string_view TextNumbers::Of(std::uint32_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::u16string_view(units_).substr(begin, ends_[number] - begin);
}

// The slot of the text, or the one that it would take.
std::size_t TextNumbers::SlotOf(std::u16string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] > 0; slot = (slot + 1) & mask) {
    const std::uint32_t number = slots_[slot] - 1;
    if (hashes_[number] == hash && Of(number) == text) break;
  }
  return slot;
}

void TextNumbers::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t number = 0; number < hashes_.size(); ++number) {
    std::size_t slot = hashes_[number] & mask;
    while (slots_[slot] > 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(number + 1);
  }
}

}  // namespace synoptic
