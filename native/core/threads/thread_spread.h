// Keeps the pool's threads on processors of their own. A scheduler that finds no idle processor at
// the moment of waking puts two of them on one and may leave them there, next to an idle one, for
// longer than a search takes: it then takes twice as long. A thread that notices requests to be
// moved, and is free to be moved by the scheduler again. Does nothing where the system has no way
// of asking (other than Linux).

#ifndef SYNOPTIC_THREADS_THREAD_SPREAD_H_
#define SYNOPTIC_THREADS_THREAD_SPREAD_H_

#include <atomic>
#include <vector>

namespace synoptic {

class ThreadSpread {
 public:
  explicit ThreadSpread(unsigned thread_count) : processors_(thread_count) {}

  // Thread `worker`, which calls, is about to work: moves it when another thread at work was last
  // seen on its processor and there is one without.
  void Enter(unsigned worker) noexcept;

  // The thread goes to sleep.
  void Leave(unsigned worker) noexcept { processors_[worker].store(0, std::memory_order_relaxed); }

 private:
  bool IsTaken(int processor, unsigned worker) const noexcept;

  // Where each thread was last seen at work, from 1; 0: it sleeps.
  std::vector<std::atomic<int>> processors_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_THREADS_THREAD_SPREAD_H_
