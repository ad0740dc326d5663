#include "max_sim_kernels.h"

#include <string_view>

namespace synoptic {

const MaxSimKernels& MaxSimKernelsOf(const Kernels& kernels) {
#if defined(SYNOPTIC_X86)
  const MaxSimKernels* const tables[] = {&kAvx512MaxSimKernels, &kAvx2MaxSimKernels};
#elif defined(SYNOPTIC_ARM64)
  const MaxSimKernels* const tables[] = {&kNeonMaxSimKernels};
#else
  const MaxSimKernels* const tables[] = {&kScalarMaxSimKernels};
#endif
  for (const MaxSimKernels* table : tables) {
    if (std::string_view(table->name) == kernels.name) return *table;
  }
  return kScalarMaxSimKernels;
}

}  // namespace synoptic
