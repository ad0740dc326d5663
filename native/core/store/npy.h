// The header of a `.npy` file, read strictly: only what we serve is accepted.

#ifndef SYNOPTIC_STORE_NPY_H_
#define SYNOPTIC_STORE_NPY_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace synoptic {

struct NpyHeader {
  std::size_t rows;
  std::size_t dimension;
  // Where the first value starts; a multiple of 4.
  std::size_t data_offset;
};

// Rows are counted in 32 bits by the results; the dimension's limit keeps a row within 256 KiB.
constexpr std::size_t kMaxRows = 0xFFFFFFFE;
constexpr std::size_t kMaxDimension = 65536;

// Checks the whole file: magic, version, `<f4`, C order, two axes, exact length. Throws Error
// ENPY_*.
NpyHeader ParseNpy(const std::uint8_t* data, std::size_t size, const std::string& file);

}  // namespace synoptic

#endif  // SYNOPTIC_STORE_NPY_H_
