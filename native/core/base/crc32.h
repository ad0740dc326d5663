// CRC-32 as zlib, gzip and PNG compute it.

#ifndef SYNOPTIC_BASE_CRC32_H_
#define SYNOPTIC_BASE_CRC32_H_

#include <cstddef>
#include <cstdint>

namespace synoptic {

// The checksum of `before`'s bytes followed by these; 0 means no bytes.
std::uint32_t Crc32(std::uint32_t before, const std::uint8_t* data, std::size_t size);

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_CRC32_H_
