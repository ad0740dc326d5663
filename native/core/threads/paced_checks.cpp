#include "threads/paced_checks.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/error.h"
#include "threads/thread_priority.h"

namespace synoptic {

std::shared_ptr<PacedChecks> PacedChecks::Start(std::vector<PacedCheck> checks,
                                                double bytes_per_second, Done done) {
  auto paced = std::make_shared<PacedChecks>();
  // Detached: it owns all that it uses, and sleeps most of the time.
  std::thread([paced, checks = std::move(checks), bytes_per_second,
               done = std::move(done)]() mutable {
    GiveWay();
    paced->Run(std::move(checks), bytes_per_second, done);
  }).detach();
  return paced;
}

void PacedChecks::Cancel() {
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
  }
  woken_.notify_all();
}

void PacedChecks::Run(std::vector<PacedCheck> checks, double bytes_per_second, const Done& done) {
  using Clock = std::chrono::steady_clock;
  std::size_t bytes = 0;
  std::exception_ptr error;
  Clock::time_point next = Clock::now();
  try {
    for (const PacedCheck& check : checks) {
      {
        std::unique_lock lock(mutex_);
        woken_.wait_until(lock, next, [this] { return cancelled_; });
        if (cancelled_) throw Error("ECANCELLED", "The work was cancelled.");
      }
      check.run();
      bytes += check.bytes;
      const std::chrono::duration<double> share(static_cast<double>(check.bytes) /
                                                bytes_per_second);
      // Time that was lost is not made up for.
      next = std::max(next, Clock::now() - std::chrono::milliseconds(1)) +
             std::chrono::duration_cast<Clock::duration>(share);
    }
  } catch (...) {
    error = std::current_exception();
  }
  // What the checks keep alive is released before the callback.
  checks.clear();
  done(error, bytes);
}

}  // namespace synoptic
