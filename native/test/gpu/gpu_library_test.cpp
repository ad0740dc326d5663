// The library that is not there, is another one, or finds no device: reported, never thrown.
// SYNOPTIC_TEST_LIBRARY and SYNOPTIC_TEST_REASON say which, and a part of what has to be reported.

#include "gpu/gpu_library.h"

#include <cstdlib>

#include "harness.h"

namespace synoptic {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

TEST(SaysWhyThereIsNoDevice) {
  const std::string path = Environment("SYNOPTIC_TEST_LIBRARY");
  const GpuLibrary library = LoadGpuLibrary(path);
  CHECK_EQUAL(library.path, path);
  CHECK(library.reason.find(path.substr(0, path.rfind('/') + 1)) == std::string::npos);
  const std::string expected = Environment("SYNOPTIC_TEST_REASON");
  CHECK(!expected.empty());
  CHECK(library.api == nullptr);
  CHECK(library.devices.empty());
  CHECK_EQUAL(library.reason.find(expected) != std::string::npos ? expected : library.reason,
              expected);
}

TEST(UsesTheGivenPath) {
  setenv("SYNOPTIC_CUDA_LIBRARY", "/somewhere/else.so", 1);
  CHECK_EQUAL(DefaultGpuLibraryPath(), std::string("/somewhere/else.so"));
  unsetenv("SYNOPTIC_CUDA_LIBRARY");
  // Next to the file with this code.
  const std::string path = DefaultGpuLibraryPath();
  CHECK(path.ends_with("/libsynoptic_cuda.so"));
}

}  // namespace
}  // namespace synoptic
