#include "cpu.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "error.h"

#ifdef SYNOPTIC_X86
#include <cpuid.h>
#elif defined(SYNOPTIC_ARM64) && !defined(__APPLE__)
#include <sys/auxv.h>
#endif

#include "shadow_kernels.h"

namespace synoptic {
namespace {

#ifdef SYNOPTIC_X86

constexpr std::uint32_t Bit(int index) { return std::uint32_t{1} << index; }

// Which registers the operating system saves when it switches threads.
std::uint64_t SavedState() {
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

struct Features {
  bool avx2 = false;
  bool avx_vnni = false;
  bool avx512 = false;
  bool avx512_vnni = false;
};

Features Detect() {
  Features features;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return features;
  const std::uint32_t fma_osxsave_avx = Bit(12) | Bit(27) | Bit(28);
  if ((c & fma_osxsave_avx) != fma_osxsave_avx) return features;
  const std::uint64_t saved = SavedState();
  if ((saved & 0x06) != 0x06) return features;  // xmm, ymm
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return features;
  features.avx2 = (b & Bit(5)) != 0;
  const std::uint32_t f_dq_bw_vl = Bit(16) | Bit(17) | Bit(30) | Bit(31);
  const bool saves_zmm = (saved & 0xE6) == 0xE6;  // and opmask, zmm
  features.avx512 = features.avx2 && saves_zmm && (b & f_dq_bw_vl) == f_dq_bw_vl;
  features.avx512_vnni = features.avx512 && (c & Bit(11)) != 0;
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d) != 0) {
    features.avx_vnni = features.avx2 && (a & Bit(4)) != 0;
  }
  return features;
}

#elif defined(SYNOPTIC_ARM64)

bool HasDotProduct() {
#ifdef __APPLE__
  return true;  // since the first of its ARM processors
#else
  constexpr unsigned long kAsimdDp = 1ul << 20;  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) & kAsimdDp) != 0;
#endif
}

#endif

// The same kernels over rows with others over shadows.
Kernels WithShadow(const Kernels& kernels, const char* name, const ShadowKernels& shadow) {
  Kernels combined = kernels;
  combined.name = name;
  combined.shadow = &shadow;
  return combined;
}

std::vector<const Kernels*> Detected() {
  std::vector<const Kernels*> kernels;
#if defined(SYNOPTIC_X86)
  const Features features = Detect();
  static const Kernels avx512_vnni = WithShadow(kAvx512Kernels, "avx512-vnni", kAvx512VnniShadow);
  static const Kernels avx512 = WithShadow(kAvx512Kernels, "avx512", kAvx2Shadow);
  static const Kernels avx2_vnni = WithShadow(kAvx2Kernels, "avx2-vnni", kAvxVnniShadow);
  if (features.avx512_vnni) kernels.push_back(&avx512_vnni);
  if (features.avx512) kernels.push_back(&avx512);
  if (features.avx_vnni) kernels.push_back(&avx2_vnni);
  if (features.avx2) kernels.push_back(&kAvx2Kernels);
#elif defined(SYNOPTIC_ARM64)
  static const Kernels neon_dot = WithShadow(kNeonKernels, "neon-dot", kNeonDotShadow);
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
  const std::string_view wanted = forced == nullptr ? "" : forced;
  if (wanted.empty()) return *AvailableKernels().front();
  std::string names;
  for (const Kernels* kernels : AvailableKernels()) {
    if (wanted == kernels->name) return *kernels;
    names += names.empty() ? kernels->name : std::string(", ") + kernels->name;
  }
  throw Error("EKERNEL",
              "SYNOPTIC_FORCE_KERNEL: expected one of those that this machine can run (" + names +
                  "), received '" + std::string(wanted) + "'");
}

const Kernels& ActiveKernels() {
  static const Kernels& kernels = ChooseKernels(std::getenv("SYNOPTIC_FORCE_KERNEL"));
  return kernels;
}

}  // namespace synoptic
