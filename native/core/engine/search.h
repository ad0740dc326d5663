// What a search takes and what it returns.

#ifndef SYNOPTIC_ENGINE_SEARCH_H_
#define SYNOPTIC_ENGINE_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace synoptic {

struct SearchArguments {
  // query_count x dimension, row-major; any scale.
  std::vector<float> queries;
  std::size_t query_count = 0;
  std::size_t k = 0;
  // Rows that may be in the result, laid out like Matrix::valid_words(); empty: all.
  std::vector<std::uint64_t> mask_words;
  // Columns to search, ascending, each once.
  std::vector<std::uint16_t> columns;
  // Each row once, with its best column; false: (row, column) pairs.
  bool distinct = true;
};

struct SearchResult {
  // Hit j of query i at i * k + j, valid for j < counts[i].
  std::vector<std::uint32_t> rows;
  std::vector<std::uint16_t> columns;
  std::vector<float> scores;
  std::vector<std::uint32_t> counts;
  // (row, column) pairs whose float32 were read.
  std::uint64_t rescored = 0;
  // Of quantized codes, and of float32 without codes, that the processor's scan read, once for all
  // queries of the search.
  std::uint64_t scanned_bytes = 0;
  // The CUDA device that found it; -1: the processor did.
  int device = -1;
  // Why the processor did although a device was to; empty: it was not to.
  std::string fallback;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_SEARCH_H_
