# The kernels. Instruction-set flags stand on one file each and nowhere else.
set(kernels ${core}/kernels)
target_sources(synoptic_core PRIVATE
  ${kernels}/codes_scalar.cpp
  ${kernels}/cpu.cpp
  ${kernels}/kernels_scalar.cpp
  ${kernels}/max_sim_kernels.cpp
  ${kernels}/max_sim_scalar.cpp)

# What the files of an instruction set are compiled with.
if(MSVC)
  set(avx2_flags /arch:AVX2)
  set(avx_vnni_flags /arch:AVX2)
  set(avx512_flags /arch:AVX512)
  set(avx512_vnni_flags /arch:AVX512)
  set(neon_dot_flags /arch:armv8.2)
else()
  set(avx2_flags -mavx2 -mfma)
  set(avx_vnni_flags ${avx2_flags} -mavxvnni)
  set(avx512_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
  set(avx512_vnni_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mfma)
  # Spelled for the compiler proper: Zig takes no -march of ARM.
  if(SYNOPTIC_ZIG)
    set(neon_dot_flags -Xclang -target-feature -Xclang +dotprod)
  else()
    set(neon_dot_flags -march=armv8.2-a+dotprod)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns about its own avx512fintrin.h.
  list(APPEND avx512_flags -Wno-maybe-uninitialized -Wno-uninitialized)
  list(APPEND avx512_vnni_flags -Wno-maybe-uninitialized -Wno-uninitialized)
endif()
if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC aligns the stack to 16 bytes on Windows and stores whole AVX registers there all the same
  # (its bug 54412): let no such store ask for alignment.
  foreach(set avx2 avx_vnni avx512 avx512_vnni)
    list(APPEND ${set}_flags -Wa,-muse-unaligned-vector-move)
  endforeach()
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(SYNOPTIC_PROCESSOR x86)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(SYNOPTIC_PROCESSOR arm64)
endif()
if(SYNOPTIC_PROCESSOR STREQUAL "x86")
  target_compile_definitions(synoptic_core PUBLIC SYNOPTIC_X86)
  set(avx2_files ${kernels}/kernels_avx2.cpp ${kernels}/codes_avx2.cpp ${kernels}/max_sim_avx2.cpp)
  set(avx_vnni_files ${kernels}/codes_avxvnni.cpp)
  set(avx512_files ${kernels}/kernels_avx512.cpp ${kernels}/max_sim_avx512.cpp)
  set(avx512_vnni_files ${kernels}/codes_avx512vnni.cpp)
  set(sets avx2 avx_vnni avx512 avx512_vnni)
elseif(SYNOPTIC_PROCESSOR STREQUAL "arm64")
  target_compile_definitions(synoptic_core PUBLIC SYNOPTIC_ARM64)
  target_sources(synoptic_core PRIVATE ${kernels}/kernels_neon.cpp ${kernels}/max_sim_neon.cpp)
  set(neon_dot_files ${kernels}/codes_neon_dot.cpp)
  set(sets neon_dot)
endif()
foreach(set IN LISTS sets)
  target_sources(synoptic_core PRIVATE ${${set}_files})
  set_source_files_properties(${${set}_files} PROPERTIES COMPILE_OPTIONS "${${set}_flags}")
endforeach()
