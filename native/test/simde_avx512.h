// AVX-512 through SIMDe, with the few functions that its releases lack.

#ifndef SYNOPTIC_TEST_SIMDE_AVX512_H_
#define SYNOPTIC_TEST_SIMDE_AVX512_H_

#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

static inline simde__m512d simde_missing_cvtps_pd(simde__m256 values) {
  simde__m512d wide;
  for (int lane = 0; lane < 8; ++lane) {
    reinterpret_cast<double*>(&wide)[lane] = reinterpret_cast<float*>(&values)[lane];
  }
  return wide;
}
#define _mm512_cvtps_pd(values) simde_missing_cvtps_pd(values)

// Its own alias wants the arguments of the masked form.
#undef _mm512_madd_epi16
#define _mm512_madd_epi16(a, b) simde_mm512_madd_epi16(a, b)

#endif  // SYNOPTIC_TEST_SIMDE_AVX512_H_
