#include "io/block_hashes.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/hash64.h"

namespace synoptic {

std::size_t BlockHashes::SizeOf(std::size_t block) const {
  return std::min(kHashedBlockBytes, bytes - block * kHashedBlockBytes);
}

void BlockHashes::CheckShape(const MappedFile& file) const {
  if (file.size() < bytes) {
    throw Error("EFILE_DAMAGED", file.path(), std::to_string(bytes) + " bytes or more",
                std::to_string(file.size()));
  }
  const std::size_t blocks = (bytes + kHashedBlockBytes - 1) / kHashedBlockBytes;
  if (hashes.size() == blocks) return;
  throw Error("EFILE_DAMAGED", file.path(), "hashes of " + std::to_string(blocks) + " blocks",
              std::to_string(hashes.size()));
}

void BlockHashes::Check(const MappedFile& file, std::size_t block) const {
  const std::size_t begin = block * kHashedBlockBytes;
  if (Hash64(file.data() + begin, SizeOf(block)) == hashes[block]) return;
  throw Error("EFILE_DAMAGED", file.path(), "the bytes that were written",
              "others between byte " + std::to_string(begin) + " and " +
                  std::to_string(begin + SizeOf(block)));
}

}  // namespace synoptic
