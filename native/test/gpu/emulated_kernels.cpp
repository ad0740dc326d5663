// Compiled once with the kernels' own text, and once for each of its mutants. A mutant's folder is
// first on the include path, and SYNOPTIC_KERNELS names its table.

#include "emulated_kernels.h"

#include "bound_codes.cuh"
#include "half_rows.cuh"
#include "prepare_codes.cuh"
#include "rescore.cuh"
#include "thresholds.cuh"

namespace synoptic::test {
namespace {

using emulation::Launch;

unsigned DivideUp(std::uint64_t value, std::uint64_t by) {
  return static_cast<unsigned>((value + by - 1) / by);
}

// Grids are smaller than a device's, so that the loops over what is left are walked as well.
void PrepareCodes(const SynopticPrepareCodes& a) {
  Launch({a.query_count, a.space_count, 1}, 64, 2 * sizeof(double) * a.max_padded,
         [&] { synoptic_device::PrepareCodes(a); });
}

template <int kBits, int kQueries>
void Bound(const SynopticBoundCodes& a) {
  Launch({3, a.view_count, DivideUp(a.query_count, kQueries)}, 64, 0,
         [&] { synoptic_device::BoundCodes<kBits, kQueries>(a); });
}

void BoundCodes(const SynopticBoundCodes& a) {
  if (a.bits == 4) return a.query_count == 1 ? Bound<4, 1>(a) : Bound<4, 4>(a);
  return a.query_count == 1 ? Bound<8, 1>(a) : Bound<8, 4>(a);
}

void MakeHalf(const SynopticMakeHalf& a) {
  Launch({DivideUp(a.row_count, 2), 1, 1}, 64, 0, [&] { synoptic_device::MakeHalf(a); });
}

void FilterScores(const SynopticFilterScores& a) {
  Launch({DivideUp(a.row_count, 64), DivideUp(a.query_count, synoptic_device::kFilterQueries), 1},
         64, 0, [&] { synoptic_device::FilterScores(a); });
}

void Select(const SynopticSelect& a) {
  const bool shared = a.bucket_count <= SYNOPTIC_CUDA_SHARED_BUCKETS;
  Launch({a.query_count, 1, 1}, 64, shared ? a.bucket_count * sizeof(std::uint32_t) : 0,
         [&] { synoptic_device::Select(a); });
}

void Rescore(const SynopticRescore& a) {
  Launch({2, a.query_count, 1}, 64, 0, [&] { synoptic_device::Rescore(a); });
}

}  // namespace

#ifndef SYNOPTIC_KERNELS
#define SYNOPTIC_KERNELS kSoundKernels
#define SYNOPTIC_KERNELS_NAME ""
#endif
extern const EmulatedKernels SYNOPTIC_KERNELS;
const EmulatedKernels SYNOPTIC_KERNELS = {SYNOPTIC_KERNELS_NAME, PrepareCodes, BoundCodes, MakeHalf,
                                          FilterScores,          Select,       Rescore};

}  // namespace synoptic::test
