// The kernels of maxsim, one table an instruction set. The scalar ones are the specification: every
// other one returns the same bits.
//
// The level of a query's token q and a row t of the table is their cosine as an integer of 15 bits:
//   trunc((float(dot) * inverse_norms[t]) * scales[q]), 0 where it is negative,
// with the exact integer dot product of the int8 rows. |dot| is at most 2^24 (kMaxTableDimension),
// so float(dot) is exact; both products are rounded to float32, and there is no sum to reorder.

#ifndef SYNOPTIC_KERNELS_MAX_SIM_KERNELS_H_
#define SYNOPTIC_KERNELS_MAX_SIM_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"

namespace synoptic {

// Query tokens that are compared at a time. A row of levels is then one cache line.
constexpr std::size_t kMaxSimLanes = 32;

constexpr std::int16_t kMaxLevel = 32767;

// Of a table's rows; every kernel takes steps of 64 values.
constexpr std::size_t kTableDimensionStep = 64;
constexpr std::size_t kMaxTableDimension = 1024;

// Rows of a query's tokens, kMaxSimLanes of them; lanes without a token are zero.
struct MaxSimQuery {
  // kMaxSimLanes x dimension, row-major, and the same widened.
  const std::int8_t* rows;
  const std::int16_t* wide_rows;
  // 32767.5 / norm; 0 for a row of zeros.
  const float* scales;
  // Lanes with a token, rounded up to a multiple of 8.
  std::size_t lanes;
};

struct MaxSimKernels {
  // As Kernels::name.
  const char* name;

  // levels[t * kMaxSimLanes + q] for each t of `tokens` and each q < query.lanes; the other lanes
  // of these rows become 0. `table` is row-major.
  void (*compare_tokens)(const MaxSimQuery& query, const std::int8_t* table, std::size_t dimension,
                         const float* inverse_norms, const std::uint16_t* tokens, std::size_t count,
                         std::int16_t* levels) noexcept;

  // best[q] = the largest level of q over `tokens`; 0 where there is none. kMaxSimLanes values.
  void (*best_levels)(const std::int16_t* levels, const std::uint16_t* tokens, std::size_t count,
                      std::int16_t* best) noexcept;
};

extern const MaxSimKernels kScalarMaxSimKernels;
#if defined(SYNOPTIC_X86)
extern const MaxSimKernels kAvx2MaxSimKernels;
extern const MaxSimKernels kAvx512MaxSimKernels;
#elif defined(SYNOPTIC_ARM64)
extern const MaxSimKernels kNeonMaxSimKernels;
#endif

// Those of the same instruction set.
const MaxSimKernels& MaxSimKernelsOf(const Kernels& kernels);

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_MAX_SIM_KERNELS_H_
