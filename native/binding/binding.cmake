# The addon: the only part that sees Node's headers, which come from npm packages, never a download.
set(binding ${CMAKE_CURRENT_LIST_DIR})
add_library(synoptic SHARED
  ${binding}/addon.cpp
  ${binding}/addon_state.cpp
  ${binding}/arguments.cpp
  ${binding}/checked_file_wrap.cpp
  ${binding}/collection_wrap.cpp
  ${binding}/gpu_calls.cpp
  ${binding}/keep_loaded.cpp
  ${binding}/max_sim_wrap.cpp
  ${binding}/codes_calls.cpp
  ${binding}/named_numbers_wrap.cpp
  ${binding}/row_columns_calls.cpp
  ${binding}/row_index_wrap.cpp
  ${binding}/row_words_wrap.cpp
  ${binding}/running_checks.cpp
  ${binding}/title_table_wrap.cpp
  ${CMAKE_JS_SRC})
set_target_properties(synoptic PROPERTIES PREFIX "" SUFFIX ".node")
# A worker thread that is terminated in the middle of a call can be thrown nothing any more: without the
# last, the attempt ends the process.
target_compile_definitions(synoptic PRIVATE
  NAPI_VERSION=8 NODE_ADDON_API_CPP_EXCEPTIONS NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS)
target_include_directories(synoptic SYSTEM PRIVATE ${CMAKE_JS_INC}
  ${CMAKE_CURRENT_SOURCE_DIR}/node_modules/node-addon-api)
target_link_libraries(synoptic PRIVATE synoptic_core ${CMAKE_JS_LIB} ${CMAKE_DL_LIBS})
if(APPLE)
  target_link_options(synoptic PRIVATE -Wl,-undefined,dynamic_lookup)
endif()
if(CMAKE_JS_NODELIB_DEF AND CMAKE_JS_NODELIB_TARGET)
  # On Windows the functions of Node-API are imported from node.exe, by a library made of their names.
  if(MSVC)
    # cmake-js has node.exe loaded late, so that it may bear another name.
    target_link_libraries(synoptic PRIVATE delayimp)
    execute_process(COMMAND ${CMAKE_AR} /def:${CMAKE_JS_NODELIB_DEF} /out:${CMAKE_JS_NODELIB_TARGET}
      ${CMAKE_STATIC_LINKER_FLAGS} COMMAND_ERROR_IS_FATAL ANY)
  else()
    execute_process(COMMAND ${CMAKE_DLLTOOL} -d ${CMAKE_JS_NODELIB_DEF} -l ${CMAKE_JS_NODELIB_TARGET}
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
