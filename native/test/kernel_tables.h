// Which tables of kernels a test program compares with the scalar ones.

#ifndef SYNOPTIC_TEST_KERNEL_TABLES_H_
#define SYNOPTIC_TEST_KERNEL_TABLES_H_

#include <vector>

#include "kernels.h"

#ifndef SYNOPTIC_EMULATED
#include "cpu.h"
#endif

namespace synoptic::test {

inline std::vector<const Kernels*> RunnableTables() {
#ifdef SYNOPTIC_EMULATED
  // AVX-512 through SIMDe: the same source, compiled to what this machine has.
  return {&kAvx512Kernels};
#else
  return AvailableKernels();
#endif
}

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_KERNEL_TABLES_H_
