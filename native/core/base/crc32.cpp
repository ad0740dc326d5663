#include "base/crc32.h"

#include <array>
#include <cstring>

namespace synoptic {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320;

// Table i advances a byte over i further bytes, so that eight bytes need no waiting for each other.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables MakeTables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value & 1 ? value >> 1 ^ kPolynomial : value >> 1;
    tables[0][byte] = value;
  }
  for (std::size_t table = 1; table < tables.size(); ++table) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t value = tables[table - 1][byte];
      tables[table][byte] = value >> 8 ^ tables[0][value & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

std::uint32_t Crc32(std::uint32_t before, const std::uint8_t* data, std::size_t size) {
  std::uint32_t value = ~before;
  for (; size >= 8; size -= 8, data += 8) {
    std::uint32_t low, high;
    std::memcpy(&low, data, 4);
    std::memcpy(&high, data + 4, 4);
    low ^= value;
    value = kTables[7][low & 0xFF] ^ kTables[6][low >> 8 & 0xFF] ^ kTables[5][low >> 16 & 0xFF] ^
            kTables[4][low >> 24] ^ kTables[3][high & 0xFF] ^ kTables[2][high >> 8 & 0xFF] ^
            kTables[1][high >> 16 & 0xFF] ^ kTables[0][high >> 24];
  }
  for (; size > 0; --size, ++data) value = value >> 8 ^ kTables[0][(value ^ *data) & 0xFF];
  return ~value;
}

}  // namespace synoptic
