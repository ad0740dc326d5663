// Any bytes as a `.npy` file: a header that fits the bytes, or an Error ENPY_*.

#include <cstdlib>

#include "base/error.h"
#include "fixtures.h"
#include "store/npy.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A copy of exactly these bytes, so that a sanitizer sees a read beyond them.
  const std::vector<std::uint8_t> copy(data, data + size);
  try {
    const auto header = synoptic::ParseNpy(copy.data(), copy.size(), "fuzz.npy");
    const std::size_t bytes = header.rows * header.dimension * sizeof(float);
    if (header.dimension == 0 || header.data_offset + bytes != size) std::abort();
  } catch (const synoptic::Error& error) {
    if (!error.code.starts_with("ENPY_")) std::abort();
  }
  return 0;
}

std::vector<std::string> synoptic::test::FuzzSeeds() {
  const std::vector<float> values(12);
  return {"",
          Npy(3, 4, values),
          Npy(0, 4, {}),
          NpyWithHeader(NpyHeaderText(3, 4), std::string(48, 'x'), 2),
          NpyWithHeader(NpyHeaderText(3, 4), std::string(48, 'x'), 3),
          NpyWithHeader("{\"shape\": (3, 4), 'fortran_order': True, 'descr': '>f8'}", "")};
}
