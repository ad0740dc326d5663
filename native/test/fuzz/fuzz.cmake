# Fuzz targets. With Clang and SYNOPTIC_FUZZ=ON they are libFuzzer programs (`npy_fuzz -max_total_time=60`);
# elsewhere a driver changes seeds at random, a bounded number of times, which is also a test.
foreach(target npy codes import plan search rows)
  add_executable(${target}_fuzz fuzz/${target}_fuzz.cpp harness.cpp)
  target_compile_definitions(${target}_fuzz PRIVATE SYNOPTIC_NO_MAIN)
  target_include_directories(${target}_fuzz PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
    ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
  target_link_libraries(${target}_fuzz PRIVATE synoptic_core)
  if(SYNOPTIC_FUZZ AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_link_options(${target}_fuzz PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${target}_fuzz COMMAND ${target}_fuzz -max_total_time=20 -rss_limit_mb=4096)
  else()
    target_sources(${target}_fuzz PRIVATE fuzz/driver.cpp)
    add_test(NAME ${target}_fuzz COMMAND ${target}_fuzz 3000)
  endif()
  # An input that hangs is a finding as well.
  set_tests_properties(${target}_fuzz PROPERTIES TIMEOUT 300)
endforeach()
if(SYNOPTIC_FUZZ AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(synoptic_core PRIVATE -fsanitize=fuzzer-no-link)
endif()
