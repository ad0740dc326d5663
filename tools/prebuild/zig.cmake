# A CMake toolchain: Zig's clang, which has the C library and the C++ library of each target with it.
# SYNOPTIC_ZIG is the program, SYNOPTIC_TARGET the target as Zig writes it (x86_64-linux-gnu.2.28).
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SYNOPTIC_ZIG SYNOPTIC_TARGET)
string(REGEX MATCH "^([^-]+)-([a-z]+)" parts "${SYNOPTIC_TARGET}")
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
if(CMAKE_MATCH_2 STREQUAL "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
  # Without a SDK: Zig has the headers and the stubs of the system's library.
  set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
  set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "")
elseif(CMAKE_MATCH_2 STREQUAL "windows")
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
set(CMAKE_C_COMPILER ${SYNOPTIC_ZIG} cc -target ${SYNOPTIC_TARGET})
set(CMAKE_CXX_COMPILER ${SYNOPTIC_ZIG} c++ -target ${SYNOPTIC_TARGET})
# CMake takes one word for each of these tools; the rules take a command.
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${SYNOPTIC_ZIG}\" ar qc <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "\"${SYNOPTIC_ZIG}\" ar q <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "\"${SYNOPTIC_ZIG}\" ranlib <TARGET>")
endforeach()
set(CMAKE_DLLTOOL ${SYNOPTIC_ZIG} dlltool -m i386:x86-64)
