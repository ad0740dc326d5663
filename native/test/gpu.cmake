# The CUDA backend without a device: its host code and the kernels' own text on an emulation, mutants
# of that text which the tests have to catch, and the library itself where nvcc is found.
if(WIN32)
  add_skipped_test(gpu_search "the emulation's fibers are those of POSIX")
  return()
endif()

set(gpu ${CMAKE_CURRENT_SOURCE_DIR}/gpu)
set(kernels ${PROJECT_SOURCE_DIR}/native/cuda/kernels)

# ThreadSanitizer does not follow fibers.
if(SYNOPTIC_SANITIZE STREQUAL "thread")
  add_skipped_test(gpu_search "ThreadSanitizer does not follow the emulation's fibers")
else()
  add_library(synoptic_emulation STATIC ${gpu}/emulated_cuda.cpp ${gpu}/emulated_device.cpp
    ${gpu}/emulated_kernels.cpp)
  target_include_directories(synoptic_emulation PUBLIC ${gpu}
    ${PROJECT_SOURCE_DIR}/native/cuda/include PRIVATE ${kernels})
  target_compile_definitions(synoptic_emulation PUBLIC SYNOPTIC_EMULATED_CUDA)
  target_compile_options(synoptic_emulation PRIVATE -Wno-unknown-pragmas)
  foreach(subject gpu_search gpu_engine gpu_memory)
    add_executable(${subject}_test ${gpu}/${subject}_test.cpp)
    target_link_libraries(${subject}_test PRIVATE synoptic_test_harness synoptic_emulation)
    add_test(NAME ${subject} COMMAND ${subject}_test)
  endforeach()
  target_sources(gpu_search_test PRIVATE ${gpu}/tested_emulation.cpp)
  # For tests through the addon, test/native/device.test.ts.
  add_library(synoptic_emulated_cuda SHARED ${gpu}/emulated_library.cpp)
  target_link_libraries(synoptic_emulated_cuda PRIVATE synoptic_emulation)
  target_compile_definitions(synoptic_emulated_cuda PRIVATE SYNOPTIC_CUDA_BUILD)
  include(gpu/mutants.cmake)
endif()

# What is not the library says so.
foreach(kind another refuses returns_anyway)
  string(TOUPPER ${kind} kind_name)
  add_library(gpu_library_${kind} SHARED ${gpu}/other_library.cpp)
  target_include_directories(gpu_library_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/native/cuda/include)
  target_compile_definitions(gpu_library_${kind} PRIVATE SYNOPTIC_TEST_${kind_name})
endforeach()
add_executable(gpu_library_test ${gpu}/gpu_library_test.cpp)
target_link_libraries(gpu_library_test PRIVATE synoptic_test_harness)
function(add_library_test name library reason)
  add_test(NAME gpu_library_${name} COMMAND gpu_library_test)
  set_tests_properties(gpu_library_${name} PROPERTIES ENVIRONMENT
    "SYNOPTIC_TEST_LIBRARY=${library};SYNOPTIC_TEST_REASON=${reason};${ARGN}")
endfunction()
add_library_test(missing /nowhere/libsynoptic_cuda.so "is not built or does not load")
add_library_test(another $<TARGET_FILE:gpu_library_another> "found another one")
add_library_test(refuses $<TARGET_FILE:gpu_library_refuses> "expected version")
add_library_test(returns_anyway $<TARGET_FILE:gpu_library_returns_anyway> "expected version")

if(NOT SYNOPTIC_HAS_NVCC)
  add_skipped_test(gpu_library_build "needs nvcc: tools/fetch-nvcc.sh fetches it")
  return()
endif()

# The library, with a driver that has no device and with one that is too old. A real driver has the
# same name, so the fake one stands first.
add_library(fake_driver SHARED ${gpu}/fake_driver.cpp)
set_target_properties(fake_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_driver)
set(fake "LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/fake_driver")
add_dependencies(gpu_library_test synoptic_cuda fake_driver)
add_library_test(no_device $<TARGET_FILE:synoptic_cuda> "expected a CUDA device, found none" ${fake})
add_library_test(old_driver $<TARGET_FILE:synoptic_cuda> "found one for CUDA 11.4" ${fake}
  "SYNOPTIC_TEST_DRIVER=11040")

# The searches of the emulation, on a device.
add_executable(cuda_search_test ${gpu}/gpu_search_test.cpp ${gpu}/tested_hardware.cpp)
target_include_directories(cuda_search_test PRIVATE ${gpu})
target_link_libraries(cuda_search_test PRIVATE synoptic_test_harness)
add_dependencies(cuda_search_test synoptic_cuda)
add_test(NAME cuda_search COMMAND cuda_search_test)
set_tests_properties(cuda_search PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: "
  ENVIRONMENT "SYNOPTIC_CUDA_LIBRARY=$<TARGET_FILE:synoptic_cuda>")

# Measured by tools/device/run.sh.
add_executable(gpu_bench EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/kernels/gpu.cpp harness.cpp)
target_compile_definitions(gpu_bench PRIVATE SYNOPTIC_NO_MAIN)
target_include_directories(gpu_bench PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${gpu})
target_link_libraries(gpu_bench PRIVATE synoptic_core)
add_executable(gpu_floors EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/kernels/gpu_floors.cu)
set_target_properties(gpu_floors PROPERTIES CUDA_STANDARD 17)
target_include_directories(gpu_floors PRIVATE ${PROJECT_SOURCE_DIR}/native/cuda/src)
target_link_libraries(gpu_floors PRIVATE ${CMAKE_DL_LIBS})
