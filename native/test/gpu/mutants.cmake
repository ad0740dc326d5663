# Mutants: the kernels' text with one place broken. Each is compiled like the sound text, with its file
# first on the include path. A place that is not there exactly once stops the build, so that no mutant
# is silently sound.
set(mutant_list "")
set(mutant_objects "")

function(add_mutant name file sound broken)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name})
  file(READ ${kernels}/${file} text)
  string(FIND "${text}" "${sound}" first)
  string(FIND "${text}" "${sound}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "Mutant ${name}: expected once in ${file}: ${sound}")
  endif()
  string(REPLACE "${sound}" "${broken}" text "${text}")
  file(CONFIGURE OUTPUT ${folder}/${file} CONTENT "${text}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernels}/${file})
  add_library(mutant_${name} OBJECT ${gpu}/emulated_kernels.cpp)
  target_include_directories(mutant_${name} PRIVATE ${folder} ${gpu} ${kernels}
    ${PROJECT_SOURCE_DIR}/native/cuda/include)
  target_compile_definitions(mutant_${name} PRIVATE SYNOPTIC_EMULATED_CUDA
    SYNOPTIC_KERNELS=mutant_${name} SYNOPTIC_KERNELS_NAME="${name}")
  # They run for a moment and are many: compile fast. What is broken may leave things unused.
  target_compile_options(mutant_${name} PRIVATE -O0 -w)
  set(mutant_list "${mutant_list}SYNOPTIC_MUTANT(mutant_${name})\n" PARENT_SCOPE)
  set(mutant_objects ${mutant_objects} $<TARGET_OBJECTS:mutant_${name}> PARENT_SCOPE)
endfunction()

add_mutant(drops_what_ties thresholds.cuh
  "candidate.upper < threshold" "candidate.upper <= threshold")
add_mutant(counts_a_row_twice thresholds.cuh
  "a.distinct ? candidate.row :" "false ? candidate.row :")
add_mutant(forgets_the_prefix thresholds.cuh
  "(best ^ known) >> (shift + 8) != 0" "false")
add_mutant(orders_negatives_wrongly thresholds.cuh
  "bits >> 31 ? ~bits :" "bits >> 31 ? bits :")
add_mutant(drops_by_lower_bounds thresholds.cuh
  "candidate.upper < threshold" "candidate.lower < threshold")
add_mutant(negates_four_bits bound_codes.cuh
  "2 * sum - 15 * coded.wide_sum" "15 * coded.wide_sum - 2 * sum")
add_mutant(takes_directions_away bound_codes.cuh
  "value += coded.along[h]" "value -= coded.along[h]")
add_mutant(reads_validity_elsewhere bound_codes.cuh
  "word >> first_row % 64" "word >> first_row % 32")
add_mutant(leaves_out_a_lane bound_codes.cuh
  "int lanes = 4; lanes > 0" "int lanes = 4; lanes > 1")
add_mutant(adds_lanes_in_another_order rescore.cuh
  "int width = 8; width > 0; width /= 2" "int width = 1; width < 16; width *= 2")
add_mutant(multiplies_in_float32 rescore.cuh
  "sum = fma(static_cast<double>(query_values[j]), static_cast<double>(row_values[j]), sum)"
  "sum += static_cast<double>(query_values[j] * row_values[j])")
# Barriers that are not there.
add_mutant(reads_buckets_too_early thresholds.cuh
  "  if (threadIdx.x == 0) kept_count = 0;\n  __syncthreads();" "  if (threadIdx.x == 0) kept_count = 0;")
add_mutant(tells_counts_too_early thresholds.cuh
  "kept[place] = candidate;\n    }\n    __syncthreads();" "kept[place] = candidate;\n    }")
add_mutant(reads_digits_too_early thresholds.cuh
  "histogram[i] = 0;\n    __syncthreads();" "histogram[i] = 0;")
add_mutant(reduces_too_early prepare_codes.cuh
  "scratch[warp] = value;\n  __syncthreads();" "scratch[warp] = value;")
add_mutant(turns_too_early prepare_codes.cuh
  "half *= 2) {\n    __syncthreads();" "half *= 2) {")
add_mutant(forgets_a_round_of_signs prepare_codes.cuh
  "* space.sign[padded + i]" "")
add_mutant(misnumbers_rows half_rows.cuh
  "static_cast<uint32_t>(row)," "static_cast<uint32_t>(i),")
add_mutant(scales_by_another_norm half_rows.cuh
  "const double norm = a.norms[row];" "const double norm = a.norms[0];")

file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/mutants/mutants.inc.new "${mutant_list}")
configure_file(${CMAKE_CURRENT_BINARY_DIR}/mutants/mutants.inc.new
  ${CMAKE_CURRENT_BINARY_DIR}/mutants/mutants.inc COPYONLY)
add_executable(gpu_mutants_test ${gpu}/gpu_mutants_test.cpp ${mutant_objects})
target_include_directories(gpu_mutants_test PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/mutants)
target_link_libraries(gpu_mutants_test PRIVATE synoptic_test_harness synoptic_emulation)
add_test(NAME gpu_mutants COMMAND gpu_mutants_test)
