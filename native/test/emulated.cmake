# Kernels of processors that this machine may not have, compiled from the same sources.
set(core ${PROJECT_SOURCE_DIR}/native/core)

# AVX-512 through SIMDe (Debian: libsimde-dev).
find_path(SIMDE_INCLUDE simde/x86/avx512.h)
if(SIMDE_INCLUDE)
  add_executable(kernels_simde_test kernels_test.cpp codes_kernels_test.cpp bounds_test.cpp
    harness.cpp ${core}/kernels/kernels_avx512.cpp ${core}/kernels/codes_avx512vnni.cpp
    ${core}/kernels/codes_avxvnni.cpp)
  # All but what was just compiled.
  target_link_libraries(kernels_simde_test PRIVATE synoptic_core)
  target_include_directories(kernels_simde_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${core})
  target_include_directories(kernels_simde_test SYSTEM PRIVATE ${SIMDE_INCLUDE})
  target_compile_definitions(kernels_simde_test PRIVATE SYNOPTIC_X86 SYNOPTIC_EMULATED
    SIMDE_ENABLE_NATIVE_ALIASES)
  target_compile_options(kernels_simde_test PRIVATE -Wno-pedantic -Wno-ignored-attributes -Wno-psabi)
  add_test(NAME kernels_avx512_emulated COMMAND kernels_simde_test)
else()
  add_skipped_test(kernels_avx512_emulated "needs SIMDe (Debian: libsimde-dev)")
endif()

# NEON through qemu's user mode (Debian: g++-aarch64-linux-gnu, qemu-user).
find_program(AARCH64_CXX aarch64-linux-gnu-g++)
find_program(QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
if(AARCH64_CXX AND QEMU_AARCH64)
  set(sources kernels_test.cpp codes_kernels_test.cpp bounds_test.cpp harness.cpp)
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(core_sources kernels/kernels_scalar kernels/kernels_neon kernels/cpu kernels/codes_scalar
    kernels/codes_neon_dot quantized/codes_space quantized/quantize quantized/codes_transform)
  foreach(source IN LISTS core_sources)
    list(APPEND sources ${core}/${source}.cpp)
  endforeach()
  add_custom_command(OUTPUT kernels_neon_test
    DEPENDS ${sources} ${core}/kernels/kernels.h ${core}/kernels/codes_kernels.h
    COMMAND ${AARCH64_CXX} -std=c++20 -O2 -march=armv8.2-a+dotprod -Wall -Wextra -ffp-contract=off
      -static -DSYNOPTIC_ARM64 -DSYNOPTIC_SLOW -I${core} -I${CMAKE_CURRENT_SOURCE_DIR} ${sources}
      -o kernels_neon_test
    VERBATIM)
  add_custom_target(kernels_neon ALL DEPENDS kernels_neon_test)
  add_test(NAME kernels_neon_emulated COMMAND ${QEMU_AARCH64} ./kernels_neon_test)
else()
  add_skipped_test(kernels_neon_emulated "needs g++-aarch64-linux-gnu and qemu-user")
endif()
