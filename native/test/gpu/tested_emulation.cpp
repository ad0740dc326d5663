#include "emulated_device.h"
#include "tested_device.h"

namespace synoptic::test {

const SynopticCudaApi& TestedApi() {
  static const EmulatedDevice device;
  return device.api();
}

bool ExamplesAreSmall() { return true; }

}  // namespace synoptic::test
