// Any bytes as the shadow of a matrix: refused with an Error ESHADOW_*, or whole. Whole and changed
// cannot be, because every byte is under a hash.

#include <cstdlib>
#include <fstream>
#include <future>
#include <sstream>

#include "base/error.h"
#include "fixtures.h"
#include "harness.h"
#include "kernels/cpu.h"
#include "quantized/codes_builder.h"
#include "quantized/quantized_codes.h"
#include "target.h"

namespace synoptic {
namespace {

struct Original {
  Matrix matrix;
  std::string shadow;
};

const Original& TheOriginal() {
  static const Original original = [] {
    const std::string path = test::ScratchFile("fuzz.npy");
    test::WriteFile(path, test::Npy(40, 8, test::RandomValues(320, 1)));
    ThreadPool pool(1);
    std::promise<void> built;
    BuildShadow(pool, ActiveKernels(), {path, 8}, nullptr,
                [&](std::exception_ptr error, BuiltShadow) {
                  if (error != nullptr) std::abort();
                  built.set_value();
                });
    built.get_future().wait();
    std::ostringstream bytes;
    bytes << std::ifstream(ShadowPath(path, 8), std::ios::binary).rdbuf();
    return Original{Matrix::Open(path), bytes.str()};
  }();
  return original;
}

}  // namespace
}  // namespace synoptic

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace synoptic;
  const auto& [matrix, original] = TheOriginal();
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  test::WriteFile(ShadowPath(matrix.file().path(), 8), bytes);
  try {
    const Shadow shadow = Shadow::Open(matrix, 8);
    for (std::size_t piece = 0; piece < shadow.check_count(); ++piece) shadow.Check(matrix, piece);
    // The gap between tables and blocks is the one part that nothing reads.
    if (bytes.size() != original.size()) std::abort();
    if (bytes.substr(4096) != original.substr(4096)) std::abort();
  } catch (const Error& error) {
    if (!error.code.starts_with("ESHADOW_")) std::abort();
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  const std::string& whole = TheOriginal().shadow;
  return {whole, whole.substr(0, 64), whole.substr(0, 4096), ""};
}
