// Keeps a SIGBUS inside a guarded range of memory from ending the process: zero pages take the
// place of what is gone, from the faulting page to the end of the range, and the range is marked as
// lost.

#ifndef SYNOPTIC_CORE_BUS_GUARD_H_
#define SYNOPTIC_CORE_BUS_GUARD_H_

#include <cstddef>

namespace synoptic {

struct GuardedRange;

// Installs the handler with the first range; signals outside every range go to the former handler.
GuardedRange* GuardRange(const void* begin, std::size_t size);

// To be called before the range is unmapped.
void ReleaseRange(GuardedRange* range) noexcept;

// Whether a page of the range was missing when it was read.
bool RangeWasLost(const GuardedRange* range) noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_BUS_GUARD_H_
