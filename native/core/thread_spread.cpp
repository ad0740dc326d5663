#include "thread_spread.h"

#ifdef __linux__
#include <sched.h>
#endif

namespace synoptic {

#ifdef __linux__

void ThreadSpread::Enter(unsigned worker) noexcept {
  const int processor = sched_getcpu() + 1;
  processors_[worker].store(processor, std::memory_order_relaxed);
  if (!IsTaken(processor, worker)) return;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  cpu_set_t free = allowed;
  for (const std::atomic<int>& taken : processors_) {
    const int number = taken.load(std::memory_order_relaxed);
    if (number > 0) CPU_CLR(static_cast<unsigned>(number - 1), &free);
  }
  if (CPU_COUNT(&free) == 0) return;
  // The first moves it at once, the second leaves it where it is.
  if (sched_setaffinity(0, sizeof(free), &free) != 0) return;
  sched_setaffinity(0, sizeof(allowed), &allowed);
  processors_[worker].store(sched_getcpu() + 1, std::memory_order_relaxed);
}

#else

void ThreadSpread::Enter(unsigned) noexcept {}

#endif

bool ThreadSpread::IsTaken(int processor, unsigned worker) const noexcept {
  for (unsigned other = 0; other < processors_.size(); ++other) {
    if (other != worker && processors_[other].load(std::memory_order_relaxed) == processor) {
      return true;
    }
  }
  return false;
}

}  // namespace synoptic
