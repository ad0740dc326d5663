// What compilers spell differently. Functions here are inlined wherever they are called, so that a
// kernel's file may use them: none is left for the linker to keep with that file's instructions.

#ifndef SYNOPTIC_BASE_COMPILER_H_
#define SYNOPTIC_BASE_COMPILER_H_

#if defined(_MSC_VER) && !defined(__clang__)
#define SYNOPTIC_MSVC
#include <intrin.h>
#endif

#ifdef SYNOPTIC_MSVC
#define SYNOPTIC_INLINE __forceinline
#define SYNOPTIC_INLINE_LAMBDA
#define SYNOPTIC_UNROLL(count)
#else
#define SYNOPTIC_INLINE inline __attribute__((always_inline))
// Between the parameters and the body of a lambda.
#define SYNOPTIC_INLINE_LAMBDA __attribute__((always_inline))
#define SYNOPTIC_PRAGMA(text) _Pragma(#text)
// Before a loop of `count` steps that is to be unrolled whole.
#define SYNOPTIC_UNROLL(count) SYNOPTIC_PRAGMA(GCC unroll count)
#endif

namespace synoptic {

// The index of the lowest bit that is set; `bits` is not zero.
SYNOPTIC_INLINE unsigned LowestBit(unsigned bits) noexcept {
#ifdef SYNOPTIC_MSVC
  unsigned long index;
  _BitScanForward(&index, bits);
  return index;
#else
  return static_cast<unsigned>(__builtin_ctz(bits));
#endif
}

SYNOPTIC_INLINE void Prefetch(const void* address) noexcept {
#ifndef SYNOPTIC_MSVC
  __builtin_prefetch(address);
#elif defined(_M_ARM64)
  __prefetch(address);
#else
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

// Into the second cache, which can wait for more lines than the first.
SYNOPTIC_INLINE void PrefetchL2(const void* address) noexcept {
#ifndef SYNOPTIC_MSVC
  __builtin_prefetch(address, 0, 2);
#elif defined(_M_ARM64)
  __prefetch2(address, 2);  // PLDL2KEEP
#else
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T1);
#endif
}

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_COMPILER_H_
