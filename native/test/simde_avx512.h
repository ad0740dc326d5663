// AVX-512 and AVX-VNNI through SIMDe, with the functions that its releases lack. Those are written
// lane by lane, as the instruction sets define them.

#ifndef SYNOPTIC_TEST_SIMDE_AVX512_H_
#define SYNOPTIC_TEST_SIMDE_AVX512_H_

#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

#include <cstdint>
#include <cstring>

static inline simde__m512d simde_missing_cvtps_pd(simde__m256 values) {
  float narrow[8];
  double wide[8];
  std::memcpy(narrow, &values, sizeof(narrow));
  for (int lane = 0; lane < 8; ++lane) wide[lane] = narrow[lane];
  simde__m512d result;
  std::memcpy(&result, wide, sizeof(wide));
  return result;
}
#undef _mm512_cvtps_pd
#define _mm512_cvtps_pd(values) simde_missing_cvtps_pd(values)

static inline simde__m512 simde_missing_cvtepi32_ps(simde__m512i values) {
  std::int32_t integers[16];
  float floats[16];
  std::memcpy(integers, &values, sizeof(integers));
  for (int lane = 0; lane < 16; ++lane) floats[lane] = static_cast<float>(integers[lane]);
  simde__m512 result;
  std::memcpy(&result, floats, sizeof(result));
  return result;
}
#undef _mm512_cvtepi32_ps
#define _mm512_cvtepi32_ps(values) simde_missing_cvtepi32_ps(values)

// Its own alias wants the arguments of the masked form.
#undef _mm512_madd_epi16
#define _mm512_madd_epi16(a, b) simde_mm512_madd_epi16(a, b)

// VPDPBUSD: four products of unsigned and signed bytes added to each int32, without saturation.
template <class Register>
static inline Register simde_missing_dpbusd(Register sums, Register codes, Register queries) {
  constexpr int kCount = sizeof(Register) / 4;
  std::uint32_t total[kCount];
  std::uint8_t unsigned_bytes[kCount * 4];
  std::int8_t signed_bytes[kCount * 4];
  std::memcpy(total, &sums, sizeof(total));
  std::memcpy(unsigned_bytes, &codes, sizeof(unsigned_bytes));
  std::memcpy(signed_bytes, &queries, sizeof(signed_bytes));
  for (int i = 0; i < kCount * 4; ++i) {
    total[i / 4] += static_cast<std::uint32_t>(unsigned_bytes[i] * signed_bytes[i]);
  }
  Register result;
  std::memcpy(&result, total, sizeof(total));
  return result;
}
#undef _mm512_dpbusd_epi32
#define _mm512_dpbusd_epi32(sums, codes, queries) simde_missing_dpbusd(sums, codes, queries)
#define _mm256_dpbusd_avx_epi32(sums, codes, queries) simde_missing_dpbusd(sums, codes, queries)

#endif  // SYNOPTIC_TEST_SIMDE_AVX512_H_
