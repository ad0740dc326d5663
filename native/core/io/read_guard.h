// Keeps the process alive when a page of a mapped file is gone by the time it is read. POSIX sends
// SIGBUS: zero pages take the place of what is gone, from the faulting page to the end of the
// range, and the range is marked as lost. Windows refuses to shorten a file that is mapped, so that
// there is nothing to guard; a page that a disk or a network share fails to deliver ends the
// process there.

#ifndef SYNOPTIC_IO_READ_GUARD_H_
#define SYNOPTIC_IO_READ_GUARD_H_

#include <cstddef>

namespace synoptic {

struct GuardedRange;

// Guards `size` bytes from the page boundary `begin` on, rounded up to whole pages. Installs the
// handler with the first range; signals outside every range go to the former handler. Null where
// there is nothing to guard.
GuardedRange* GuardRange(const void* begin, std::size_t size);

// To be called before the range is unmapped.
void ReleaseRange(GuardedRange* range) noexcept;

// Whether a page of the range was missing when it was read.
bool RangeWasLost(const GuardedRange* range) noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_IO_READ_GUARD_H_
