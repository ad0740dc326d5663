// Checks of mapped files that run during searches: on a thread of their own, which sleeps so that
// they read no more than so many bytes a second.

#ifndef SYNOPTIC_THREADS_PACED_CHECKS_H_
#define SYNOPTIC_THREADS_PACED_CHECKS_H_

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace synoptic {

// One piece, of a megabyte or so; `run` throws what it finds and keeps alive what it reads.
struct PacedCheck {
  std::size_t bytes;
  std::function<void()> run;
};

class PacedChecks {
 public:
  // The first error, or null, and the bytes that were read.
  using Done = std::function<void(std::exception_ptr, std::size_t bytes)>;

  // Runs the checks in their order until one throws; `done` is called at the end, on their thread.
  static std::shared_ptr<PacedChecks> Start(std::vector<PacedCheck> checks, double bytes_per_second,
                                            Done done);

  // Ends after the check that runs; settles with Error ECANCELLED.
  void Cancel();

 private:
  void Run(std::vector<PacedCheck> checks, double bytes_per_second, const Done& done);

  std::mutex mutex_;
  std::condition_variable woken_;
  bool cancelled_ = false;
};

}  // namespace synoptic

#endif  // SYNOPTIC_THREADS_PACED_CHECKS_H_
