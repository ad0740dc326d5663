// What kernels are written in, on the processor: a block's threads are fibers of one thread that
// yield where a warp or the block meets. The order in which they run is shuffled from launch to
// launch.

#ifndef SYNOPTIC_TEST_EMULATED_CUDA_H_
#define SYNOPTIC_TEST_EMULATED_CUDA_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

namespace synoptic::test::emulation {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

// Of the fiber that runs.
struct Place {
  Index thread, block, block_size, grid;
};
extern Place place;

// Runs a grid of blocks, one after the other. Throws std::runtime_error when threads wait for
// others that never come.
void Launch(Index grid, unsigned threads, std::size_t shared_bytes,
            const std::function<void()>& kernel);

// From this launch on, blocks and threads take turns in another order.
void Shuffle(std::uint32_t seed);

void MeetBlock();
// Every lane of the warp gives a value and gets that of another lane.
std::uint64_t TradeInWarp(std::uint64_t value, unsigned lane);
unsigned Lane();
void* SharedMemory();

template <class T>
T Trade(T value, unsigned lane) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = TradeInWarp(bits, lane);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

std::uint16_t HalfBits(double value);
double HalfValue(std::uint16_t half);

}  // namespace synoptic::test::emulation

#define __global__ [[maybe_unused]] static
#define __device__ [[maybe_unused]] static
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __shared__ static
#define __restrict__
#define threadIdx (synoptic::test::emulation::place.thread)
#define blockIdx (synoptic::test::emulation::place.block)
#define blockDim (synoptic::test::emulation::place.block_size)
#define gridDim (synoptic::test::emulation::place.grid)
#define SYNOPTIC_DYNAMIC_SHARED(type, name) \
  type* name = static_cast<type*>(synoptic::test::emulation::SharedMemory())

struct alignas(16) int4 {
  int x, y, z, w;
};
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::isnan;
using std::rint;
using std::sqrt;

inline void __syncthreads() { synoptic::test::emulation::MeetBlock(); }

// Lanes of other groups than `width` stay out of reach; beyond the group's edge a lane gets its
// own.
template <class T>
T __shfl_xor_sync(unsigned, T value, int lanes) {
  const unsigned lane = synoptic::test::emulation::Lane();
  return synoptic::test::emulation::Trade(value, lane ^ static_cast<unsigned>(lanes));
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned lanes) {
  const unsigned lane = synoptic::test::emulation::Lane();
  return synoptic::test::emulation::Trade(value, lane < lanes ? lane : lane - lanes);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int lanes, unsigned width) {
  const unsigned lane = synoptic::test::emulation::Lane();
  const unsigned to = lane % width + static_cast<unsigned>(lanes);
  return synoptic::test::emulation::Trade(value,
                                          to < width ? lane + static_cast<unsigned>(lanes) : lane);
}

template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T __ldcs(const T* from) {
  return *from;
}

inline std::uint32_t atomicAdd(std::uint32_t* to, std::uint32_t value) {
  const std::uint32_t before = *to;
  *to += value;
  return before;
}
inline std::uint32_t atomicMax(std::uint32_t* to, std::uint32_t value) {
  const std::uint32_t before = *to;
  *to = std::max(before, value);
  return before;
}

// Four signed bytes of each, multiplied and added.
inline int __dp4a(int a, int b, int sum) {
  for (int shift = 0; shift < 32; shift += 8) {
    sum += static_cast<std::int8_t>(a >> shift) * static_cast<std::int8_t>(b >> shift);
  }
  return sum;
}

inline std::uint32_t __float_as_uint(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float __uint_as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline float __double2float_rn(double value) { return static_cast<float>(value); }
inline std::uint16_t HalfOf(double value) { return synoptic::test::emulation::HalfBits(value); }
inline double ValueOfHalf(std::uint16_t half) { return synoptic::test::emulation::HalfValue(half); }

#endif  // SYNOPTIC_TEST_EMULATED_CUDA_H_
