// Exact scores of vectors that lie in no collection.

#ifndef SYNOPTIC_ENGINE_LOOSE_VECTORS_H_
#define SYNOPTIC_ENGINE_LOOSE_VECTORS_H_

#include <cstddef>
#include <vector>

#include "kernels/kernels.h"

namespace synoptic {

// The scores that a search of a collection with these rows gives them; NaN for an invalid row.
// Throws Error EQUERY when the query is zero, NaN or infinite.
std::vector<float> ScoreVectors(const Kernels& kernels, std::vector<float> query,
                                const float* vectors, std::size_t count);

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_LOOSE_VECTORS_H_
