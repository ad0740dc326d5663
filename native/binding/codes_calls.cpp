#include "codes_calls.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>

#include "arguments.h"
#include "kernels/cpu.h"
#include "promise_worker.h"
#include "quantized/codes_builder.h"

namespace synoptic {
namespace {

// A build that is under way: its job, and how far it is.
struct RunningBuild {
  std::shared_ptr<BlockJob> job;
  std::atomic<std::size_t> done{0};
  std::atomic<std::size_t> total{0};
};

// By the number that JavaScript gave them; one map an environment, used on its thread only.
using RunningBuilds = std::unordered_map<std::size_t, std::shared_ptr<RunningBuild>>;

Napi::Value ToBuilt(Napi::Env env, const BuiltCodes& built) {
  Napi::Object value = Napi::Object::New(env);
  value["bits"] = static_cast<double>(built.bits);
  value["bytes"] = static_cast<double>(built.bytes);
  value["predictedCandidates"] = static_cast<double>(built.predicted_candidates);
  return value;
}

Napi::Value Build(const Napi::CallbackInfo& info, const std::shared_ptr<RunningBuilds>& builds) {
  if (!info[0].IsString()) {
    throw Napi::TypeError::New(info.Env(), "path: expected a string");
  }
  CodesRequest request = {info[0].As<Napi::String>().Utf8Value(), ReadCount(info, 1, "bits")};
  const std::size_t ticket = ReadCount(info, 2, "ticket");
  return RunPromise<BuiltCodes>(
      info.Env(),
      [&](std::function<void(std::exception_ptr, BuiltCodes)> built) {
        if (request.bits != 0 && request.bits != 4 && request.bits != 8) {
          throw Error("EARGUMENT", "bits: expected 0, 4 or 8");
        }
        const auto running = std::make_shared<RunningBuild>();
        running->job = BuildCodes(
            ThreadPool::Shared(), ActiveKernels(), std::move(request),
            // Weak: the job holds this function.
            [weak = std::weak_ptr(running)](std::size_t done, std::size_t total) {
              const auto build = weak.lock();
              if (build == nullptr) return;
              build->total = total;
              build->done = done;
            },
            std::move(built));
        (*builds)[ticket] = running;
      },
      // Weak: the job holds this function, too, and outlives an environment that ends.
      ToBuilt,
      [weak = std::weak_ptr(builds), ticket] {
        if (const auto builds = weak.lock()) builds->erase(ticket);
      });
}

Napi::Value Progress(const Napi::CallbackInfo& info, const RunningBuilds& builds) {
  Napi::Array value = Napi::Array::New(info.Env(), 2);
  const auto found = builds.find(ReadCount(info, 0, "ticket"));
  const bool running = found != builds.end();
  value[0u] = static_cast<double>(running ? found->second->done.load() : 0);
  value[1u] = static_cast<double>(running ? found->second->total.load() : 0);
  return value;
}

}  // namespace

void DefineCodesCalls(Napi::Env env, Napi::Object exports) {
  const auto builds = std::make_shared<RunningBuilds>();
  exports["buildCodes"] = Napi::Function::New(
      env, [builds](const Napi::CallbackInfo& info) { return Build(info, builds); }, "buildCodes");
  exports["codesProgress"] = Napi::Function::New(
      env, [builds](const Napi::CallbackInfo& info) { return Progress(info, *builds); },
      "codesProgress");
  exports["cancelCodes"] = Napi::Function::New(
      env,
      [builds](const Napi::CallbackInfo& info) {
        const auto found = builds->find(ReadCount(info, 0, "ticket"));
        if (found != builds->end()) found->second->job->Cancel();
      },
      "cancelCodes");
}

}  // namespace synoptic
