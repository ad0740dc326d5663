// The rows of a chunk that may be in the result.

#ifndef SYNOPTIC_ENGINE_ROW_LIST_H_
#define SYNOPTIC_ENGINE_ROW_LIST_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace synoptic {

// Writes the rows from `first` (a multiple of 64) to first + count - 1 that are valid and pass the
// mask (empty: all pass), ascending, to `rows`; returns how many.
inline std::size_t ListRows(const std::vector<std::uint64_t>& valid_words,
                            const std::vector<std::uint64_t>& mask_words, std::size_t first,
                            std::size_t count, std::uint32_t* rows) {
  std::size_t listed = 0;
  for (std::size_t word = first / 64; word * 64 < first + count; ++word) {
    std::uint64_t bits = valid_words[word];
    if (!mask_words.empty()) bits &= mask_words[word];
    for (; bits != 0; bits &= bits - 1) {
      rows[listed++] = static_cast<std::uint32_t>(word * 64) +
                       static_cast<std::uint32_t>(std::countr_zero(bits));
    }
  }
  return listed;
}

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_ROW_LIST_H_
