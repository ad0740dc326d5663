// The device that a test program runs on: the emulation, or the library that SYNOPTIC_CUDA_LIBRARY
// names with a real one.

#ifndef SYNOPTIC_TEST_TESTED_DEVICE_H_
#define SYNOPTIC_TEST_TESTED_DEVICE_H_

#include "synoptic_cuda.h"

namespace synoptic::test {

const SynopticCudaApi& TestedApi();

// Emulated and checked kernels run a thousand times as long.
bool ExamplesAreSmall();

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_TESTED_DEVICE_H_
