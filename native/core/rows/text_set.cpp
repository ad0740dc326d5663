#include "rows/text_set.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

namespace synoptic {
namespace {

using Buckets = std::array<std::uint32_t, kMaxUnits + 2>;

// As src/base/text/grams.ts has them, which reads the arrays.
constexpr std::uint32_t kBuckets = 1 << 17;
constexpr std::size_t kGramsOfEdit = 4;
constexpr std::size_t kSharedBuckets = 3;

std::size_t AllowedEdits(std::size_t length) { return length <= 7 ? 1 : length <= 14 ? 2 : 3; }

std::uint32_t BucketOf(std::uint32_t first, std::uint32_t second, std::uint32_t third) {
  std::uint32_t hash = ((first + 1) * 0x9e3779b1) ^ ((second + 1) * 0x85ebca6b);
  hash = ((hash ^ (hash >> 15)) * 0x2c1b3c6d) ^ ((third + 1) * 0xc2b2ae35);
  hash ^= hash >> 13;
  return ((hash * 0x27d4eb2f) >> 15) & (kBuckets - 1);
}

// The buckets of all grams in the order of the text; returns how many there are.
std::size_t GramBuckets(std::u16string_view text, Buckets& buckets) {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  for (std::size_t i = 0; i < text.size() + 2; ++i) {
    const std::uint32_t third = i < text.size() ? text[i] : 0;
    buckets[i] = BucketOf(first, second, third);
    first = second;
    second = third;
  }
  return text.size() + 2;
}

// Puts the distinct buckets by which a text is found in front, the rarest first; returns how many.
std::size_t RarestBuckets(std::u16string_view text, const std::vector<std::uint32_t>& counts,
                          Buckets& buckets) {
  const std::size_t count = GramBuckets(text, buckets);
  std::array<std::pair<std::uint32_t, std::uint32_t>, kMaxUnits + 2> sorted;
  for (std::size_t i = 0; i < count; ++i) sorted[i] = {counts[buckets[i]], buckets[i]};
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  const std::size_t most = kGramsOfEdit * AllowedEdits(text.size()) + kSharedBuckets;
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < count && distinct < most; ++i) {
    if (i == 0 || sorted[i] != sorted[i - 1]) buckets[distinct++] = sorted[i].second;
  }
  return distinct;
}

// The positions of the texts in the order of their units.
std::vector<std::uint32_t> SortByUnits(const TextNumbers& texts) {
  // The first four units as one number; what ends before comes first, as no unit is 0 there or the
  // rest decides.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(texts.size());
  for (std::uint32_t text = 0; text < keys.size(); ++text) {
    const std::u16string_view units = texts.Of(text);
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < 4; ++i) key = key << 16 | (i < units.size() ? units[i] : 0);
    keys[text] = {key, text};
  }
  std::sort(keys.begin(), keys.end(), [&](const auto& one, const auto& other) {
    if (one.first != other.first) return one.first < other.first;
    return texts.Of(one.second) < texts.Of(other.second);
  });
  std::vector<std::uint32_t> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = keys[i].second;
  return order;
}

void PackTexts(const TextNumbers& texts, const std::vector<std::uint32_t>& text_of, TextSet& set) {
  set.starts.reserve(text_of.size() + 1);
  set.starts.push_back(0);
  set.lengths.reserve(text_of.size());
  set.bytes.reserve(texts.units().size());
  for (const std::uint32_t text : text_of) {
    const std::u16string_view units = texts.Of(text);
    const bool wide = std::any_of(units.begin(), units.end(), [](char16_t u) { return u > 0xff; });
    for (const char16_t unit : units) {
      set.bytes.push_back(static_cast<std::uint8_t>(unit));
      if (wide) set.bytes.push_back(static_cast<std::uint8_t>(unit >> 8));
    }
    set.lengths.push_back(static_cast<std::uint8_t>(units.size()));
    set.starts.push_back(static_cast<std::uint32_t>(set.bytes.size()));
  }
}

void IndexGrams(const TextNumbers& texts, const std::vector<std::uint32_t>& text_of, TextSet& set) {
  Buckets buckets;
  set.counts.resize(kBuckets);
  set.masks.reserve(text_of.size());
  for (const std::uint32_t text : text_of) {
    const std::u16string_view units = texts.Of(text);
    std::uint32_t mask = 0;
    for (const char16_t unit : units) mask |= std::uint32_t{1} << (unit & 31);
    set.masks.push_back(mask);
    const std::size_t count = GramBuckets(units, buckets);
    for (std::size_t i = 0; i < count; ++i) ++set.counts[buckets[i]];
  }
  // Twice, as the buckets of all texts take more memory than time.
  set.gram_starts.resize(kBuckets + 1);
  for (const std::uint32_t text : text_of) {
    const std::size_t chosen = RarestBuckets(texts.Of(text), set.counts, buckets);
    for (std::size_t i = 0; i < chosen; ++i) ++set.gram_starts[buckets[i] + 1];
  }
  std::partial_sum(set.gram_starts.begin(), set.gram_starts.end(), set.gram_starts.begin());
  set.gram_texts.resize(set.gram_starts.back());
  std::vector<std::uint32_t> next(set.gram_starts.begin(), set.gram_starts.end() - 1);
  for (std::uint32_t number = 0; number < text_of.size(); ++number) {
    const std::size_t chosen = RarestBuckets(texts.Of(text_of[number]), set.counts, buckets);
    for (std::size_t i = 0; i < chosen; ++i) set.gram_texts[next[buckets[i]]++] = number;
  }
}

}  // namespace

TextSet BuildTextSet(const TextNumbers& texts) {
  TextSet set;
  const std::vector<std::uint32_t> order = SortByUnits(texts);
  set.length_starts.resize(kMaxUnits + 2);
  for (std::uint32_t text = 0; text < texts.size(); ++text) {
    ++set.length_starts[texts.Of(text).size() + 1];
  }
  std::partial_sum(set.length_starts.begin(), set.length_starts.end(), set.length_starts.begin());
  std::vector<std::uint32_t> next(set.length_starts.begin(), set.length_starts.end() - 1);
  set.numbers.resize(texts.size());
  std::vector<std::uint32_t> text_of(texts.size());
  set.alphabetical.reserve(texts.size());
  for (const std::uint32_t text : order) {
    const std::uint32_t number = next[texts.Of(text).size()]++;
    set.numbers[text] = number;
    text_of[number] = text;
    set.alphabetical.push_back(number);
  }
  PackTexts(texts, text_of, set);
  IndexGrams(texts, text_of, set);
  return set;
}

}  // namespace synoptic
