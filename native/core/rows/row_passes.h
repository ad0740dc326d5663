// Passes over arrays with one value a row: sums over lists, likeness of works, what is fulfilled of
// a query, and the first rows. Each is a plain loop, the specification itself: values are stored as
// float32, a step is computed in float64 and rounded once, and rows are independent of each other,
// so the result does not depend on the machine. Callers check that the arrays are as long as they
// have to be; numbers that a list or a row refers to are checked here.

#ifndef SYNOPTIC_ROWS_ROW_PASSES_H_
#define SYNOPTIC_ROWS_ROW_PASSES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/top_k.h"

namespace synoptic {

// The first k by score, ties by row, of the rows above the bound that pass.
// `mask`: one bit a row, least significant bit first; empty: every row passes.
std::vector<Hit> TopRows(std::span<const float> scores, std::size_t k, double above,
                         std::span<const std::uint8_t> mask);

// sums[row] += weight * value of each row of a list; with `only_alike` of rows whose sum is above
// 0.
void AddList(std::span<float> sums, std::span<const std::uint32_t> rows,
             std::span<const float> weights, double value, bool only_alike);

// sums[row] /= norms[row] where the sum is above 0.
void DivideByNorms(std::span<float> sums, std::span<const double> norms);

// sums[row] += likeness[row] * share, or * other_share where is_main is not 1; of a likeness above
// 0.
void AddShares(std::span<float> sums, std::span<const float> likeness,
               std::span<const std::uint8_t> is_main, double share, double other_share);

// How alike works are to one; src/search/knowledge/likeness.ts says what each number means.
struct LikenessWeights {
  double text_share;
  double recommended_count;
  double recommended_share;
  double recommended_weight;
  double era_weight;
  double era_years;
  double popularity_weight;
  double max_popularity;
  // Of the work, 0 where it does not count.
  double year;
};

struct LikenessColumns {
  std::span<const std::uint16_t> years;
  std::span<const float> popularity;
  std::span<const std::int32_t> franchises;
  // One a franchise.
  std::span<const float> recommended;
  // NaN where unknown; empty: unknown of all.
  std::span<const float> cosines;
};

// In place, from the likeness by tags.
void MixLikeness(std::span<float> likeness, const LikenessColumns& columns,
                 const LikenessWeights& weights);

// A requested fact: the degree to which each row has it.
struct RequestedFact {
  std::span<const float> degrees;
  // Of the weights of all, by confidence; they sum to 1.
  double share;
  double weight;
  // What a work is about, in contrast to form or years.
  bool is_subject;
};

struct FulfilRules {
  // Where fewer rows meet all facts, a subject that fails counts `subject_failure` times.
  double few_wholly;
  double subject_failure;
  // Sums of weights differ by less where the same facts are met.
  double rounding;
};

// fulfilled[row], 0 before: the sum of degrees by their shares, less where a fact is not met at
// all.
void Fulfil(std::span<float> fulfilled, const std::vector<RequestedFact>& facts,
            const FulfilRules& rules);

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_ROW_PASSES_H_
