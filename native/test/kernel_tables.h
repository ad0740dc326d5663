// Which tables of kernels a test program compares with the scalar ones.

#ifndef SYNOPTIC_TEST_KERNEL_TABLES_H_
#define SYNOPTIC_TEST_KERNEL_TABLES_H_

#include <vector>

#include "kernels/codes_kernels.h"
#include "kernels/kernels.h"

#ifndef SYNOPTIC_EMULATED
#include "kernels/cpu.h"
#endif

namespace synoptic::test {

#ifdef SYNOPTIC_EMULATED

// AVX-512 through SIMDe: the same sources, compiled to what this machine has.
inline std::vector<const Kernels*> RunnableTables() { return {&kAvx512Kernels}; }
inline std::vector<const CodesKernels*> RunnableCodes() {
  return {&kAvx512VnniCodes, &kAvxVnniCodes};
}

#else

inline std::vector<const Kernels*> RunnableTables() { return AvailableKernels(); }
inline std::vector<const CodesKernels*> RunnableCodes() {
  std::vector<const CodesKernels*> codes;
  for (const Kernels* kernels : AvailableKernels()) codes.push_back(kernels->codes);
  return codes;
}

#endif

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_KERNEL_TABLES_H_
