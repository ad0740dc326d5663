// Matrices for tests: random and adversarial ones, and the bytes of `.npy` files.

#ifndef SYNOPTIC_TEST_FIXTURES_H_
#define SYNOPTIC_TEST_FIXTURES_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace synoptic::test {

inline std::string NpyWithHeader(std::string header, const std::string& data, char version = 1) {
  const std::size_t prefix = version == 1 ? 10 : 12;
  while ((prefix + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  for (std::size_t shift = 0; shift < (prefix - 8) * 8; shift += 8) {
    bytes += static_cast<char>(header.size() >> shift);
  }
  return bytes + header + data;
}

inline std::string NpyHeaderText(std::size_t rows, std::size_t dimension) {
  return "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
         std::to_string(dimension) + "), }";
}

inline std::string Npy(std::size_t rows, std::size_t dimension, const std::vector<float>& values) {
  std::string data(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
  return NpyWithHeader(NpyHeaderText(rows, dimension), data);
}

inline std::vector<float> RandomValues(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(generator);
  return values;
}

// Rows that are hard to score: scaled from 1e-20 to 1e18, duplicated, denormal, with one huge
// value, zero, NaN and infinite.
inline std::vector<float> AdversarialValues(std::size_t rows, std::size_t dimension,
                                            std::uint32_t seed) {
  std::vector<float> values = RandomValues(rows * dimension, seed);
  for (std::size_t row = 0; row < rows; ++row) {
    float* x = values.data() + row * dimension;
    const auto fill = [&](float value) { std::fill(x, x + dimension, value); };
    const auto scale = [&](float by) {
      for (std::size_t d = 0; d < dimension; ++d) x[d] *= by;
    };
    switch (row % 11) {
      case 1:
        scale(1e-20f);
        break;
      case 2:
        scale(1e18f);
        break;
      case 3:
        std::memcpy(x, values.data(), dimension * sizeof(float));
        break;
      case 4:
        fill(0);
        break;
      case 5:
        x[row % dimension] = std::numeric_limits<float>::quiet_NaN();
        break;
      case 6:
        x[row % dimension] = -std::numeric_limits<float>::infinity();
        break;
      case 7:
        fill(std::numeric_limits<float>::denorm_min());
        break;
      case 8:
        x[row % dimension] = 3e38f;
        break;
      case 9:
        fill(-1);
        break;
      default:
        break;
    }
  }
  return values;
}

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_FIXTURES_H_
