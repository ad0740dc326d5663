// The kernels of one set of sources, as functions that launch them on the emulation.

#ifndef SYNOPTIC_TEST_EMULATED_KERNELS_H_
#define SYNOPTIC_TEST_EMULATED_KERNELS_H_

#include "synoptic_cuda.h"

namespace synoptic::test {

struct EmulatedKernels {
  // What was broken in the text on purpose; empty: nothing.
  const char* name;
  void (*prepare_codes)(const SynopticPrepareCodes& arguments);
  void (*bound_codes)(const SynopticBoundCodes& arguments);
  void (*make_half)(const SynopticMakeHalf& arguments);
  void (*filter_scores)(const SynopticFilterScores& arguments);
  void (*select)(const SynopticSelect& arguments);
  void (*rescore)(const SynopticRescore& arguments);
};

// The text as it is.
extern const EmulatedKernels kSoundKernels;

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_EMULATED_KERNELS_H_
