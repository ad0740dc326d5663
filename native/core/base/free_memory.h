#ifndef SYNOPTIC_BASE_FREE_MEMORY_H_
#define SYNOPTIC_BASE_FREE_MEMORY_H_

namespace synoptic {

// Gives the system what the process has freed. glibc keeps it in the arena of each thread that
// allocated it, also of threads that have ended; other libraries return it by themselves.
void ReturnFreeMemory() noexcept;

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_FREE_MEMORY_H_
