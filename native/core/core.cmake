# The core library, which knows no Node. native/layers.json says which folder may include which.
set(core ${CMAKE_CURRENT_LIST_DIR})
add_library(synoptic_core STATIC
  ${core}/base/crc32.cpp
  ${core}/base/free_memory.cpp
  ${core}/base/hash64.cpp
  ${core}/io/atomic_file.cpp
  ${core}/io/block_hashes.cpp
  ${core}/io/file.cpp
  ${core}/io/mapped_file.cpp
  ${core}/threads/block_job.cpp
  ${core}/threads/paced_checks.cpp
  ${core}/threads/thread_pool.cpp
  ${core}/threads/thread_priority.cpp
  ${core}/threads/thread_spread.cpp
  ${core}/store/matrix.cpp
  ${core}/store/npy.cpp
  ${core}/quantized/codes_builder.cpp
  ${core}/quantized/codes_planner.cpp
  ${core}/quantized/codes_space.cpp
  ${core}/quantized/codes_transform.cpp
  ${core}/quantized/quantize.cpp
  ${core}/quantized/quantized_codes.cpp
  ${core}/engine/candidates.cpp
  ${core}/engine/collection.cpp
  ${core}/engine/exact_scan.cpp
  ${core}/engine/filter_refine_scan.cpp
  ${core}/engine/loose_vectors.cpp
  ${core}/engine/query_scorer.cpp
  ${core}/engine/query_set.cpp
  ${core}/engine/shared_scan.cpp
  ${core}/engine/top_k.cpp
  ${core}/maxsim/max_sim.cpp
  ${core}/maxsim/max_sim_run.cpp
  ${core}/maxsim/token_lists.cpp
  ${core}/maxsim/token_table.cpp
  ${core}/rows/fact_degrees.cpp
  ${core}/rows/fact_matches.cpp
  ${core}/rows/fact_tables.cpp
  ${core}/rows/likeness.cpp
  ${core}/rows/named_numbers.cpp
  ${core}/rows/rank_plan.cpp
  ${core}/rows/rank_rows.cpp
  ${core}/rows/row_columns.cpp
  ${core}/rows/row_filter.cpp
  ${core}/rows/row_index.cpp
  ${core}/rows/row_words.cpp
  ${core}/rows/stem_postings.cpp
  ${core}/rows/text_numbers.cpp
  ${core}/rows/text_set.cpp
  ${core}/rows/title_table.cpp
  ${core}/rows/top_rows.cpp
  ${core}/rows/taste.cpp
  ${core}/rows/word_search.cpp
  ${core}/gpu/gpu_device.cpp
  ${core}/gpu/gpu_engine.cpp
  ${core}/gpu/gpu_group.cpp
  ${core}/gpu/gpu_layouts.cpp
  ${core}/gpu/gpu_library.cpp
  ${core}/gpu/gpu_memory.cpp
  ${core}/gpu/gpu_search.cpp
  ${core}/gpu/gpu_search_results.cpp
  ${core}/gpu/gpu_search_steps.cpp
  ${core}/gpu/gpu_uploader.cpp
  ${core}/gpu/gpu_worker.cpp
  ${core}/search/search_runner.cpp)
target_include_directories(synoptic_core PUBLIC ${core} ${core}/../cuda/include)
target_link_libraries(synoptic_core PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

if(WIN32)
  set(system windows)
else()
  set(system posix)
endif()
target_sources(synoptic_core PRIVATE
  ${core}/base/shared_library_${system}.cpp
  ${core}/io/file_${system}.cpp
  ${core}/io/read_guard_${system}.cpp)

include(${core}/kernels/kernels.cmake)
