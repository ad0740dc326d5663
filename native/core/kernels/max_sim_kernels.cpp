#include "kernels/max_sim_kernels.h"

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
    // Names such as avx512-vnni begin with the set that is needed here.
    if (std::string_view(kernels.name).starts_with(table->name)) return *table;
  }
  return kScalarMaxSimKernels;
}

}  // namespace synoptic
