// A 64-bit hash that detects a changed file: four lanes of multiply and
// rotate, as fast as memory. Not against forgery.

#ifndef SYNOPTIC_BASE_HASH64_H_
#define SYNOPTIC_BASE_HASH64_H_

#include <cstddef>
#include <cstdint>

namespace synoptic {

std::uint64_t Hash64(const void* data, std::size_t size) noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_HASH64_H_
