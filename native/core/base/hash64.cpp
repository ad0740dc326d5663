#include "base/hash64.h"

#include <bit>
#include <cstring>

namespace synoptic {
namespace {

// Odd constants with about half of their bits set, without structure (those of xxHash).
constexpr std::uint64_t kFirst = 0x9E3779B185EBCA87;
constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4F;

std::uint64_t Mix(std::uint64_t lane, std::uint64_t word) noexcept {
  return std::rotl(lane + word * kSecond, 31) * kFirst;
}

}  // namespace

std::uint64_t Hash64(const void* data, std::size_t size) noexcept {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  std::uint64_t lanes[4] = {kFirst, kSecond, ~kFirst, ~kSecond};
  std::uint64_t words[4];
  std::size_t at = 0;
  for (; at + sizeof(words) <= size; at += sizeof(words)) {
    std::memcpy(words, bytes + at, sizeof(words));
    for (int lane = 0; lane < 4; ++lane) lanes[lane] = Mix(lanes[lane], words[lane]);
  }
  // The rest, padded with zeros; the size says how much of it is padding.
  std::memset(words, 0, sizeof(words));
  if (at < size) std::memcpy(words, bytes + at, size - at);
  std::uint64_t hash = size;
  for (int lane = 0; lane < 4; ++lane) hash = Mix(hash, Mix(lanes[lane], words[lane]));
  hash = (hash ^ hash >> 33) * kSecond;
  return hash ^ hash >> 29;
}

}  // namespace synoptic
