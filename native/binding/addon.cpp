// The addon's exports: NativeAddon in src/native/contract.ts.

#include <napi.h>

#include <memory>
#include <utility>

#include "addon_state.h"
#include "arguments.h"
#include "base/free_memory.h"
#include "codes_calls.h"
#include "collection_wrap.h"
#include "gpu_calls.h"
#include "keep_loaded.h"
#include "kernels/cpu.h"
#include "max_sim_wrap.h"
#include "promise_worker.h"

namespace synoptic {
namespace {

Napi::Value OpenCollection(const Napi::CallbackInfo& info) {
  std::vector<std::string> paths = ReadStrings(info, 0, "paths");
  return RunPromise<std::shared_ptr<Collection>>(
      info.Env(),
      [&](Collection::Opened opened) {
        Collection::Open(ThreadPool::Shared(), ActiveKernels(), std::move(paths),
                         std::move(opened));
      },
      [](Napi::Env env, const std::shared_ptr<Collection>& collection) {
        return CollectionWrap::Wrap(env, collection);
      });
}

Napi::Value ReturnFree(const Napi::CallbackInfo& info) {
  ReturnFreeMemory();
  return info.Env().Undefined();
}

Napi::Value LimitScanThreads(const Napi::CallbackInfo& info) {
  ThreadPool::Shared().Limit(static_cast<unsigned>(ReadCount(info, 0, "limit")));
  return info.Env().Undefined();
}

Napi::Object Initialise(Napi::Env env, Napi::Object exports) {
  KeepLoaded();
  try {
    // Chosen now, so that a wrong setting is reported at start-up and not by the first search.
    exports["kernel"] = Napi::String::New(env, ActiveKernels().name);
    exports["threads"] = Napi::Number::New(env, ThreadPool::Shared().thread_count());
  } catch (...) {
    throw Napi::Error(env, ToJavaScriptError(env, std::current_exception()));
  }
  Napi::Array names = Napi::Array::New(env);
  for (const Kernels* kernels : AvailableKernels()) names[names.Length()] = kernels->name;
  exports["kernels"] = names;
  AddonState::Install(env);
  AddonState::Of(env)->collection_constructor = Napi::Persistent(CollectionWrap::Define(env));
  AddonState::Of(env)->max_sim_constructor = Napi::Persistent(MaxSimWrap::Define(env));
  exports["openCollection"] = Napi::Function::New(env, OpenCollection, "openCollection");
  DefineCodesCalls(env, exports);
  DefineGpuCalls(env, exports);
  exports["openMaxSim"] = Napi::Function::New(env, MaxSimWrap::OpenFiles, "openMaxSim");
  exports["limitScanThreads"] = Napi::Function::New(env, LimitScanThreads, "limitScanThreads");
  exports["returnFreeMemory"] = Napi::Function::New(env, ReturnFree, "returnFreeMemory");
  return exports;
}

}  // namespace
}  // namespace synoptic

static Napi::Object Initialise(Napi::Env env, Napi::Object exports) {
  return synoptic::Initialise(env, exports);
}

NODE_API_MODULE(synoptic, Initialise)
