// Which kernels this processor and this operating system can run, chosen once per process.

#ifndef SYNOPTIC_KERNELS_CPU_H_
#define SYNOPTIC_KERNELS_CPU_H_

#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace synoptic {

// Best first; the scalar ones are always there and last.
const std::vector<const Kernels*>& AvailableKernels();

// The best kernels, or those that `forced` names (the value of SYNOPTIC_FORCE_KERNEL; null or
// empty: the best). Throws Error EKERNEL for a name that is unknown or that this machine cannot
// run.
const Kernels& ChooseKernels(const char* forced);

// ChooseKernels for the environment's SYNOPTIC_FORCE_KERNEL, remembered after the first success.
const Kernels& ActiveKernels();

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_CPU_H_
