#include "threads/thread_spread.h"

#ifdef __linux__
#include <sched.h>
#endif

namespace synoptic {

#ifdef __linux__

void ThreadSpread::Enter(unsigned worker) noexcept {
  const int processor = sched_getcpu() + 1;
  processors_[worker].store(processor);
  if (!IsTaken(processor, worker)) return;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  cpu_set_t free = allowed;
  for (const std::atomic<int>& taken : processors_) {
    if (taken > 0) CPU_CLR(static_cast<unsigned>(taken - 1), &free);
  }
  if (CPU_COUNT(&free) == 0) return;
  // Each begins to look at another one, so that two that move at once seldom choose the same.
  unsigned chosen = worker % CPU_SETSIZE;
  while (!CPU_ISSET(chosen, &free)) chosen = (chosen + 1) % CPU_SETSIZE;
  // Stored before the move: the thread that stays would leave, too, if it saw both here meanwhile.
  processors_[worker].store(static_cast<int>(chosen) + 1);
  cpu_set_t target;
  CPU_ZERO(&target);
  CPU_SET(chosen, &target);
  // The first moves it at once, the second leaves it where it is.
  if (sched_setaffinity(0, sizeof(target), &target) != 0) return;
  sched_setaffinity(0, sizeof(allowed), &allowed);
}

#else

void ThreadSpread::Enter(unsigned) noexcept {}

#endif

bool ThreadSpread::IsTaken(int processor, unsigned worker) const noexcept {
  for (unsigned other = 0; other < processors_.size(); ++other) {
    if (other != worker && processors_[other].load() == processor) {
      return true;
    }
  }
  return false;
}

}  // namespace synoptic
