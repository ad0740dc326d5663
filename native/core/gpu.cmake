# Searches on a CUDA device: the host's side, which needs no CUDA to be built.
target_sources(synoptic_core PRIVATE
  ${core}/gpu_device.cpp
  ${core}/gpu_engine.cpp
  ${core}/gpu_forms.cpp
  ${core}/gpu_group.cpp
  ${core}/gpu_lane.cpp
  ${core}/gpu_library.cpp
  ${core}/gpu_memory.cpp
  ${core}/gpu_search.cpp
  ${core}/gpu_search_answers.cpp
  ${core}/gpu_search_steps.cpp
  ${core}/gpu_uploader.cpp)
if(WIN32)
  target_sources(synoptic_core PRIVATE ${core}/shared_library_windows.cpp)
else()
  target_sources(synoptic_core PRIVATE ${core}/shared_library_posix.cpp)
endif()
target_include_directories(synoptic_core PUBLIC ${core}/../cuda/include)
target_link_libraries(synoptic_core PUBLIC ${CMAKE_DL_LIBS})
