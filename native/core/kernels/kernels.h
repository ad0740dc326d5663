// The table of functions that every instruction set fills. The scalar kernels are the
// specification: every other one returns the same bits.
//
// The exact sum S of two vectors is taken in 16 float64 lanes: lane j adds the products of the
// positions i with i mod 16 = j in ascending order; the lanes are added as a tree, j and j + 8
// first, then 4, 2 and 1. A product of two float32 is exact in float64, so fused and separate
// multiplications agree; a lane is never -0, so padding with zeros changes no bit.

#ifndef SYNOPTIC_KERNELS_KERNELS_H_
#define SYNOPTIC_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace synoptic {

struct CodesKernels;

constexpr std::size_t kLanes = 16;

struct Kernels {
  // As SYNOPTIC_FORCE_KERNEL and /health spell it.
  const char* name;

  // sums[i] = S(query, row rows[i]). `query` is widened to float64 and padded with zeros to a
  // multiple of 16; `matrix` is row-major, not padded and aligned to 4 bytes.
  void (*dot_rows)(const double* query, const float* matrix, std::size_t dimension,
                   const std::uint32_t* rows, std::size_t count, double* sums) noexcept;

  // sums[i] = S(x, x) of row first + i.
  void (*square_rows)(const float* matrix, std::size_t dimension, std::size_t first,
                      std::size_t count, double* sums) noexcept;

  // The functions over quantized codes.
  const CodesKernels* codes;
};

extern const Kernels kScalarKernels;
#if defined(SYNOPTIC_X86)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#elif defined(SYNOPTIC_ARM64)
extern const Kernels kNeonKernels;
#endif

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_KERNELS_H_
