# The core library. Instruction-set flags stand on one file each and nowhere else.
set(core ${CMAKE_CURRENT_LIST_DIR})
add_library(synoptic_core STATIC
  ${core}/block_job.cpp
  ${core}/bus_guard.cpp
  ${core}/candidates.cpp
  ${core}/canonical_scan.cpp
  ${core}/certified_scan.cpp
  ${core}/collection.cpp
  ${core}/cpu.cpp
  ${core}/hash64.cpp
  ${core}/kernels_scalar.cpp
  ${core}/mapped_file.cpp
  ${core}/matrix.cpp
  ${core}/npy.cpp
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
  ${core}/top_k.cpp)
target_include_directories(synoptic_core PUBLIC ${core})
target_link_libraries(synoptic_core PUBLIC Threads::Threads)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  target_compile_definitions(synoptic_core PUBLIC SYNOPTIC_X86)
  target_sources(synoptic_core PRIVATE ${core}/kernels_avx2.cpp ${core}/kernels_avx512.cpp
    ${core}/shadow_avx2.cpp ${core}/shadow_avxvnni.cpp ${core}/shadow_avx512vnni.cpp)
  set_source_files_properties(${core}/kernels_avx2.cpp ${core}/shadow_avx2.cpp PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
  # GCC 12 warns about its own avx512fintrin.h.
  set_source_files_properties(${core}/kernels_avx512.cpp PROPERTIES COMPILE_OPTIONS
    "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mfma;-mprefer-vector-width=512;-Wno-maybe-uninitialized")
  set_source_files_properties(${core}/shadow_avxvnni.cpp PROPERTIES COMPILE_OPTIONS
    "-mavx2;-mfma;-mavxvnni")
  set_source_files_properties(${core}/shadow_avx512vnni.cpp PROPERTIES COMPILE_OPTIONS
    "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mavx512vnni;-mfma;-Wno-maybe-uninitialized;-Wno-uninitialized")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  target_compile_definitions(synoptic_core PUBLIC SYNOPTIC_ARM64)
  target_sources(synoptic_core PRIVATE ${core}/kernels_neon.cpp ${core}/shadow_neon_dot.cpp)
  set_source_files_properties(${core}/shadow_neon_dot.cpp PROPERTIES COMPILE_OPTIONS
    "-march=armv8.2-a+dotprod")
endif()

include(${core}/max_sim.cmake)
