# maxsim: its kernels, also those of processors that this machine may not have, and its index.
foreach(subject max_sim_kernels max_sim)
  add_executable(${subject}_test ${subject}_test.cpp)
  target_link_libraries(${subject}_test PRIVATE synoptic_test_harness)
  add_test(NAME ${subject} COMMAND ${subject}_test)
endforeach()

if(SIMDE_INCLUDE)
  add_executable(max_sim_simde_test max_sim_kernels_test.cpp harness.cpp
    ${core}/kernels/max_sim_scalar.cpp ${core}/kernels/max_sim_avx512.cpp)
  target_include_directories(max_sim_simde_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${core})
  target_include_directories(max_sim_simde_test SYSTEM PRIVATE ${SIMDE_INCLUDE})
  target_compile_definitions(max_sim_simde_test PRIVATE SYNOPTIC_X86 SYNOPTIC_EMULATED
    SIMDE_ENABLE_NATIVE_ALIASES)
  target_compile_options(max_sim_simde_test PRIVATE -Wno-pedantic -Wno-ignored-attributes -Wno-psabi)
  add_test(NAME max_sim_avx512_emulated COMMAND max_sim_simde_test)
else()
  add_skipped_test(max_sim_avx512_emulated "needs SIMDe (Debian: libsimde-dev)")
endif()

if(AARCH64_CXX AND QEMU_AARCH64)
  set(max_sim_sources ${CMAKE_CURRENT_SOURCE_DIR}/max_sim_kernels_test.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/harness.cpp ${core}/kernels/max_sim_scalar.cpp
    ${core}/kernels/max_sim_neon.cpp)
  add_custom_command(OUTPUT max_sim_neon_test DEPENDS ${max_sim_sources} ${core}/kernels/max_sim_kernels.h
    COMMAND ${AARCH64_CXX} -std=c++20 -O2 -Wall -Wextra -ffp-contract=off -static -DSYNOPTIC_ARM64
      -DSYNOPTIC_EMULATED -I${core} -I${CMAKE_CURRENT_SOURCE_DIR} ${max_sim_sources} -o max_sim_neon_test
    VERBATIM)
  add_custom_target(max_sim_neon ALL DEPENDS max_sim_neon_test)
  add_test(NAME max_sim_neon_emulated COMMAND ${QEMU_AARCH64} ./max_sim_neon_test)
else()
  add_skipped_test(max_sim_neon_emulated "needs g++-aarch64-linux-gnu and qemu-user")
endif()
