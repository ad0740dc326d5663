// Any bytes as the codes of a matrix: refused with an Error ECODES_*, or whole. Whole and changed
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
  std::string codes;
};

const Original& TheOriginal() {
  static const Original original = [] {
    const std::string path = test::ScratchFile("fuzz.npy");
    test::WriteFile(path, test::Npy(40, 8, test::RandomValues(320, 1)));
    ThreadPool pool(1);
    std::promise<void> built;
    BuildCodes(pool, ActiveKernels(), {path, 8}, nullptr,
               [&](std::exception_ptr error, BuiltCodes) {
                 if (error != nullptr) std::abort();
                 built.set_value();
               });
    built.get_future().wait();
    std::ostringstream bytes;
    bytes << std::ifstream(CodesPath(path, 8), std::ios::binary).rdbuf();
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
  test::WriteFile(CodesPath(matrix.file().path(), 8), bytes);
  try {
    const QuantizedCodes codes = QuantizedCodes::Open(matrix, 8);
    for (std::size_t piece = 0; piece < codes.check_count(); ++piece) codes.Check(matrix, piece);
    // The gap between tables and blocks is the one part that nothing reads.
    if (bytes.size() != original.size()) std::abort();
    if (bytes.substr(4096) != original.substr(4096)) std::abort();
  } catch (const Error& error) {
    if (!error.code.starts_with("ECODES_")) std::abort();
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  const std::string& whole = TheOriginal().codes;
  return {whole, whole.substr(0, 64), whole.substr(0, 4096), ""};
}
