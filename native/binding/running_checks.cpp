#include "running_checks.h"

#include <algorithm>
#include <utility>

#include "arguments.h"
#include "promise_worker.h"

namespace synoptic {

Napi::Value RunningChecks::Start(const Napi::CallbackInfo& info, std::vector<PacedCheck> checks) {
  const double rate =
      static_cast<double>(std::max<std::size_t>(ReadCount(info, 0, "bytesPerSecond"), 1));
  return RunPromise<std::size_t>(
      info.Env(),
      [&](PacedChecks::Done done) {
        std::erase_if(running_, [](const auto& ended) { return ended.expired(); });
        running_.push_back(PacedChecks::Start(std::move(checks), rate, std::move(done)));
      },
      [](Napi::Env env, std::size_t bytes) {
        return Napi::Number::New(env, static_cast<double>(bytes));
      });
}

void RunningChecks::Cancel() {
  for (const auto& weak : running_) {
    if (const auto running = weak.lock()) running->Cancel();
  }
}

}  // namespace synoptic
