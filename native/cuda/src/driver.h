// Is there a driver, is it new enough, has it a device? libcuda itself answers: CUDA's runtime
// gives one error for the first two.

#ifndef SYNOPTIC_CUDA_DRIVER_H_
#define SYNOPTIC_CUDA_DRIVER_H_

namespace synoptic_cuda {

// The C interface's `probe`.
int Probe(int* device_count, int* driver_version, int* built_with);

}  // namespace synoptic_cuda

#endif  // SYNOPTIC_CUDA_DRIVER_H_
