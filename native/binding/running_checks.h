// `verify` and `cancelVerify` of a handle whose files can be checked during searches.

#ifndef SYNOPTIC_BINDING_RUNNING_CHECKS_H_
#define SYNOPTIC_BINDING_RUNNING_CHECKS_H_

#include <napi.h>

#include <memory>
#include <vector>

#include "threads/paced_checks.h"

namespace synoptic {

// The checks that are under way.
class RunningChecks {
 public:
  // The first argument is the bytes a second. The promise's value is the bytes that were read.
  Napi::Value Start(const Napi::CallbackInfo& info, std::vector<PacedCheck> checks);
  void Cancel();

 private:
  std::vector<std::weak_ptr<PacedChecks>> running_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_RUNNING_CHECKS_H_
