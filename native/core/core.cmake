# The core library. Instruction-set flags stand on one file each and nowhere else.
set(core ${CMAKE_CURRENT_LIST_DIR})
add_library(synoptic_core STATIC
  ${core}/aside_file.cpp
  ${core}/block_job.cpp
  ${core}/candidates.cpp
  ${core}/canonical_scan.cpp
  ${core}/certified_scan.cpp
  ${core}/collection.cpp
  ${core}/cpu.cpp
  ${core}/file.cpp
  ${core}/free_memory.cpp
  ${core}/hash64.cpp
  ${core}/kernels_scalar.cpp
  ${core}/mapped_file.cpp
  ${core}/matrix.cpp
  ${core}/npy.cpp
  ${core}/query_scorer.cpp
  ${core}/query_set.cpp
  ${core}/search_runner.cpp
  ${core}/shadow_builder.cpp
  ${core}/shadow_file.cpp
  ${core}/shadow_planner.cpp
  ${core}/shadow_quantise.cpp
  ${core}/shadow_scalar.cpp
  ${core}/shadow_space.cpp
  ${core}/shadow_transform.cpp
  ${core}/sweep.cpp
  ${core}/thread_pool.cpp
  ${core}/thread_priority.cpp
  ${core}/thread_spread.cpp
  ${core}/top_k.cpp)
target_include_directories(synoptic_core PUBLIC ${core})
target_link_libraries(synoptic_core PUBLIC Threads::Threads)

if(WIN32)
  target_sources(synoptic_core PRIVATE ${core}/file_windows.cpp ${core}/read_guard_windows.cpp)
else()
  target_sources(synoptic_core PRIVATE ${core}/file_posix.cpp ${core}/read_guard_posix.cpp)
endif()

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
  set(neon_dot_flags -march=armv8.2-a+dotprod)
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
  target_sources(synoptic_core PRIVATE ${core}/kernels_avx2.cpp ${core}/kernels_avx512.cpp
    ${core}/shadow_avx2.cpp ${core}/shadow_avxvnni.cpp ${core}/shadow_avx512vnni.cpp)
  set_source_files_properties(${core}/kernels_avx2.cpp ${core}/shadow_avx2.cpp
    PROPERTIES COMPILE_OPTIONS "${avx2_flags}")
  set_source_files_properties(${core}/kernels_avx512.cpp PROPERTIES COMPILE_OPTIONS "${avx512_flags}")
  set_source_files_properties(${core}/shadow_avxvnni.cpp PROPERTIES COMPILE_OPTIONS "${avx_vnni_flags}")
  set_source_files_properties(${core}/shadow_avx512vnni.cpp
    PROPERTIES COMPILE_OPTIONS "${avx512_vnni_flags}")
elseif(SYNOPTIC_PROCESSOR STREQUAL "arm64")
  target_compile_definitions(synoptic_core PUBLIC SYNOPTIC_ARM64)
  target_sources(synoptic_core PRIVATE ${core}/kernels_neon.cpp ${core}/shadow_neon_dot.cpp)
  set_source_files_properties(${core}/shadow_neon_dot.cpp PROPERTIES COMPILE_OPTIONS "${neon_dot_flags}")
endif()

include(${core}/max_sim.cmake)
include(${core}/gpu.cmake)
