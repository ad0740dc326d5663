// Distinct texts as arrays that are searched for what people type: src/base/text/text-set.ts reads
// them. Their numbers are in the order of their lengths, and of one length alphabetical.

#ifndef SYNOPTIC_ROWS_TEXT_SET_H_
#define SYNOPTIC_ROWS_TEXT_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/text_numbers.h"

namespace synoptic {

// Units that a text may have.
constexpr std::size_t kMaxUnits = 255;

struct TextSet {
  // The number of each text by the one that it was added with.
  std::vector<std::uint32_t> numbers;

  // Units one after the other, one byte each where all of a text fit, else two.
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> starts;
  std::vector<std::uint8_t> lengths;
  // Of each length up to kMaxUnits the first number, and at the end how many there are.
  std::vector<std::uint32_t> length_starts;
  // Numbers in the order of the units of their texts.
  std::vector<std::uint32_t> alphabetical;
  // One bit for each unit that a text has, by the unit's last five bits.
  std::vector<std::uint32_t> masks;
  // Of each bucket of grams, how often it occurs (src/base/text/grams.ts).
  std::vector<std::uint32_t> counts;
  // The texts that are found by a bucket.
  std::vector<std::uint32_t> gram_starts;
  std::vector<std::uint32_t> gram_texts;
};

// Of texts of at most kMaxUnits units.
TextSet BuildTextSet(const TextNumbers& texts);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_TEXT_SET_H_
