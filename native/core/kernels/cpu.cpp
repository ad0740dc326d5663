#include "kernels/cpu.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/compiler.h"
#include "base/error.h"
#include "kernels/codes_kernels.h"

#if defined(SYNOPTIC_X86) && !defined(SYNOPTIC_MSVC)
#include <cpuid.h>
#elif defined(SYNOPTIC_ARM64) && defined(_WIN32)
#include <windows.h>
#elif defined(SYNOPTIC_ARM64) && !defined(__APPLE__)
#include <sys/auxv.h>
#endif

namespace synoptic {
namespace {

#ifdef SYNOPTIC_X86

constexpr std::uint32_t Bit(int index) { return std::uint32_t{1} << index; }

struct Registers {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

// Zeros for a leaf that the processor does not have.
Registers CpuId(std::uint32_t leaf, std::uint32_t part) {
  Registers found;
#ifdef SYNOPTIC_MSVC
  int values[4];
  __cpuid(values, 0);
  if (static_cast<std::uint32_t>(values[0]) < leaf) return found;
  __cpuidex(values, static_cast<int>(leaf), static_cast<int>(part));
  std::memcpy(&found, values, sizeof(found));
#else
  __get_cpuid_count(leaf, part, &found.a, &found.b, &found.c, &found.d);
#endif
  return found;
}

// Which registers the operating system saves when it switches threads.
std::uint64_t SavedState() {
#ifdef SYNOPTIC_MSVC
  return _xgetbv(0);
#else
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
#endif
}

struct Features {
  bool avx2 = false;
  bool avx_vnni = false;
  bool avx512 = false;
  bool avx512_vnni = false;
};

Features Detect() {
  Features features;
  const std::uint32_t fma_osxsave_avx = Bit(12) | Bit(27) | Bit(28);
  if ((CpuId(1, 0).c & fma_osxsave_avx) != fma_osxsave_avx) return features;
  const std::uint64_t saved = SavedState();
  if ((saved & 0x06) != 0x06) return features;  // xmm, ymm
  const Registers extended = CpuId(7, 0);
  features.avx2 = (extended.b & Bit(5)) != 0;
  const std::uint32_t f_dq_bw_vl = Bit(16) | Bit(17) | Bit(30) | Bit(31);
  const bool saves_zmm = (saved & 0xE6) == 0xE6;  // and opmask, zmm
  features.avx512 = features.avx2 && saves_zmm && (extended.b & f_dq_bw_vl) == f_dq_bw_vl;
  features.avx512_vnni = features.avx512 && (extended.c & Bit(11)) != 0;
  features.avx_vnni = features.avx2 && (CpuId(7, 1).a & Bit(4)) != 0;
  return features;
}

#elif defined(SYNOPTIC_ARM64)

bool HasDotProduct() {
#if defined(__APPLE__)
  return true;  // since the first of its ARM processors
#elif defined(_WIN32)
  constexpr DWORD kDotProduct = 43;  // PF_ARM_V82_DP_INSTRUCTIONS_AVAILABLE
  return IsProcessorFeaturePresent(kDotProduct) != 0;
#else
  constexpr unsigned long kAsimdDp = 1ul << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & kAsimdDp) != 0;
#endif
}

#endif

// The same kernels over rows, with others over quantized codes.
Kernels WithCodes(const Kernels& kernels, const char* name, const CodesKernels& codes) {
  Kernels combined = kernels;
  combined.name = name;
  combined.codes = &codes;
  return combined;
}

std::vector<const Kernels*> Detected() {
  std::vector<const Kernels*> kernels;
#if defined(SYNOPTIC_X86)
  const Features features = Detect();
  static const Kernels avx512_vnni = WithCodes(kAvx512Kernels, "avx512-vnni", kAvx512VnniCodes);
  static const Kernels avx512 = WithCodes(kAvx512Kernels, "avx512", kAvx2Codes);
  static const Kernels avx2_vnni = WithCodes(kAvx2Kernels, "avx2-vnni", kAvxVnniCodes);
  if (features.avx512_vnni) kernels.push_back(&avx512_vnni);
  if (features.avx512) kernels.push_back(&avx512);
  if (features.avx_vnni) kernels.push_back(&avx2_vnni);
  if (features.avx2) kernels.push_back(&kAvx2Kernels);
#elif defined(SYNOPTIC_ARM64)
  static const Kernels neon_dot = WithCodes(kNeonKernels, "neon-dot", kNeonDotCodes);
  if (HasDotProduct()) kernels.push_back(&neon_dot);
  kernels.push_back(&kNeonKernels);
#endif
  kernels.push_back(&kScalarKernels);
  return kernels;
}

}  // namespace

const std::vector<const Kernels*>& AvailableKernels() {
  static const std::vector<const Kernels*> kernels = Detected();
  return kernels;
}

const Kernels& ChooseKernels(const char* forced) {
  const std::string_view requested = forced == nullptr ? "" : forced;
  if (requested.empty()) return *AvailableKernels().front();
  std::string names;
  for (const Kernels* kernels : AvailableKernels()) {
    if (requested == kernels->name) return *kernels;
    names += names.empty() ? kernels->name : std::string(", ") + kernels->name;
  }
  throw Error("EKERNEL",
              "SYNOPTIC_FORCE_KERNEL: expected one of those that this machine can run (" + names +
                  "), received '" + std::string(requested) + "'");
}

const Kernels& ActiveKernels() {
  static const Kernels& kernels = ChooseKernels(std::getenv("SYNOPTIC_FORCE_KERNEL"));
  return kernels;
}

}  // namespace synoptic
