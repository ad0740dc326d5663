// bm25 over the postings of an index. An impact is what a stem adds to the bm25 of a row, in units
// of 1 / 1024, rounded when the file is built:
//
//   S(row)     = sum of the impacts of the requested stems in the row      an integer
//   score(row) = float32(S / 1024)
//
// A sum of integers is the same in every order, so hits and scores are the same bits for any number
// of threads. Hits are the first k by score, ties by row, of the rows that pass and score above 0.

#ifndef SYNOPTIC_ROWS_WORD_SEARCH_H_
#define SYNOPTIC_ROWS_WORD_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "engine/top_k.h"
#include "rows/row_index.h"
#include "rows/row_mask.h"
#include "threads/thread_pool.h"

namespace synoptic {

struct WordHits {
  std::vector<std::uint32_t> rows;
  std::vector<float> scores;
};

struct WordArguments {
  // Stems by number, each once.
  std::vector<std::uint32_t> stems;
  std::size_t k = 0;
  RowMask mask;
};

// Both call `done` once, on one of the pool's threads. They throw Error EARGUMENT.
void SearchWords(ThreadPool& pool, std::shared_ptr<const RowIndex> index, WordArguments arguments,
                 std::function<void(std::exception_ptr, WordHits)> done);
// The scores of these rows, in any order; 0 of a row without any of the stems.
void ScoreWords(ThreadPool& pool, std::shared_ptr<const RowIndex> index,
                std::vector<std::uint32_t> stems, std::vector<std::uint32_t> rows,
                std::function<void(std::exception_ptr, std::vector<float>)> done);

// S of every row, on the calling thread, as part of a job over all rows. Stems are of the index.
std::vector<std::uint32_t> SumWords(const RowIndex& index, const std::vector<std::uint32_t>& stems);
// The first k of the rows that pass and have a sum above 0.
std::vector<Hit> FirstBySums(const std::vector<std::uint32_t>& sums, std::size_t k,
                             const RowMask& mask);
float WordScore(std::uint32_t sum);

// Every row with one of the stems, ascending; on the calling thread.
std::vector<std::uint32_t> RowsWithWords(const RowIndex& index,
                                         const std::vector<std::uint32_t>& stems);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_WORD_SEARCH_H_
