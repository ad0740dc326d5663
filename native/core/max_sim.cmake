# maxsim: the built-in ranker's kernels and their index.
target_sources(synoptic_core PRIVATE
  ${core}/crc32.cpp
  ${core}/kernels_max_sim_scalar.cpp
  ${core}/max_sim.cpp
  ${core}/max_sim_kernels.cpp
  ${core}/max_sim_run.cpp
  ${core}/token_lists.cpp
  ${core}/token_table.cpp)

if(SYNOPTIC_PROCESSOR STREQUAL "x86")
  target_sources(synoptic_core PRIVATE
    ${core}/kernels_max_sim_avx2.cpp ${core}/kernels_max_sim_avx512.cpp)
  set_source_files_properties(${core}/kernels_max_sim_avx2.cpp PROPERTIES COMPILE_OPTIONS "${avx2_flags}")
  set_source_files_properties(${core}/kernels_max_sim_avx512.cpp
    PROPERTIES COMPILE_OPTIONS "${avx512_flags}")
elseif(SYNOPTIC_PROCESSOR STREQUAL "arm64")
  target_sources(synoptic_core PRIVATE ${core}/kernels_max_sim_neon.cpp)
endif()
