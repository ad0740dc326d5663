// Hashes of a file's blocks of one megabyte, made when the file was written: they tell a file that
// has decayed since from one that is as it was written, block by block.

#ifndef SYNOPTIC_IO_BLOCK_HASHES_H_
#define SYNOPTIC_IO_BLOCK_HASHES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/mapped_file.h"

namespace synoptic {

// Part of the format; src/native/addon/block-hashes.ts writes them.
constexpr std::size_t kHashedBlockBytes = std::size_t{1} << 20;

// The Hash64 of each block of the first `bytes` bytes of a file, the last block being what is left.
struct BlockHashes {
  std::size_t bytes = 0;
  std::vector<std::uint64_t> hashes;

  std::size_t SizeOf(std::size_t block) const;
  // Throws Error EFILE_DAMAGED where there are not as many hashes as the bytes have blocks, or the
  // file is shorter.
  void CheckShape(const MappedFile& file) const;
  // Throws Error EFILE_DAMAGED where a block of the file has another hash.
  void Check(const MappedFile& file, std::size_t block) const;
};

}  // namespace synoptic

#endif  // SYNOPTIC_IO_BLOCK_HASHES_H_
