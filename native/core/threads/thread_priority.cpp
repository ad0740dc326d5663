#include "threads/thread_priority.h"

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#endif

namespace synoptic {

#ifdef __linux__

void GiveWay() noexcept {
  constexpr int kSteps = 10, kLowest = 19;
  setpriority(PRIO_PROCESS, 0, std::min(getpriority(PRIO_PROCESS, 0) + kSteps, kLowest));
}

void OfferProcessor() noexcept { sched_yield(); }

#else

void GiveWay() noexcept {}
void OfferProcessor() noexcept {}

#endif

}  // namespace synoptic
